import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { html, type Html } from "#web/page/html";
import { momentOf } from "#web/page/moment";
import { dayAndTime, isoTime } from "#web/page/format";
import { Refusal } from "#service/edge/call-refusal";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { removalView, tenMinutes } from "#service/operator/deleting/removal-view";
import { withUndo } from "#service/operator/deleting/undo-form";
import type { FormState } from "#service/operator/forms/form-group";
import { submitted } from "#service/operator/forms/form-submission";
import { previewButton } from "#service/operator/message-preview";
import {
  framed,
  type KnownReader,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  withNotice,
} from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { reportFields, reportWords, typedUpdate } from "#service/operator/publishing/report-fields";
import { stateAfterRemoval } from "#service/operator/publishing/state-after-removal";
import { reportAt, reportForm, rewriteUpdate } from "#service/operator/publishing/report-form";
import { noReport } from "#service/status-site/page-refusals";
import { reportMarkup } from "#service/status-site/view/report-markup";
import type { ReportRow, ReportUpdate } from "#service/store/page-store";

/* What was said can be said in other words, or taken back. */

const path = (what: string): RegExp =>
  new RegExp(`^/reports/(?<id>\\d{1,15})/updates/(?<part>\\d{1,15})/${what}$`);

/** `/reports/ID/updates/ID/edit`; with `?begins=title` the cursor is in the title. */
const editPage: OperatorPage = {
  role: "responder",
  path: path("edit"),
  answer: async (context, { id, part, query, reader }) => {
    const known = await updateAt(context.rooms, id, part);
    const state = { typed: typedUpdate(known.update, known.report), mistakes: [] };
    const begins = query.get("begins") === "title" ? "title" : "";
    return shownEdit(context, reader, known, state, { begins });
  },
};

/** Where the title of a report is corrected: the form of its newest update has it. */
export const titlePath = ({ id, updates: [newest] }: ReportRow): string | null =>
  newest === undefined ? null : `/reports/${id}/updates/${newest.id}/edit?begins=title`;

const editForm: OperatorForm = {
  role: "responder",
  path: path("edit"),
  act: async (context, { id, part, form, reader }) => {
    const known = await updateAt(context.rooms, id, part);
    const again = (state: FormState, status: number) =>
      shownEdit(context, reader, known, state, { status, title: form.get(shownTitle) });
    if (form.has(previewButton)) return again({ typed: form, mistakes: [] }, 200);
    return submitted(form, {
      fields: reportFields.correction,
      again,
      act: async (typed) => {
        const title = correctedTitle(known.report, form, typed);
        if (title === null)
          return shownEdit(context, reader, known, { typed, mistakes: [] }, { status: 409 });
        await rewriteUpdate(context.rooms, known.report, known.update, { typed, title });
        return seeOther(withNotice(`/reports/${id}`, "corrected"));
      },
    });
  },
};

/**
 * The form of each update has the title of the whole report: who left it alone keeps what it is called by now. The next press
 * of the button writes over a title that another person gave meanwhile.
 */
function correctedTitle(
  { title: now }: ReportRow,
  form: URLSearchParams,
  typed: URLSearchParams,
): string | null {
  const shown = form.get(shownTitle) ?? now;
  const wanted = (typed.get("title") ?? shown).trim();
  if (wanted === shown) return now;
  return shown === now || wanted === now ? wanted : null;
}

/** The title that the form began with. */
const shownTitle = "title-shown";

/** `/reports/ID/updates/ID/remove`: asks once. */
const removePage: OperatorPage = {
  role: "editor",
  path: path("remove"),
  answer: async (context, { id, part, reader }) => {
    const known = await updateAt(context.rooms, id, part);
    return framedWork(context, reader, "Remove this update?", questionOf(known, reader));
  },
};

const removeForm: OperatorForm = {
  role: "editor",
  path: path("remove"),
  act: async ({ rooms }, { id, part }) => {
    const { report, update } = await updateAt(rooms, id, part);
    if (!(await rooms.store.pages.reports.withdraw(report.id, update.id, rooms.clock.wall())))
      throw new Refusal(
        "failed_precondition",
        "it is the only update of its report: correct it, or delete the report",
      );
    return seeOther(withUndo(`/reports/${id}`, "update", [update.id]));
  },
};

export const correctionPages: readonly OperatorPage[] = [editPage, removePage];
export const correctionForms: readonly OperatorForm[] = [editForm, removeForm];

interface KnownUpdate {
  readonly report: ReportRow;
  readonly update: ReportUpdate;
}

async function updateAt(rooms: PageRooms, id: string, part: string): Promise<KnownUpdate> {
  const report = await reportAt(rooms, id);
  const update = report.updates.find((one) => String(one.id) === part);
  if (update === undefined) throw noReport(part);
  return { report, update };
}

interface ShownAgain {
  readonly status?: number;
  /** The title that a form began with which comes back; null: the report's. */
  readonly title?: string | null;
  /** The field in which a person begins; empty: in none. */
  readonly begins?: string;
}

async function shownEdit(
  context: PageContext,
  reader: KnownReader,
  { report, update }: KnownUpdate,
  state: FormState,
  { status = 200, title = null, begins = "" }: ShownAgain = {},
): Promise<PageAnswer> {
  const page = await context.rooms.statusPages.content(report.page);
  const form = reportForm({
    kind: "correction",
    action: `/reports/${report.id}/updates/${update.id}/edit`,
    state,
    content: page,
    report,
    corrected: update,
    now: context.rooms.clock.wall(),
    reader,
    cancel: `/reports/${report.id}`,
    begins,
    hidden: { [shownTitle]: title ?? report.title },
    lead: null,
  });
  const content = html`${back(report)}
    <h1 class="page">Correct an update</h1>
    <p class="lede-line">
      It is of <time datetime="${isoTime(update.at)}">${dayAndTime(update.at)}</time>. Mails that
      were sent stay as they are.
    </p>
    ${status === 409 ? noticeLine(overtaken(report)) : null} ${form}`;
  return framedWork(context, reader, "Correct an update", content, status);
}

const overtaken = ({ title }: ReportRow): FormNotice => ({
  words: `Not saved: the report was renamed meanwhile to “${title}”. To save what you typed instead, press the button again.`,
  isFault: true,
});

const questionOf = ({ report, update }: KnownUpdate, reader: KnownReader): Html =>
  removalView({
    reader,
    back: { path: `/reports/${report.id}`, words: report.title },
    title: "Remove this update?",
    facts: [
      ["State", reportWords[update.status]],
      ["Posted", momentOf(update.at)],
      ["Message", html`<div class="said">${reportMarkup(update.message)}</div>`],
    ],
    effects: [
      "It goes from the status page and its feeds.",
      ...stateAfterRemoval(report, update),
      "Mails that were sent stay as they are.",
    ],
    undo: tenMinutes,
    action: `/reports/${report.id}/updates/${update.id}/remove`,
    button: "Remove the update",
  });

const back = ({ id, title }: ReportRow): Html =>
  html`<p class="back"><a href="/reports/${id}">${title}</a></p>`;

function framedWork(
  { rooms }: PageContext,
  reader: KnownReader,
  title: string,
  content: Html,
  status = 200,
): PageAnswer {
  const frame = { title: `${title} · Picket`, section: "status pages", document: null } as const;
  return framed({ reader }, { ...frame, at: rooms.clock.wall(), content }, status);
}
