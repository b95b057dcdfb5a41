import type { Choice, FormFields } from "#check/form-field";
import * as limits from "#limits/pages-limits";
import { html, type Html } from "#web/page/html";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { absent } from "#service/edge/call-refusal";
import { choicesOf } from "#service/operator/form-fields";
import type { FormState } from "#service/operator/forms/form-group";
import { submitted } from "#service/operator/forms/form-submission";
import { formView } from "#service/operator/forms/form-view";
import {
  asksForPreviewAlone,
  messagePreview,
  previewAnswer,
  previewButton,
} from "#service/operator/message-preview";
import {
  framed,
  type FormRequest,
  type KnownReader,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  withNotice,
} from "#service/operator/page-request";
import {
  fieldsWith,
  nextTimeHelp,
  maintenanceGroups,
  newWork,
  newWorkGroups,
  typedWork,
} from "#service/operator/planned/maintenance-fields";
import { subscribersOf } from "#service/operator/publishing/subscriber-count";
import type { PageRooms } from "#service/operator/page-rooms";
import { chosenPage, previewedWork } from "#service/operator/planned/work-preview";
import { fromNow } from "#service/operator/planned/work-from-now";
import { withRuleTime } from "#service/operator/planned/rule-time";
import { withNewTimes } from "#service/operator/planned/unsaid-times";
import { isRunning } from "#service/operator/planned/work-under-way";
import { componentField, offeredComponents } from "#service/operator/planned/work-components";
import { keepWork } from "#service/operator/planned/typed-work";
import { monitorChoices } from "#service/operator/planned/published-names";
import { managedNote, refuseManaged } from "#service/operator/managed-note";
import { scriptTag } from "#service/operator/script-tag";
import { chosenZone } from "#service/operator/zones/zoned-page";
import {
  knownField,
  noRemarks,
  remarksView,
  type SaveRemarks,
} from "#service/operator/monitors/before-saving";
import { numberIn } from "#service/operator/whole-number";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { StatusPageRow } from "#service/store/page-store";
import type { EpochMillis } from "#base/units";
import { chosenByLabel, labelChoiceView } from "#service/operator/planned/label-choice";

/**
 * `/maintenances/new`: `?monitor=` is covered by it, on the page that shows it if that is one; `?page=` shows it. Without
 * either, the only page that there is does.
 */
const newPage: OperatorPage = {
  role: "editor",
  path: /^\/maintenances\/new$/,
  answer: async (context, { query, reader }) => {
    const { rooms } = context;
    const monitor = numberIn(query, "monitor");
    const picture = await context.pictures.now();
    const chosen = chosenByLabel(picture, query);
    const monitors = chosen?.monitors ?? (monitor === null ? [] : [monitor]);
    const page = await (monitor === null
      ? (pageIn(rooms, query) ?? soleShowing(rooms, monitors))
      : onlyPageOf(rooms, monitor));
    const typed = newWork({
      monitors,
      page,
      hasReaders: await hasReaders(rooms, page),
      zone: chosenZone(reader) ?? "UTC",
      at: rooms.clock.wall(),
    });
    const lead = labelChoiceView(picture, chosen);
    return shown(context, reader, null, { typed, mistakes: [] }, { lead });
  },
};

/** The status page that an address names; null if it names none. One that is not there is none. */
function pageIn({ store }: PageRooms, query: URLSearchParams): Promise<number | null> | null {
  const named = numberIn(query, "page");
  return named === null ? null : store.pages.pages.get(named).then((row) => row?.id ?? null);
}

/** The one status page that shows a monitor; null if none does, or several. */
async function onlyPageOf({ store }: PageRooms, monitor: number): Promise<number | null> {
  const [first = null, ...others] = await store.pages.pages.idsShowing(monitor);
  return others.length === 0 ? first : null;
}

