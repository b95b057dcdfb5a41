import { html } from "#web/page/html";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
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
import { draftOfIncident, draftOfNow } from "#service/operator/publishing/report-draft";
import {
  emptyDraft,
  type ReportDraft,
  reportFields,
  typedDraft,
} from "#service/operator/publishing/report-fields";
import { reportForm, writeReport } from "#service/operator/publishing/report-form";
import { wholeNumber } from "#service/operator/whole-number";
import { gatherPage } from "#service/status-site/page-gathering";
import type { PageContent } from "#service/store/page-store";

const path = /^\/status-pages\/(?<id>\d{1,15})\/reports\/new$/;

/** `/status-pages/ID/reports/new`; `?incident=` fills it with what that is about, if it is open. */
const newPage: OperatorPage = {
  role: "responder",
  path,
  answer: async (context, { id, query, reader }) => {
    const content = await contentOf(context.rooms, id);
    const draft = await draftIn(context.rooms, content, wholeNumber(query.get("incident")) ?? null);
    const state = { typed: typedDraft(draft), mistakes: [] };
    return shown(context, reader, content, state, 200, leadOf(draft));
  },
};

const leadOf = ({ components }: ReportDraft): string =>
  components.length === 0 ? "" : "Filled in from what fails now. Check it before you publish.";

const newForm: OperatorForm = {
  role: "responder",
  path,
  act: async (context, { id, form, reader }) => {
    const content = await contentOf(context.rooms, id);
    const again = (state: FormState, status: number) =>
      shown(context, reader, content, state, status);
    if (form.has(previewButton)) return again({ typed: form, mistakes: [] }, 200);
    return submitted(form, {
      fields: reportFields.report,
      again,
      act: async (typed) => {
        const report = await writeReport(context.rooms, content.page.id, typed);
        return seeOther(withNotice(`/reports/${report}`, "reported"));
      },
    });
  },
};

export const newReportPages: readonly OperatorPage[] = [newPage];
export const newReportForms: readonly OperatorForm[] = [newForm];

/** What an open incident is about, or else what fails now. */
async function draftIn(
  rooms: PageRooms,
  { page, components }: PageContent,
  incident: number | null,
): Promise<ReportDraft> {
  const story = incident === null ? null : await rooms.store.alerts.incidents.story(incident);
  if (story?.incident.ended === null)
    return draftOfIncident(story, components, page.definition.defaultLocale);
  const gathered = await gatherPage(rooms, page.id);
  return gathered === null ? emptyDraft : draftOfNow(gathered.facts);
}

const contentOf = async ({ statusPages }: PageRooms, id: string): Promise<PageContent> =>
  statusPages.content((await statusPages.get(id)).id);

async function shown(
  { rooms }: PageContext,
  reader: KnownReader,
  content: PageContent,
  state: FormState,
  status = 200,
  lead = "",
): Promise<PageAnswer> {
  const { page } = content;
  const back = `/status-pages/${page.id}`;
  const form = reportForm({
    kind: "report",
    action: `${back}/reports/new`,
    state,
    content,
    report: null,
    corrected: null,
    now: rooms.clock.wall(),
    reader,
    cancel: back,
    lead: null,
  });
  const shownForm = html`<p class="back"><a href="${back}">${page.definition.title}</a></p>
    <h1 class="page">Write a report</h1>
    ${lead === "" ? null : html`<p class="lede-line">${lead}</p>`} ${form}`;
  const frame = {
    title: "Write a report · Picket",
    section: "status pages",
    document: null,
  } as const;
  return framed({ reader }, { ...frame, at: rooms.clock.wall(), content: shownForm }, status);
}
