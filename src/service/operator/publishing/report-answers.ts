import { isoTime } from "#web/page/format";
import type { FormState } from "#service/operator/forms/form-group";
import { submitted } from "#service/operator/forms/form-submission";
import { previewButton } from "#service/operator/message-preview";
import { doneNotice, type FormNotice } from "#service/operator/form-notice";
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
import { correctionForms, correctionPages } from "#service/operator/publishing/report-corrections";
import type { PageRooms } from "#service/operator/page-rooms";
import { resolvedMessage } from "#service/operator/publishing/report-draft";
import { reportFields, typedNext } from "#service/operator/publishing/report-fields";
import { reportAt, writeUpdate } from "#service/operator/publishing/report-form";
import { reportView } from "#service/operator/publishing/report-views";
import type { ReportRow } from "#service/store/page-store";

/** `/reports/ID`: what was said of one trouble. */
const reportPage: OperatorPage = {
  role: "reader",
  path: /^\/reports\/(?<id>\d{1,15})(?<json>\.json)?$/,
  answer: async (context, { id, query, reader, isDocument }) => {
    const report = await reportAt(context.rooms, id);
    if (isDocument)
      return documentAnswer({ at: isoTime(context.rooms.clock.wall()), ...reportSection(report) });
    const state = {
      typed: await typedAs(context.rooms, report, query.get("status")),
      mistakes: [],
    };
    return shown(context, reader, report, state, doneNotice(noticeIn(query, notices)));
  },
};

const updateForm: OperatorForm = {
  role: "responder",
  path: /^\/reports\/(?<id>\d{1,15})$/,
  act: async (context, { id, form, reader }) => {
    const report = await reportAt(context.rooms, id);
    const again = (state: FormState, status: number) =>
      shown(context, reader, report, state, null, status);
    if (form.has(previewButton)) return again({ typed: form, mistakes: [] }, 200);
    return submitted(form, {
      fields: reportFields.update,
      again,
      act: async (typed) => {
        await writeUpdate(context.rooms, report, typed);
        return seeOther(withNotice(`/reports/${report.id}`, "reported"));
      },
    });
  },
};

/** The form of the next update; `?status=resolved` fills it with what ends the report. */
async function typedAs(
  { statusPages }: PageRooms,
  report: ReportRow,
  status: string | null,
): Promise<URLSearchParams> {
  if (status !== "resolved") return typedNext(report);
  const { definition } = await statusPages.get(String(report.page));
  return typedNext({ ...report, status }, resolvedMessage(definition.defaultLocale));
}

export const reportPages: readonly OperatorPage[] = [reportPage, ...correctionPages];
export const reportForms: readonly OperatorForm[] = [updateForm, ...correctionForms];

const notices = {
  reported: "Published: readers see it within ten seconds.",
  corrected: "Corrected: readers see it within ten seconds. Mails that were sent stay as they are.",
  removed: "Removed: readers see it within ten seconds. Mails that were sent stay as they are.",
} as const;

async function shown(
  { rooms }: PageContext,
  reader: KnownReader,
  report: ReportRow,
  state: FormState,
  notice: FormNotice | null,
  status = 200,
): Promise<PageAnswer> {
  const content = await rooms.statusPages.content(report.page);
  const frame = {
    title: `${report.title} · Reports · Picket`,
    section: "status pages",
    document: `/reports/${report.id}.json`,
    at: rooms.clock.wall(),
    content: reportView({ report, content, state, reader, notice, now: rooms.clock.wall() }),
  } as const;
  return framed({ reader }, frame, status);
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
