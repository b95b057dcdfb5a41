import { html, type Html } from "#web/page/html";
import type { Mapping } from "#base/json";
import { choicesOf } from "#service/operator/form-fields";
import type { LocationArguments, StoredLocation } from "#service/agents/locations";
import type { FormState } from "#service/operator/forms/form-group";
import { typedFor, writtenIn } from "#service/operator/forms/form-reading";
import { submitted } from "#service/operator/forms/form-submission";
import { formView } from "#service/operator/forms/form-view";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { locationFields, locationGroups } from "#service/operator/locations/location-fields";
import { revealingPath } from "#service/operator/locations/token-reveal";
import { changeLocation } from "#service/operator/kept/location-edit";
import { managedNote, refuseManaged } from "#service/operator/managed-note";
import {
  areKnown,
  asRemarks,
  knownField,
  namesakeOf,
  noRemarks,
  remarksView,
  type SaveRemarks,
} from "#service/operator/monitors/before-saving";
import { remarksAt } from "#service/operator/monitors/many-remarks";
import { monitorId } from "#service/store/ids";
import { basisField, basisIn, basisNow } from "#service/operator/changes/basis-field";
import type { Basis } from "#service/store/audit/actor";
import { refuseGone } from "#service/operator/gone-choices";
import {
  backOf,
  framed,
  type KnownReader,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
} from "#service/operator/page-request";
import { stringRecord } from "#service/operator/string-record";

/** `/locations/new`: a form for a location that is not there yet. */
const newPage: OperatorPage = {
  role: "editor",
  path: /^\/locations\/new$/,
  answer: async (context, { query, reader }) =>
    shownNew(context, reader, query.get("next") ?? "", {
      typed: await firstTyped(context),
      mistakes: [],
      remarks: noRemarks,
    }),
};

/** The first location runs all monitors that are there. */
async function firstTyped({ pictures }: PageContext): Promise<URLSearchParams> {
  const { locations, monitors } = await pictures.now();
  const monitorIds = locations.length === 0 ? monitors.map(({ id }) => String(id)) : [];
  return typedFor(locationFields, { monitor_ids: monitorIds });
}

/** Makes it, and leads to the commands that start an agent with its token. */
const makeForm: OperatorForm = {
  role: "editor",
  path: /^\/locations\/new$/,
  act: (context, { form, reader }) => {
    const next = form.get("next") ?? "";
    return submitted(form, {
      fields: locationFields,
      again: (state, status) =>
        shownNew(context, reader, next, { ...state, remarks: noRemarks }, status),
      act: async (typed) => {
        const wanted = await wantedIn(context, typed);
        const { locations } = await context.pictures.now();
        const remarks = asRemarks([], namesakeOf("location", wanted.name, null, locations));
        if (!areKnown(remarks, form))
          return shownNew(context, reader, next, { typed, mistakes: [], remarks });
        const { id } = await context.rooms.locations.create(wanted);
        return seeOther(await revealingPath(context.rooms, reader, id, next));
      },
    });
  },
};

/** `/locations/ID/edit`: the same for one that is there. */
const editPage: OperatorPage = {
  role: "editor",
  path: /^\/locations\/(?<id>\d{1,15})\/edit$/,
  answer: async (context, { id, reader }) => {
    const basis = await basisNow(context.rooms, { kind: "location", id });
    const { name, monitors, metadata } = await context.rooms.locations.get(id);
    const written = { name, monitor_ids: monitors.map(String), metadata };
    const typed = typedFor(locationFields, written);
    return shownEdit(context, reader, id, { typed, mistakes: [], basis, remarks: noRemarks });
  },
};

const changeForm: OperatorForm = {
  role: "editor",
  path: /^\/locations\/(?<id>\d{1,15})\/edit$/,
  act: (context, { id, form, reader }) =>
    submitted(form, {
      fields: locationFields,
      again: (state, status) =>
        shownEdit(
          context,
          reader,
          id,
          { ...state, basis: basisIn(state.typed), remarks: noRemarks },
          status,
        ),
      act: async (typed) => {
        const { locations } = context.rooms;
        const row = await locations.get(id);
        refuseManaged(row);
        const wanted = await wantedIn(context, typed);
        const remarks = await remarksFor(context, row, wanted);
        if (!areKnown(remarks, form)) {
          const state = { typed, mistakes: [], basis: basisIn(typed) };
          return shownEdit(context, reader, id, { ...state, remarks });
        }
        return seeOther(await changeLocation(context, reader, id, wanted));
      },
    }),
};

