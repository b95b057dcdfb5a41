import { column, type FormField, type FormFields } from "#check/form-field";
import { dayAndTime, isoTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { momentOf } from "#web/page/moment";
import { addMaintenanceUpdate } from "#service/api/maintenance-update-calls";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { doneNotice, noticeLine } from "#service/operator/form-notice";
import { type FormGroup, type FormState, openGroup } from "#service/operator/forms/form-group";
import { typedFor } from "#service/operator/forms/form-reading";
import { submitted } from "#service/operator/forms/form-submission";
import { formView } from "#service/operator/forms/form-view";
import { previewButton } from "#service/operator/message-preview";
import {
  framed,
  type KnownReader,
  mayChange,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  withNotice,
} from "#service/operator/page-request";
import { workAt } from "#service/operator/planned/maintenance-form-answers";
import { plannedStory, type PlannedStory } from "#service/operator/planned/planned-story";
import { removalForms, removalPages } from "#service/operator/planned/update-removal";
import { updatePreview } from "#service/operator/planned/update-preview";
import {
  isSentAtFirst,
  notifyField,
  notifyLabel,
  sentSentence,
} from "#service/operator/publishing/sent-news";
import { type Audience, audienceOf } from "#service/operator/publishing/subscriber-count";
import {
  chosenLine,
  noTemplates,
  type OfferedTemplates,
  offeredTemplates,
  templateChoice,
} from "#service/operator/publishing/templates/template-choice";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { MaintenanceUpdate } from "#service/store/maintenance-update-store";
import type { FilledIn } from "#service/status-page/page-facts";
import type { EpochMillis } from "#base/units";
import { filledOf, filledText, skippedFills } from "#service/status-site/view/filled-message";
import { wordsIn } from "#service/status-site/view/words";
import { reportMarkup } from "#service/status-site/view/report-markup";

const path = /^\/maintenances\/(?<id>\d{1,15})\/updates$/;

/** `/maintenances/ID/updates`: what was said of planned work, and a form that says more, e.g. that it takes longer. */
const updatesPage: OperatorPage = {
  role: "responder",
  path,
  answer: async (context, { id, reader, query }) => {
    const { page } = await workAt(context, id);
    const templates = await offeredTemplates(
      context.rooms,
      page === "" ? null : Number(page),
      "maintenance",
      query,
    );
    const typed = await typedAs(context, id, query.get("fill"));
    if (templates.chosen !== null) typed.set("message", templates.chosen.message);
    return shown(context, reader, id, {
      state: { typed, mistakes: [] },
      isPublished: query.get("notice") === "published",
      status: 200,
      templates,
    });
  },
};

const updateForm: OperatorForm = {
  role: "responder",
  path,
  act: (context, { id, reader, form }) => {
    const again = (state: FormState, status: number): Promise<PageAnswer> =>
      shown(context, reader, id, { state, isPublished: false, status });
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

/** `?fill=over`, `?fill=begun`, `?fill=later`, `?fill=times` and `?fill=skipped.1796763600000` are filled in with what says so, in the language of the page. */
async function typedAs(
  { rooms: { clock, store } }: PageContext,
  id: string,
  fill: string | null,
): Promise<URLSearchParams> {
  const row = await store.alerts.maintenances.get(Number(id));
  const page =
    row === null || row.page === "" ? null : await store.pages.pages.get(Number(row.page));
  if (row === null || page === null) return new URLSearchParams();
  const tallies = await store.readers.letters.tallies({ kind: "maintenance", about: [row.id] });
  const words = wordsIn(page.definition.defaultLocale);
  const filled = filledBy(fill ?? "", row, clock.wall());
  const message = filled === null ? "" : filledText(filled, words, row.timeZone);
  const notify = isSentAtFirst({ is: "further", wasSent: tallies.length > 0 });
  return typedFor(fields, { message, notify });
}

function filledBy(fill: string, row: MaintenanceRow, at: EpochMillis): FilledIn | null {
  const [, skipped] = /^skipped\.(\d{1,15})$/.exec(fill) ?? [];
  if (skipped !== undefined)
    return (
      skippedFills(row).find(
        (one) => one.is === "skipped" && one.window.from === Number(skipped),
      ) ?? null
    );
  if (fill === "over") return { is: fill };
  return fill === "times" || fill === "begun" || fill === "later" ? filledOf(row, fill, at) : null;
}

export const updatePages: readonly OperatorPage[] = [updatesPage, ...removalPages];
export const updateForms: readonly OperatorForm[] = [updateForm, ...removalForms];

const fields: FormFields<"message" | "notify"> = {
  message: {
    ...column("Message", { is: "long", lines: 5 }, "Markdown. It is dated now."),
    group: "what",
  },
  notify: { ...column(notifyLabel, { is: "flag" }), group: "says" },
};

/** Of work that is on no page. */
const unshown: FormField = {
  ...column(notifyLabel, { is: "flag", isLocked: true }, "No status page shows it."),
  group: "says",
};

const groups: readonly FormGroup[] = [
  openGroup("what", "Say what is new"),
  openGroup("says", "Who gets it"),
];

interface ShownUpdates {
  readonly state: FormState;
  /** Whether one was published just now. */
  readonly isPublished: boolean;
  readonly status: number;
  /** What it can begin with; left out once it is sent. */
  readonly templates?: OfferedTemplates;
}

async function shown(
  context: PageContext,
  reader: KnownReader,
  id: string,
  { state, isPublished, status, templates = noTemplates }: ShownUpdates,
): Promise<PageAnswer> {
  const { clock } = context.rooms;
  const now = clock.wall();
  const story = await plannedStory(context.rooms, await workAt(context, id), now);
  const { row, updates, page, components } = story;
  const concerned = components.map((one) => one.id);
  const audience = page === null ? null : await audienceOf(context.rooms, page.id, concerned);
  const notice = isPublished ? publishedWords(story, audience) : null;
  const content = html`<p class="back"><a href="/maintenances/${row.id}">${row.title}</a></p>
    <h1 class="page">Updates of ${row.title}</h1>
    ${noticeLine(doneNotice(notice))}
    ${templateChoice(`/maintenances/${row.id}/updates`, templates)} ${chosenLine(templates)}
    ${formOf({ story, audience, state, reader, now })}
    <section aria-labelledby="updates">
      <h2 id="updates">Updates</h2>
      ${updates.length === 0 ? html`<p class="advice">Nothing was said yet.</p>` : updateLines(row, updates, reader)}
    </section>`;
  const frame = { section: "maintenance", document: null, at: now } as const;
  return framed(
    { reader },
    { ...frame, title: `Updates of ${row.title} · Picket`, content },
    status,
  );
}

interface UpdateForm {
  readonly story: PlannedStory;
  /** Whom it reaches if it is sent; null: no status page shows it. */
  readonly audience: Audience | null;
  readonly state: FormState;
  readonly reader: KnownReader;
  readonly now: EpochMillis;
}

function formOf({ story, audience, state, reader, now }: UpdateForm): Html {
  const { id } = story.row;
  const { typed } = state;
  const { page } = story;
  const notify = page === null || audience === null ? unshown : notifyField(page, audience);
  return formView({
    action: `/maintenances/${id}/updates`,
    reader,
    fields: { ...fields, notify },
    groups,
    state,
    choices: {},
    hidden: {},
    lead: null,
    isLocked: false,
    isNew: true,
    submit: "Publish the update",
    cancel: `/maintenances/${id}`,
    extra: updatePreview({ ...story, typed, audience: notify.help, now }),
    actions: null,
  });
}

/** The letters of an update were written with it. */
function publishedWords(
  { page, updates: [newest], announcements }: PlannedStory,
  audience: Audience | null,
): string {
  const tally = announcements.tallies.find(({ at }) => at === newest?.createdAt) ?? null;
  return `The update is published. ${sentSentence({ page, tally, audience })}`;
}

/** What was said of planned work, the newest first. */
export const updateLines = (
  row: Pick<MaintenanceRow, "id" | "page">,
  updates: readonly MaintenanceUpdate[],
  reader: KnownReader,
): readonly Html[] => updates.map((update) => updateView(row, update, reader));

const updateView = (
  { id: work, page }: Pick<MaintenanceRow, "id" | "page">,
  { id, at, message }: MaintenanceUpdate,
  reader: KnownReader,
): Html => {
  const which = html`<span class="unseen">: the update of ${momentOf(at)}</span>`;
  const template = `/status-pages/${page}/templates/new?update=${id}`;
  return html`<article class="change">
    <p><time datetime="${isoTime(at)}">${dayAndTime(at)}</time></p>
    <div class="said">${reportMarkup(message)}</div>
    ${
      mayChange(reader)
        ? html`<div class="acts">
            ${page === "" ? null : html`<a class="button small" href="${template}">Save as a template${which}</a>`}
            <a class="button small" href="/maintenances/${work}/updates/${id}/remove"
              >Remove${which}</a
            >
          </div>`
        : null
    }
  </article>`;
};
