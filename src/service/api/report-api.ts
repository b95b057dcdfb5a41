import type { ConnectRouter, ServiceImpl } from "@connectrpc/connect";
import {
  type AddStatusReportUpdateRequest,
  type CreateStatusReportRequest,
  StatusReportService,
} from "#contract/openstatus/status_report/v1/status_report_pb";
import type { Clock } from "#base/clock";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/status-limits";
import { templateApi } from "#service/api/template-api";
import { writtenTime } from "#service/edge/written-time";
import { refuseControls, refuseViolations } from "#service/edge/call-refusal";
import { pageOf } from "#service/edge/page";
import { noReport, tooMany } from "#service/status-site/page-refusals";
import {
  impactsIn,
  reportMessage,
  reportStatusIn,
  reportSummary,
} from "#service/status-site/report-message";
import type { ComponentImpact } from "#service/status-page/report-words";
import type { StatusPages } from "#service/status-site/status-pages";
import { integerOf } from "#service/store/ids";
import type { NewUpdate, ReportEnd, ReportRow } from "#service/store/page-store";
import type { Store } from "#service/store/store";
import { unixLines } from "#base/text";

interface ReportApi {
  readonly store: Store;
  readonly statusPages: StatusPages;
  readonly clock: Clock;
}

/** openstatus.status_report.v1.StatusReportService: what people say of a trouble, and what has become of it; and its templates. */
export function reportApi(router: ConnectRouter, api: ReportApi): void {
  templateApi(router, api);
  const { reports } = api.store.pages;
  router.service(StatusReportService, {
    createStatusReport: async (request) => {
      const id = await createReport(api, request);
      return { statusReport: reportMessage(await found(api, String(id))) };
    },
    getStatusReport: async ({ id }) => ({ statusReport: reportMessage(await found(api, id)) }),
    listStatusReports: async (request) => {
      const statuses = request.statuses.map((one) => reportStatusIn("statuses", one));
      const page = request.pageId === "" ? null : (integerOf(request.pageId) ?? 0);
      const list = await reports.list({ ...pageOf(request), page, statuses });
      return { statusReports: list.reports.map(reportSummary), totalSize: list.total };
    },
    updateStatusReport: async ({ id, title, pageComponentIds, updatePageComponentIds }) => {
      const row = await found(api, id);
      if (title !== undefined) refuseTitle(title);
      const components =
        updatePageComponentIds === true
          ? await api.statusPages.componentsAmong(row.page, pageComponentIds)
          : null;
      const change = { title: title ?? null, components };
      if (!(await reports.change(row.id, change, api.clock.wall()))) throw noReport(id);
      return { statusReport: reportMessage(await found(api, id)) };
    },
    deleteStatusReport: async ({ id }) => {
      if (!(await reports.delete(integerOf(id) ?? 0))) throw noReport(id);
      return { success: true };
    },
    addStatusReportUpdate: async (request) => {
      await addUpdate(api, request);
      return { statusReport: reportMessage(await found(api, request.statusReportId)) };
    },
  } satisfies ServiceImpl<typeof StatusReportService>);
}

async function found({ store }: ReportApi, id: string): Promise<ReportRow> {
  const row = await store.pages.reports.get(integerOf(id) ?? 0);
  if (row === null) throw noReport(id);
  return row;
}

/** Keeps a new report, or refuses it by its field. With an end it is about what is over. */
export async function createReport(
  api: ReportApi,
  request: CreateStatusReportRequest,
  end: ReportEnd | null = null,
): Promise<number> {
  const { title, message, date, status, pageId, pageComponentIds, componentImpacts } = request;
  refuseTitle(title);
  const page = await api.statusPages.get(pageId);
  const named = componentImpacts.map((one) => one.pageComponentId);
  const components = await api.statusPages.componentsAmong(page.id, [
    ...pageComponentIds,
    ...named,
  ]);
  const now = api.clock.wall();
  const update: NewUpdate = {
    status: reportStatusIn("status", status),
    at: writtenTime("date", date),
    message: messageIn(message),
    impacts: impactsIn(componentImpacts),
    createdAt: now,
  };
  const announces = request.notify ?? false;
  const made = { page: page.id, title, components, update, announces };
  return api.store.pages.reports.create(end === null ? made : { ...made, end });
}

/** Keeps a further update of a report, or refuses it by its field. */
export async function addUpdate(
  api: ReportApi,
  request: AddStatusReportUpdateRequest,
): Promise<void> {
  const { statusReportId: id, status, message, date, componentImpacts } = request;
  const row = await found(api, id);
  if (row.updates.length >= limits.reportUpdatesMax)
    throw tooMany(limits.reportUpdatesMax, "updates of this report");
  const named = componentImpacts.map((one) => one.pageComponentId);
  const joining = await api.statusPages.componentsAmong(row.page, named);
  const now = api.clock.wall();
  const update: NewUpdate = {
    status: reportStatusIn("status", status),
    at: date === undefined ? now : writtenTime("date", date),
    message: messageIn(message),
    impacts: impactsIn(componentImpacts),
    createdAt: now,
  };
  const { reports } = api.store.pages;
  if (!(await reports.addUpdate(row.id, update, request.notify ?? false, joining)))
    throw noReport(id);
}

interface Correction {
  /** Impacts that stay as they are; null: those of the request count. */
  readonly kept: readonly ComponentImpact[] | null;
  /** Components that it does not name any more. */
  readonly leaving: readonly number[];
}

/** Puts other words in place of those of an update, by the same rules. */
export async function correctUpdate(
  api: ReportApi,
  update: number,
  request: AddStatusReportUpdateRequest,
  { kept, leaving }: Correction,
): Promise<void> {
  const { statusReportId: id, status, message, date = "", componentImpacts } = request;
  const row = await found(api, id);
  const named = componentImpacts.map((one) => one.pageComponentId);
  const joining = await api.statusPages.componentsAmong(row.page, named);
  const to = {
    status: reportStatusIn("status", status),
    at: writtenTime("date", date),
    message: messageIn(message),
    impacts: kept ?? impactsIn(componentImpacts),
    joining,
    leaving,
  };
  if (!(await api.store.pages.reports.correct(row.id, update, to, api.clock.wall())))
    throw noReport(id);
}

/** What is said, as it is kept. */
function messageIn(given: string): string {
  const message = unixLines(given);
  refuseText("message", message, limits.reportMessageCharsMax);
  return message;
}

export const refuseTitle = (title: string): void =>
  refuseText("title", title, checkLimits.nameCharsMax);

function refuseText(field: string, text: string, charsMax: number): void {
  if (field === "title") refuseControls(field, text);
  if (text.trim() === "" || text.length > charsMax)
    refuseViolations([{ field, message: `must be 1 to ${charsMax} characters long` }]);
}
