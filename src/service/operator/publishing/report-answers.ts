import { isoTime } from "#web/page/format";
import { doneNotice, faultNotice } from "#service/operator/form-notice";
import { documentAnswer, type PageAnswer, seeOther } from "#service/edge/page-answer";
import {
  framed,
  type KnownReader,
  noticeIn,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  withNotice,
} from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { emptyReport, reportIn, writeUpdate } from "#service/operator/publishing/report-form";
import { type ReportPage, reportView } from "#service/operator/publishing/report-views";
import { noReport } from "#service/status-site/page-refusals";
import type { ReportRow } from "#service/store/page-store";

/** `/reports/ID`: what was said of one trouble. */
const reportPage: OperatorPage = {
  role: "reader",
  path: /^\/reports\/(?<id>\d{1,15})(?<json>\.json)?$/,
  answer: async (context, { id, query, reader, isDocument }) => {
    const report = await found(context.rooms, id);
    if (isDocument)
      return documentAnswer({ at: isoTime(context.rooms.clock.wall()), ...reportSection(report) });
    return shown(context, reader, report, doneNotice(noticeIn(query, notices)));
  },
};

const updateForm: OperatorForm = {
  role: "responder",
  path: /^\/reports\/(?<id>\d{1,15})$/,
  act: async (context, request) => {
    const report = await found(context.rooms, request.id);
    try {
      await writeUpdate(context.rooms, request);
      return seeOther(withNotice(`/reports/${report.id}`, "reported"));
    } catch (error) {
      const notice = faultNotice(error, "This was not published");
      return shown(context, request.reader, report, notice, reportIn(request.form));
    }
  },
};

const deleteForm: OperatorForm = {
  role: "editor",
  path: /^\/reports\/(?<id>\d{1,15})\/delete$/,
  act: async ({ rooms }, { id }) => {
    const report = await found(rooms, id);
    await rooms.store.pages.reports.delete(report.id);
    return seeOther(`/status-pages/${report.page}`);
  },
};

export const reportPages: readonly OperatorPage[] = [reportPage];
export const reportForms: readonly OperatorForm[] = [updateForm, deleteForm];

const notices = { reported: "Published: readers see it within ten seconds." } as const;

async function found({ store }: PageRooms, id: string): Promise<ReportRow> {
  const report = await store.pages.reports.get(Number(id));
  if (report === null) throw noReport(id);
  return report;
}

/** With what a person has typed, if it was wrong. */
async function shown(
  { rooms }: PageContext,
  reader: KnownReader,
  report: ReportRow,
  notice: ReportPage["notice"],
  typed: ReportPage["fields"] | null = null,
): Promise<PageAnswer> {
  const content = await rooms.statusPages.content(report.page);
  const fields = typed ?? { ...emptyReport, status: report.status };
  const frame = {
    title: `${report.title} · Reports · Picket`,
    section: "status pages" as const,
    document: `/reports/${report.id}.json`,
    at: rooms.clock.wall(),
    content: reportView({ report, content, fields, reader, notice }),
  };
  return framed({ reader }, frame, typed === null ? 200 : 400);
}

/** A report for programs. Names are only ever added. */
export const reportSection = ({
  id,
  page,
  title,
  status,
  components,
  updates,
}: ReportRow): object => ({
  id: String(id),
  status_page: String(page),
  title,
  status,
  components: components.map(String),
  updates: updates.map((update) => ({
    at: isoTime(update.at),
    status: update.status,
    message: update.message,
    impacts: Object.fromEntries(update.impacts.map((one) => [String(one.component), one.impact])),
  })),
});
