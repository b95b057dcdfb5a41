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
import {
  emptyDraft,
  type ReportDraft,
  reportFields,
  typedDraft,
} from "#service/operator/publishing/report-fields";
import { reportForm, writeReport } from "#service/operator/publishing/report-form";
import { wholeNumber } from "#service/operator/whole-number";
import type { Story } from "#service/store/alert-store";
import type { ComponentRow, PageContent } from "#service/store/page-store";

const path = /^\/status-pages\/(?<id>\d{1,15})\/reports\/new$/;

/** `/status-pages/ID/reports/new`; `?incident=` fills it with what that is about. */
const newPage: OperatorPage = {
  role: "responder",
  path,
  answer: async (context, { id, query, reader }) => {
    const content = await contentOf(context.rooms, id);
    const number = wholeNumber(query.get("incident"));
    const story =
      number === null || number === undefined
        ? null
        : await context.rooms.store.alerts.incidents.story(number);
    const draft = story === null ? emptyDraft : draftOf(story, content.components);
    return shown(context, reader, content, { typed: typedDraft(draft), mistakes: [] });
  },
};

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

const contentOf = async ({ statusPages }: PageRooms, id: string): Promise<PageContent> =>
  statusPages.content((await statusPages.get(id)).id);

/** What readers may know of an incident: which components are affected and how, by the names that the page has for them. */
export function draftOf(
  { incident }: Pick<Story, "incident">,
  components: readonly ComponentRow[],
): ReportDraft {
  const { subject, severity } = incident;
  const affected = components.filter(
    ({ monitor }) => subject.kind === "monitor" && monitor === subject.id,
  );
  const names = affected.map(({ name }) => name).join(", ");
  if (names === "") return emptyDraft;
  const isDown = severity === "error";
  const verb = affected.length === 1 ? "is" : "are";
  return {
    title: `${names} ${verb} ${isDown ? "not available" : "slow"}`,
    status: "investigating",
    message: `${names} ${verb} ${isDown ? "not available" : "slower than usual"}. We are looking into it.`,
    components: affected.map(({ id }) => id),
    impact: isDown ? "major_outage" : "degraded_performance",
  };
}

async function shown(
  { rooms }: PageContext,
  reader: KnownReader,
  content: PageContent,
  state: FormState,
  status = 200,
): Promise<PageAnswer> {
  const { page } = content;
  const back = `/status-pages/${page.id}`;
  const form = reportForm({
    kind: "report",
    action: `${back}/reports/new`,
    state,
    content,
    title: (state.typed.get("title") ?? "").trim(),
    reader,
    cancel: back,
  });
  const shownForm = html`<p class="back"><a href="${back}">${page.definition.title}</a></p>
    <h1 class="page">Write a report</h1>
    ${form}`;
  const frame = {
    title: "Write a report · Picket",
    section: "status pages",
    document: null,
  } as const;
  return framed({ reader }, { ...frame, at: rooms.clock.wall(), content: shownForm }, status);
}