/** The only status page that there is; null if there are several, or it shows none of these monitors. */
async function soleShowing(
  { store }: PageRooms,
  monitors: readonly number[],
): Promise<number | null> {
  const [first, ...others] = await store.pages.pages.list({ limit: 2, offset: 0 });
  if (first === undefined || others.length > 0) return null;
  if (monitors.length === 0) return first.id;
  const shown = (await store.pages.pages.content(first.id))?.components ?? [];
  const wanted = new Set<number | null>(monitors);
  return shown.some(({ monitor }) => wanted.has(monitor)) ? first.id : null;
}

/** Before a page is chosen, those of any page that is published may wait for it. */
async function hasReaders(rooms: PageRooms, page: number | null): Promise<boolean> {
  const row = page === null ? null : await rooms.store.pages.pages.get(page);
  if (row === null) return (await firstPages(rooms)).some(isPublished);
  return isPublished(row) && (await subscribersOf(rooms, row.id)).confirmed > 0;
}

const isPublished = ({ definition }: StatusPageRow): boolean => definition.published;

const firstPages = (rooms: PageRooms): Promise<readonly StatusPageRow[]> =>
  rooms.statusPages.list(limits.statusPagesOfferedMax, 0);

/** `/maintenances/ID/edit`. */
const editPage: OperatorPage = {
  role: "editor",
  path: /^\/maintenances\/(?<id>\d{1,15})\/edit$/,
  answer: async (context, { id, reader }) => {
    const row = await workAt(context, id);
    const chosen = new URLSearchParams({ page_id: row.page });
    const pages = choicesOfPages(await offeredPages(context.rooms, chosen));
    const typed = typedWork(row, await offeredComponents(context.rooms, pages));
    return shown(context, reader, row, { typed, mistakes: [] });
  },
};

const planForm: OperatorForm = {
  role: "editor",
  path: /^\/maintenances\/new$/,
  act: async (context, request) => acted(context, request, null),
};

const changeForm: OperatorForm = {
  role: "editor",
  path: /^\/maintenances\/(?<id>\d{1,15})\/edit$/,
  act: async (context, request) => acted(context, request, await workAt(context, request.id)),
};

export const maintenanceFormPages: readonly OperatorPage[] = [newPage, editPage];
export const maintenanceFormForms: readonly OperatorForm[] = [planForm, changeForm];

/** Planned work that is there. */
export async function workAt({ rooms }: PageContext, id: string): Promise<MaintenanceRow> {
  const row = await rooms.store.alerts.maintenances.get(Number(id));
  if (row === null) throw absent("maintenance", id, { reason: "MAINTENANCE_NOT_FOUND" });
  return row;
}

async function acted(
  context: PageContext,
  { form, reader }: FormRequest,
  row: MaintenanceRow | null,
): Promise<PageAnswer> {
  const { rooms } = context;
  if (asksForPreviewAlone(form)) return previewAnswer(await previewedWork(rooms, form, row));
  if (form.has(previewButton)) return shown(context, reader, row, { typed: form, mistakes: [] });
  const filled = fromNow(form, rooms.clock.wall());
  if (filled !== null)
    return shown(context, reader, row, { typed: filled, mistakes: [] }, { isFilled: true });
  return submitted(form, {
    fields: fieldsWith([]),
    again: (state, status) => shown(context, reader, row, state, { status }),
    act: async (sent) => {
      const { typed } = withRuleTime(sent);
      if (row !== null) refuseManaged(row);
      const kept = await keepWork(rooms, typed, row);
      if ("remarks" in kept)
        return shown(context, reader, row, { typed, mistakes: [] }, { remarks: kept.remarks });
      const { id, leavesTimesUnsaid } = kept;
      const notice = row === null ? await newNotice(rooms, id) : "changed";
      const path = withNotice(`/maintenances/${id}`, notice);
      return seeOther(leavesTimesUnsaid ? withNewTimes(path) : path);
    },
  });
}

/** New work may begin at once. */
async function newNotice({ clock, store }: PageRooms, id: number) {
  const row = await store.alerts.maintenances.get(id);
  return row !== null && isRunning(row, clock.wall()) ? "under-way" : "planned";
}

interface ShownWork {
  readonly status?: number;
  readonly lead?: Html | null;
  readonly remarks?: SaveRemarks;
  /** Whether a button filled its times, so that a title may be all that it lacks. */
  readonly isFilled?: boolean;
}

