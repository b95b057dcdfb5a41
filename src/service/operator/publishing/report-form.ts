import { create } from "@bufbuild/protobuf";
import {
  AddStatusReportUpdateRequestSchema,
  CreateStatusReportRequestSchema,
} from "#contract/openstatus/status_report/v1/status_report_pb";
import { isoTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import * as checkLimits from "#limits/check-limits";
import * as statusLimits from "#limits/status-limits";
import {
  checkField,
  choiceField,
  ownForm,
  severalField,
  textArea,
  textField,
} from "#service/operator/form-fields";
import type { FormRequest, KnownReader } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { addUpdate, createReport } from "#service/api/report-api";
import {
  type Impact,
  impacts,
  type ReportStatus,
  reportStatuses,
} from "#service/status-page/report-words";
import type { ComponentRow } from "#service/store/page-store";
import type { UpdateFieldName } from "#service/status-page/part-definitions";
import type { EpochMillis } from "#base/units";
import type { MessageWith } from "#wire/message-with";
import { numberOf } from "#wire/enum-words";

/** What stands in the fields of a report, or of an update of one, which has no title. */
export interface ReportFields {
  readonly title: string;
  readonly status: string;
  readonly message: string;
  readonly components: readonly string[];
  readonly impact: string;
  /** Whether subscribers get it. */
  readonly notify: boolean;
}

export const emptyReport: ReportFields = {
  title: "",
  status: "investigating",
  message: "",
  components: [],
  impact: "",
  notify: false,
};

/** What a person has typed, to be shown again where it was wrong. */
export const reportIn = (form: URLSearchParams): ReportFields => ({
  title: form.get("title")?.trim() ?? "",
  status: form.get("status") ?? "",
  message: form.get("message")?.trim() ?? "",
  components: form.getAll("component"),
  impact: form.get("impact") ?? "",
  notify: form.has("notify"),
});

export const reportWords: { readonly [S in ReportStatus]: string } = {
  investigating: "Investigating",
  identified: "Identified",
  monitoring: "Monitoring",
  resolved: "Resolved",
};

export const impactWords: { readonly [I in Impact]: string } = {
  operational: "operational",
  degraded_performance: "degraded performance",
  partial_outage: "partial outage",
  major_outage: "major outage",
};

/** A form that says something about components: a new report, or an update of one. */
export function reportForm(
  action: string,
  kind: "report" | "update",
  fields: ReportFields,
  components: readonly ComponentRow[],
  reader: KnownReader,
): Html {
  const isNew = kind === "report";
  const title = { words: "Title", name: "title", value: fields.title };
  return ownForm(
    action,
    reader,
    html`${isNew ? textField({ ...title, charsMax: checkLimits.nameCharsMax, isRequired: true }) : null}
      ${choiceField(
        "State",
        "status",
        reportStatuses.map((one) => [one, reportWords[one]] as const),
        fields.status,
      )}
      ${textArea({ words: "Message (Markdown)", name: "message", value: fields.message, charsMax: statusLimits.reportMessageCharsMax, isRequired: true })}
      ${components.length === 0 ? null : severalField("About", "component", components, fields.components)}
      ${
        components.length === 0
          ? null
          : choiceField(
              "They have",
              "impact",
              [["", "no change"], ...impacts.map((one) => [one, impactWords[one]] as const)],
              fields.impact,
            )
      }
      ${checkField("Send it to the page's subscribers", "notify", fields.notify)}
      <button type="submit">${isNew ? "Publish the report" : "Publish the update"}</button>`,
  );
}

/** An update as of now, by the fields of its call. */
const updateOf = (
  { status, message, components, impact, notify }: ReportFields,
  now: EpochMillis,
): MessageWith<typeof AddStatusReportUpdateRequestSchema, UpdateFieldName> => ({
  status: numberOf(reportStatuses, status),
  message,
  date: isoTime(now),
  componentImpacts: components.map((pageComponentId) => ({
    pageComponentId,
    impact: numberOf(impacts, impact),
  })),
  notify,
});

/** Keeps a new report of a page as of now; its id. */
export async function writeReport(
  rooms: PageRooms,
  page: number,
  { form }: FormRequest,
): Promise<number> {
  const fields = reportIn(form);
  const request = create(CreateStatusReportRequestSchema, {
    ...updateOf(fields, rooms.clock.wall()),
    pageId: String(page),
    title: fields.title,
  });
  return createReport(rooms, request);
}

/** Keeps a further update of a report as of now. */
export async function writeUpdate(rooms: PageRooms, { id, form }: FormRequest): Promise<void> {
  const fields = reportIn(form);
  const request = create(AddStatusReportUpdateRequestSchema, {
    ...updateOf(fields, rooms.clock.wall()),
    statusReportId: id,
  });
  await addUpdate(rooms, request);
}
