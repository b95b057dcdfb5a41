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
import { placeList } from "#service/operator/lists/place-list";
import { sameCauseMonitors } from "#service/operator/incidents/incident-story";
import {
  alreadyLine,
  alreadyNote,
  alreadyReported,
} from "#service/operator/publishing/already-reported";
import {
  knownField,
  knownReports,
  reportedMeanwhile,
  type StoppedReport,
} from "#service/operator/publishing/meanwhile/reported-meanwhile";
import { filledFields, withFollowed } from "#service/operator/publishing/followed-draft";
import { draftOfIncident, draftOfNow } from "#service/operator/publishing/report-draft";
import {
  emptyDraft,
  type ReportDraft,
  reportFields,
  typedDraft,
} from "#service/operator/publishing/report-fields";
import { audienceIn, reportForm, writeReport } from "#service/operator/publishing/report-form";
import { isPast } from "#service/operator/publishing/report-time";
import { isSentAtFirst } from "#service/operator/publishing/sent-news";
import { subscribersOf } from "#service/operator/publishing/subscriber-count";
import {
  chosenWords,
  noTemplates,
  type OfferedTemplates,
  offeredTemplates,
  templateChoice,
  withTemplate,
} from "#service/operator/publishing/templates/template-choice";
import { wholeNumber } from "#service/operator/whole-number";
import { gatherPage } from "#service/status-site/page-gathering";
import type { ComponentRow, PageContent } from "#service/store/page-store";

const path = /^\/status-pages\/(?<id>\d{1,15})\/reports\/new$/;

/** `/status-pages/ID/reports/new`; `?incident=` fills it with what that is about, if it is open. */
const newPage: OperatorPage = {
  role: "responder",
  path,
  answer: async (context, { id, query, reader }) => {
    const content = await contentOf(context.rooms, id);
    const incident = wholeNumber(query.get("incident")) ?? null;
    const { draft, lead } = await draftIn(context, content, incident);
    const templates = await offeredTemplates(context.rooms, content.page.id, "report", query);
    const { confirmed } = await subscribersOf(context.rooms, content.page.id);
    const notify = isSentAtFirst({ is: "first", hasReaders: confirmed > 0 });
    const begun = typedDraft(draft, notify);
    const { chosen } = templates;
    const typed = chosen === null ? begun : withTemplate(begun, chosen, content.components);
    const state = { typed, mistakes: [] };
    const said = chosenWords(templates) || lead;
    return shown(context, reader, { content, incident, templates }, state, 200, said);
  },
};

const newForm: OperatorForm = {
  role: "responder",
  path,
  act: async (context, { id, form: sent, reader }) => {
    const content = await contentOf(context.rooms, id);
    const form = withFollowed(sent, content);
    const incident = wholeNumber(form.get("incident")) ?? null;
    const again = (state: FormState, status: number) =>
      shown(context, reader, { content, incident }, state, status);
    if (form.has(previewButton)) return again({ typed: form, mistakes: [] }, 200);
    return submitted(form, {
      fields: reportFields.report,
      again,
      act: async (typed) => {
        const stopped = isPast(typed)
          ? null
          : await reportedMeanwhile(context.rooms, content, typed);
        if (stopped !== null)
          return shown(
            context,
            reader,
            { content, incident, stopped },
            asTyped(stopped.typed),
            409,
          );
        const report = await writeReport(context.rooms, content.page.id, typed);
        const notice = isPast(typed) ? "past" : "reported";
        return seeOther(withNotice(`/reports/${report}`, notice));
      },
    });
  },
};

export const newReportPages: readonly OperatorPage[] = [newPage];
export const newReportForms: readonly OperatorForm[] = [newForm];

/** What a form has in it at first, and what is said above it. */
interface FirstDraft {
  readonly draft: ReportDraft;
  readonly lead: string;
}

/** What an open incident is about, or else what fails now. */
async function draftIn(
  { rooms, pictures }: PageContext,
  { page, components }: PageContent,
  incident: number | null,
): Promise<FirstDraft> {
  const story = incident === null ? null : await rooms.store.alerts.incidents.story(incident);
  if (story?.incident.ended === null) {
    const alike = await sameCauseMonitors(rooms, story, await pictures.now());
    const draft = draftOfIncident(story, alike, components, page.definition.defaultLocale);
    return { draft, lead: leadOf(draft, othersWords(components, alike)) };
  }
  const gathered = await gatherPage(rooms, page.id);
  const draft = gathered === null ? emptyDraft : draftOfNow(gathered.facts);
  return { draft, lead: leadOf(draft, "") };
}

const leadOf = ({ components }: ReportDraft, others: string): string =>
  components.length === 0
    ? ""
    : `Filled in from what fails now.${others} Check it before you publish.`;

/** Whoever reports one incident sees which others are ticked with it. */
function othersWords(components: readonly ComponentRow[], alike: ReadonlySet<number>): string {
  const others = components.filter(({ monitor }) => monitor !== null && alike.has(monitor));
  if (others.length === 0) return "";
  const names = placeList(others.map(({ name }) => name));
  const isOne = others.length === 1;
  return ` ${names} ${isOne ? "fails" : "fail"} for the same cause and ${isOne ? "is" : "are"} ticked, too.`;
}

const contentOf = async ({ statusPages }: PageRooms, id: string): Promise<PageContent> =>
  statusPages.content((await statusPages.get(id)).id);

const asTyped = (typed: URLSearchParams): FormState => ({ typed, mistakes: [] });

interface NewReport {
  readonly content: PageContent;
  /** The one that a person came from, and goes back to; null if they came from elsewhere. */
  readonly incident: number | null;
  /** What someone else reported meanwhile. */
  readonly stopped?: StoppedReport;
  /** What it can begin with; left out once it is sent. */
  readonly templates?: OfferedTemplates;
}

async function shown(
  { rooms }: PageContext,
  reader: KnownReader,
  { content, incident, stopped, templates = noTemplates }: NewReport,
  state: FormState,
  status = 200,
  lead = "",
): Promise<PageAnswer> {
  const { page } = content;
  const back = incident === null ? `/status-pages/${page.id}` : `/incidents/${incident}`;
  const words = incident === null ? page.definition.title : `Incident ${incident}`;
  const already = await alreadyReported(rooms, content, state.typed);
  const action = `/status-pages/${page.id}/reports/new`;
  const from = incidentField(incident);
  const hidden = { [knownField]: await knownReports(rooms, content, state.typed), ...from };
  const form = reportForm({
    kind: "report",
    audience: await audienceIn(rooms, { page: page.id, components: [] }, state.typed),
    action,
    hidden: filledFields(state.typed, hidden),
    state,
    content,
    report: null,
    corrected: null,
    now: rooms.clock.wall(),
    reader,
    cancel: back,
    begins: "title",
    lead: stopped === undefined ? alreadyNote(already) : stopped.note,
    ...(stopped === undefined ? {} : { submit: "Publish anyway" }),
    already: alreadyLine(already),
  });
  const shownForm = html`<p class="back"><a href="${back}">${words}</a></p>
    <h1 class="page">Write a report</h1>
    ${templateChoice(action, templates, from)}
    ${lead === "" ? null : html`<p class="lede-line">${lead}</p>`} ${form}`;
  return framed({ reader }, { ...frame, at: rooms.clock.wall(), content: shownForm }, status);
}

const incidentField = (incident: number | null): Readonly<Record<string, string>> =>
  incident === null ? {} : { incident: String(incident) };

const frame = {
  title: "Write a report · Picket",
  section: "status pages",
  document: null,
} as const;