async function shown(
  context: PageContext,
  reader: KnownReader,
  row: MaintenanceRow | null,
  state: FormState,
  { status = 200, lead = null, remarks = noRemarks, isFilled = false }: ShownWork = {},
): Promise<PageAnswer> {
  const { rooms } = context;
  const { at } = await context.pictures.now();
  const owner = row?.owner ?? "";
  const heading = row === null ? "Plan maintenance" : `Edit ${row.title}`;
  const preview = await previewedWork(rooms, state.typed, row);
  const helps = helpsOf(row, preview.audience, at);
  const offered = await offeredParts(context, state.typed, helps);
  const form = formView({
    action: row === null ? "/maintenances/new" : `/maintenances/${row.id}/edit`,
    reader,
    fields: offered.fields,
    groups: row === null ? newWorkGroups : maintenanceGroups,
    state,
    choices: offered.choices,
    hidden: remarks.known === "" ? {} : { [knownField]: remarks.known },
    lead: null,
    actions: null,
    extra: owner === "" ? messagePreview(preview) : null,
    isLocked: owner !== "",
    submit: submitWords(row, remarks),
    isNew: row === null,
    ...(isFilled ? { continues: afterTimes(state.typed) } : {}),
    cancel: row === null ? "/maintenances" : `/maintenances/${row.id}`,
  });
  const content = html`<p class="back">
      ${row === null ? html`<a href="/maintenances">Maintenance</a>` : html`<a href="/maintenances/${row.id}">${row.title}</a>`}
    </p>
    <h1 class="page">${heading}</h1>
    ${managedNote(owner)} ${lead} ${remarksView(remarks)} ${form}
    ${row === null ? scriptTag("zone") : null}`;
  const frame = { title: `${heading} · Picket`, section: "maintenance" as const, document: null };
  return framed({ reader }, { ...frame, at, content }, status);
}

/** The fields with the status pages to choose from, and their components; without components, no field asks for them. */
async function offeredParts(
  { rooms, pictures }: PageContext,
  typed: URLSearchParams,
  helps: ReturnType<typeof helpsOf>,
) {
  const offered = await offeredPages(rooms, typed);
  const pages = choicesOfPages(offered);
  const components = await offeredComponents(rooms, pages);
  const areDrafts = offered.length > 0 && !offered.some(isPublished);
  const fields: FormFields = fieldsWith(pages, { ...helps, areDrafts });
  const { [componentField]: _components, ...others } = fields;
  const { monitors, locations } = await pictures.now();
  return {
    fields: components.length === 0 ? others : fields,
    choices: {
      monitor_ids: await monitorChoices(rooms, await chosenPage(rooms, typed), monitors),
      private_location_ids: choicesOf(locations),
      [componentField]: components,
    },
  };
}

const helpsOf = (row: MaintenanceRow | null, audience: string, at: EpochMillis) => ({
  audience,
  begins: row === null ? "" : nextTimeHelp(row, at),
});

/** Where a person continues once the times are filled in: in what is empty still, or at the monitors. */
const afterTimes = (typed: URLSearchParams): string =>
  ["title", "message"].find((name) => (typed.get(name) ?? "").trim() === "") ?? "monitor_ids";

function submitWords(row: MaintenanceRow | null, { known }: SaveRemarks): string {
  if (row === null) return known === "" ? "Schedule maintenance" : "Schedule it anyway";
  return known === "" ? "Save" : "Save anyway";
}

/** The first of all status pages, and the one that is chosen. */
async function offeredPages(
  rooms: PageRooms,
  typed: URLSearchParams,
): Promise<readonly StatusPageRow[]> {
  const pages = await firstPages(rooms);
  const chosen = await chosenPage(rooms, typed);
  const isOffered = chosen === null || pages.some(({ id }) => id === chosen.id);
  return isOffered ? pages : [...pages, chosen];
}

const choicesOfPages = (pages: readonly StatusPageRow[]): readonly Choice[] =>
  pages.map(({ id, definition }): Choice => [String(id), definition.title]);