export const locationFormPages: readonly OperatorPage[] = [newPage, editPage];
export const locationForms: readonly OperatorForm[] = [makeForm, changeForm];

/** What the form says, by the names of the calls. */
async function wantedIn(
  { pictures }: PageContext,
  typed: URLSearchParams,
): Promise<LocationArguments> {
  const written: Mapping = writtenIn(locationFields, typed, {});
  const { name = "", metadata } = written;
  const monitorIds = typed.getAll("monitor_ids");
  refuseGone("monitor_ids", monitorIds, (await pictures.now()).monitors);
  return { name: String(name), monitorIds, metadata: stringRecord(metadata) };
}

/** What its agents will not run of what is chosen in addition, and whether another one has its new name. */
async function remarksFor(
  { rooms, pictures }: PageContext,
  row: StoredLocation,
  { name, monitorIds }: LocationArguments,
): Promise<SaveRemarks> {
  const rows = await rooms.monitors.among(monitorIds.map((one) => monitorId(Number(one))));
  const { remarks } = await remarksAt(rooms, row.id, rows);
  return asRemarks(remarks, namesakeOf("location", name, row, (await pictures.now()).locations));
}

interface NewState extends FormState {
  readonly remarks: SaveRemarks;
}

async function shownNew(
  context: PageContext,
  reader: KnownReader,
  next: string,
  { remarks, ...state }: NewState,
  status = 200,
): Promise<PageAnswer> {
  const back = backOf(next, { path: "/locations", words: "Locations" });
  const view = formView({
    ...(await formOf(context, reader, state)),
    action: "/locations/new",
    isNew: true,
    hidden: {
      ...(next === "" ? {} : { next }),
      ...(remarks.known === "" ? {} : { [knownField]: remarks.known }),
    },
    submit: remarks.known === "" ? "Create location" : "Create it anyway",
    plainly: "Create location",
    cancel: back.path,
  });
  const content = html`<p class="back"><a href="${back.path}">${back.words}</a></p>
    <h1 class="page">New location</h1>
    <p class="words">
      A location is a network that your own agent is in. The next page has the commands that start
      the agent.
    </p>
    ${remarksView(remarks)} ${view}`;
  return drawn(context, reader, "New location", content, status);
}

interface ShownEdit extends FormState {
  readonly basis: Basis | null;
  readonly remarks: SaveRemarks;
}

async function shownEdit(
  context: PageContext,
  reader: KnownReader,
  id: string,
  { basis, remarks, ...state }: ShownEdit,
  status = 200,
): Promise<PageAnswer> {
  const { name, owner } = await context.rooms.locations.get(id);
  const view = formView({
    ...(await formOf(context, reader, state, owner)),
    lead: basis === null ? null : basisField(basis),
    action: `/locations/${id}/edit`,
    hidden: remarks.known === "" ? {} : { [knownField]: remarks.known },
    submit: remarks.known === "" ? "Save" : "Save anyway",
    plainly: "Save",
    cancel: `/locations/${id}`,
  });
  const content = html`<p class="back"><a href="/locations/${id}">${name}</a></p>
    <h1 class="page">Change ${name}</h1>
    ${managedNote(owner)} ${remarksView(remarks)} ${view}`;
  return drawn(context, reader, `Change ${name}`, content, status);
}

/** What a file owns is shown, and changed there. */
const formOf = async (
  { pictures }: PageContext,
  reader: KnownReader,
  state: FormState,
  owner = "",
) => ({
  reader,
  state,
  fields: locationFields,
  groups: locationGroups,
  choices: { monitor_ids: choicesOf((await pictures.now()).monitors) },
  lead: null,
  extra: null,
  actions: null,
  isLocked: owner !== "",
});

const drawn = (
  { rooms }: PageContext,
  reader: KnownReader,
  title: string,
  content: Html,
  status: number,
): PageAnswer =>
  framed(
    { reader },
    {
      title: `${title} · Picket`,
      section: "agents",
      document: null,
      at: rooms.clock.wall(),
      content,
    },
    status,
  );
