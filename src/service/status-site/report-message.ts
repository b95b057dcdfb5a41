import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type ComponentImpact as WireImpact,
  PageComponentImpact,
  type StatusReportSchema,
  type StatusReportUpdateSchema,
} from "#contract/openstatus/status_report/v1/status_report_pb";
import { refuseViolations } from "#service/edge/call-refusal";
import { timeText } from "#service/monitors/shown-monitor";
import {
  type ComponentImpact,
  impacts,
  type ReportStatus,
  reportStatuses,
} from "#service/status-page/report-words";
import { integerOf } from "#service/store/ids";
import type { UpdateFieldName } from "#service/status-page/part-definitions";
import type { MessageWith } from "#wire/message-with";
import type { ReportRow, ReportUpdate } from "#service/store/page-store";
import { numberOf } from "#wire/enum-words";

interface ShownReport {
  readonly id: string;
  readonly status: number;
  readonly title: string;
  readonly pageComponentIds: string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly pageId: string;
}

/** A report as the calls show it, without its updates. */
export const reportSummary = (row: ReportRow): ShownReport => ({
  id: String(row.id),
  status: numberOf(reportStatuses, row.status),
  title: row.title,
  pageComponentIds: row.components.map(String),
  createdAt: timeText(row.createdAt),
  updatedAt: timeText(row.updatedAt),
  pageId: String(row.page),
});

export const reportMessage = (row: ReportRow): MessageInitShape<typeof StatusReportSchema> => ({
  ...reportSummary(row),
  updates: row.updates.map(updateMessage),
});

const updateMessage = (
  update: ReportUpdate,
): MessageWith<typeof StatusReportUpdateSchema, UpdateFieldName> => ({
  id: String(update.id),
  status: numberOf(reportStatuses, update.status),
  date: timeText(update.at),
  message: update.message,
  createdAt: timeText(update.createdAt),
  componentImpacts: impactMessages(update.impacts),
});

export const impactMessages = (
  stated: readonly ComponentImpact[],
): { pageComponentId: string; impact: number }[] =>
  stated.map(({ component, impact }) => ({
    pageComponentId: String(component),
    impact: numberOf(impacts, impact),
  }));

/** Refuses what is no status, by its field. */
export function reportStatusIn(field: string, number: number): ReportStatus {
  const status = reportStatuses[number - 1];
  if (status !== undefined) return status;
  const message = `must be one of ${reportStatuses.join(", ").toUpperCase()}`;
  refuseViolations([{ field, message }]);
  return "investigating";
}

/** What is said of components; one that says nothing is left out here, and joins the report anyway. */
export const impactsIn = (given: readonly WireImpact[]): readonly ComponentImpact[] =>
  given.flatMap(({ pageComponentId, impact: number }): readonly ComponentImpact[] => {
    const component = integerOf(pageComponentId) ?? 0;
    const impact = impacts[number - 1];
    if (impact !== undefined) return [{ component, impact }];
    if (number === PageComponentImpact.UNSPECIFIED) return [];
    const message = `must be one of ${impacts.join(", ").toUpperCase()}`;
    refuseViolations([{ field: "component_impacts", message }]);
    return [];
  });
