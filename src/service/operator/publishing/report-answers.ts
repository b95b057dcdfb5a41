import { isoTime } from "#web/page/format";
import type { FormState } from "#service/operator/forms/form-group";
import { submitted } from "#service/operator/forms/form-submission";
import { previewButton } from "#service/operator/message-preview";
import { doneNotice } from "#service/operator/form-notice";
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
import { failingComponents } from "#service/operator/publishing/failing-note";
import { recoveredComponents } from "#service/operator/publishing/recovered-components";
import { recoveredValue } from "#service/operator/publishing/recovered-note";
import { firstMessage, withRecovered } from "#service/operator/publishing/report-draft";
import { reportFields, typedNext } from "#service/operator/publishing/report-fields";
import { audienceIn, reportAt, writeUpdate } from "#service/operator/publishing/report-form";
import { type ReportPage, reportView } from "#service/operator/publishing/report-views";
import { sentSentence } from "#service/operator/publishing/sent-news";
import {
  offeredTemplates,
  withTemplate,
} from "#service/operator/publishing/templates/template-choice";
import type { Audience } from "#service/operator/publishing/subscriber-count";
import type { ReportRow } from "#service/store/page-store";

/** `/reports/ID`: what was said of one trouble. */
const reportPage: OperatorPage = {
  role: "reader",
  path: /^\/reports\/(?<id>\d{1,15})(?<json>\.json)?$/,
  answer: async (context, { id, query, reader, isDocument }) => {
    const report = await reportAt(context.rooms, id);
    if (isDocument)
      return documentAnswer({ at: isoTime(context.rooms.clock.wall()), ...reportSection(report) });
    const known = await knownReport(context, report);
    const templates = await offeredTemplates(context.rooms, report.page, "report", query);
    const { chosen } = templates;
    const next = typedAs(known, query);
    const typed = chosen === null ? next : withTemplate(next, chosen, known.content.components);
    const isWriting = query.has("status") || query.has("fill") || chosen !== null;
    return shown(
      context,
      reader,
      { ...known, isWriting, templates },
      { typed, mistakes: [] },
      query,
    );
  },
};

const updateForm: OperatorForm = {
  role: "responder",
  path: /^\/reports\/(?<id>\d{1,15})$/,
  act: async (context, { id, form, reader }) => {
    const report = await reportAt(context.rooms, id);
    const known = await knownReport(context, report);
    const again = (state: FormState, status: number) =>
      shown(context, reader, { ...known, isWriting: true }, state, new URLSearchParams(), status);
    if (form.get(previewButton) === recoveredValue)
      return again({ typed: asRecovered(known, form), mistakes: [] }, 200);
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

/** A report with the page that it is on, and what monitors say of its components. */
type KnownReport = Pick<ReportPage, "report" | "content" | "recovered" | "failing" | "tallies"> & {
  /** Whether subscribers got one of its updates. */
  readonly wasAnnounced: boolean;
};

async function knownReport(
  { rooms, pictures }: PageContext,
  report: ReportRow,
): Promise<KnownReport> {
  const updates = report.updates.map(({ id }) => id);
  const [content, picture, wasAnnounced, tallies] = await Promise.all([
    rooms.statusPages.content(report.page),
    pictures.now(),
    rooms.store.pages.reports.wasAnnounced(report.id),
    rooms.store.readers.letters.tallies({ kind: "report", about: updates }),
  ]);
  const { components } = content;
  const now = rooms.clock.wall();
  return {
    report,
    content,
    wasAnnounced,
    tallies,
    recovered: recoveredComponents(report, components, picture.monitors, now),
    failing: failingComponents(report, components, picture.monitors),
  };
}

/**
 * The form of the next update; `?status=resolved` fills it with what ends the report, and `?fill=recovered` with what works
 * again.
 */
function typedAs(known: KnownReport, query: URLSearchParams): URLSearchParams {
  const { report, content, wasAnnounced } = known;
  const next = typedNext(report, wasAnnounced);
  if (query.get("fill") === recoveredValue) return asRecovered(known, next);
  if (query.get("status") !== "resolved") return next;
  const message = firstMessage("resolved", content.page.definition.defaultLocale);
  return typedNext({ ...report, status: "resolved" }, wasAnnounced, message);
}

/** What fails again meanwhile is left out. */
const asRecovered = (
  { recovered, content }: KnownReport,
  typed: URLSearchParams,
): URLSearchParams =>
  recovered === null
    ? typed
    : withRecovered(typed, recovered.components, content.page.definition.defaultLocale);

export const reportPages: readonly OperatorPage[] = [reportPage, ...correctionPages];
export const reportForms: readonly OperatorForm[] = [updateForm, ...correctionForms];

const notices = {
  reported: "Published: whoever opens the page sees it.",
  past: "Published. It has ended, so it is sent to no one.",
  corrected: "Corrected: whoever opens the page sees it. Mails that were sent stay as they are.",
} as const;

/** Of what was published, also whom it is sent to. */
function noticeOf(
  query: URLSearchParams,
  { report, content: { page }, tallies }: KnownReport,
  audience: Audience,
): string | null {
  const words = noticeIn(query, notices);
  if (words !== notices.reported) return words;
  // What was written last may be of an earlier time.
  const newest = Math.max(...report.updates.map(({ id }) => id));
  const tally = tallies.find(({ about }) => about === newest) ?? null;
  const sent = sentSentence({ page, tally, audience });
  return page.definition.published ? `${words} ${sent}` : sent;
}

async function shown(
  { rooms }: PageContext,
  reader: KnownReader,
  known: KnownReport & Pick<ReportPage, "isWriting" | "templates">,
  state: FormState,
  query: URLSearchParams,
  status = 200,
): Promise<PageAnswer> {
  const { report } = known;
  const audience = await audienceIn(rooms, report, state.typed);
  const notice = doneNotice(noticeOf(query, known, audience));
  const frame = {
    title: `${report.title} · Status reports · Picket`,
    section: "status pages",
    document: `/reports/${report.id}.json`,
    at: rooms.clock.wall(),
    content: reportView({ ...known, audience, state, reader, notice, now: rooms.clock.wall() }),
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
