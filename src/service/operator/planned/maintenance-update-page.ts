import { column, type FormFields } from "#check/form-field";
import { dayAndTime, isoTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { addMaintenanceUpdate } from "#service/api/maintenance-update-calls";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { onlyGroup } from "#service/operator/forms/box-form";
import type { FormState } from "#service/operator/forms/form-group";
import { submitted } from "#service/operator/forms/form-submission";
import { formView } from "#service/operator/forms/form-view";
import { messagePreview, audienceWords, previewButton } from "#service/operator/message-preview";
import {
  framed,
  type KnownReader,
  noticeIn,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  withNotice,
} from "#service/operator/page-request";
import { doneNotice } from "#service/operator/form-notice";
import { workAt } from "#service/operator/planned/maintenance-form-answers";
import type { MaintenanceUpdate } from "#service/store/maintenance-update-store";
import type { StatusPageRow } from "#service/store/page-store";
import { wordsIn } from "#service/status-site/view/words";
import { reportMarkup } from "#service/status-site/view/report-markup";

const path = /^\/maintenances\/(?<id>\d{1,15})\/updates$/;

/** `/maintenances/ID/updates`: what was said of planned work, and a form that says more, e.g. that it takes longer. */
const updatesPage: OperatorPage = {
  role: "responder",
  path,
  answer: async (context, { id, reader, query }) =>
    shown(context, reader, id, {
      state: { typed: await typedAs(context, id, query.get("fill")), mistakes: [] },
      notice: doneNotice(noticeIn(query, { published: "The update is published." })),
      status: 200,
    }),
};

const updateForm: OperatorForm = {
  role: "responder",
  path,
  act: (context, { id, reader, form }) => {
    const again = (state: FormState, status: number): Promise<PageAnswer> =>
      shown(context, reader, id, { state, notice: null, status });
    if (form.has(previewButton)) return again({ typed: form, mistakes: [] }, 200);
    return submitted(form, {
      fields,
      again,
      act: async (typed) => {
        const message = (typed.get("message") ?? "").trim();
        const announces = typed.has("notify");
        await addMaintenanceUpdate(context.rooms, id, { message, at: null, announces });
        return seeOther(withNotice(`/maintenances/${id}/updates`, "published"));
      },
    });
  },
};

/** `?fill=over` is filled in with what says so, in the language of the page, and `?fill=later` is to be sent, too. */
async function typedAs(
  { rooms: { store } }: PageContext,
  id: string,
  fill: string | null,
): Promise<URLSearchParams> {
  if (fill !== "over" && fill !== "later") return new URLSearchParams();
  const page = (await store.alerts.maintenances.get(Number(id)))?.page ?? "";
  const shownBy = page === "" ? null : await store.pages.pages.get(Number(page));
  if (shownBy === null) return new URLSearchParams();
  const { news } = wordsIn(shownBy.definition.defaultLocale).texts;
  return new URLSearchParams({
    message: fill === "over" ? news.finishedMessage : "",
    notify: "yes",
  });
}

export const updatePages: readonly OperatorPage[] = [updatesPage];
export const updateForms: readonly OperatorForm[] = [updateForm];

const fields: FormFields<"message" | "notify"> = {
  message: column("Message", { is: "long", lines: 5 }, "Markdown. It is dated now."),
  notify: column("Send it to the subscribers of the page", { is: "flag" }),
};

interface ShownUpdates {
  readonly state: FormState;
  readonly notice: FormNotice | null;
  readonly status: number;
}

async function shown(
  context: PageContext,
  reader: KnownReader,
  id: string,
  { state, notice, status }: ShownUpdates,
): Promise<PageAnswer> {
  const row = await workAt(context, id);
  const { store, clock } = context.rooms;
  const updates = (await store.alerts.maintenanceUpdates.of([row.id])).get(row.id) ?? [];
  const page = row.page === "" ? null : await store.pages.pages.get(Number(row.page));
  const content = html`<p class="back"><a href="/maintenances/${row.id}">${row.title}</a></p>
    <h1 class="page">Updates of ${row.title}</h1>
    ${noticeLine(notice)}
    ${formView({
      action: `/maintenances/${row.id}/updates`,
      reader,
      fields,
      groups: onlyGroup,
      state,
      choices: {},
      hidden: {},
      lead: html`<h2>Say what is new</h2>`,
      isLocked: false,
      isNew: true,
      submit: "Publish the update",
      cancel: `/maintenances/${row.id}`,
      extra: previewOf(row.title, state.typed, page),
      actions: null,
    })}
    <section aria-labelledby="updates">
      <h2 id="updates">Updates</h2>
      ${updates.length === 0 ? html`<p class="advice">Nothing was said yet.</p>` : updateLines(updates)}
    </section>`;
  const frame = { section: "maintenance", document: null, at: clock.wall() } as const;
  return framed(
    { reader },
    { ...frame, title: `Updates of ${row.title} · Picket`, content },
    status,
  );
}

const previewOf = (subject: string, typed: URLSearchParams, page: StatusPageRow | null): Html =>
  messagePreview({
    subject,
    lines: [],
    fault: null,
    message: typed.get("message") ?? "",
    after: html`<p class="help">${audienceWords(typed, page?.definition ?? null)}</p>`,
  });

/** What was said of planned work, the newest first. */
export const updateLines = (updates: readonly MaintenanceUpdate[]): readonly Html[] =>
  updates.map(updateView);

const updateView = ({
  at,
  message,
}: {
  readonly at: Parameters<typeof isoTime>[0];
  readonly message: string;
}): Html =>
  html`<article class="change">
    <p><time datetime="${isoTime(at)}">${dayAndTime(at)}</time></p>
    <div class="said">${reportMarkup(message)}</div>
  </article>`;
