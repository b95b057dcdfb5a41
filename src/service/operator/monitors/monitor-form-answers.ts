import { type Kind, kinds } from "#check/monitor";
import type { MonitorDefinition } from "#check/definition";
import type { Mapping } from "#base/json";
import type { Html } from "#web/page/html";
import type { Choice } from "#check/form-field";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { refuseGone } from "#service/operator/gone-choices";
import { refuseManaged } from "#service/operator/managed-note";
import type { FormState } from "#service/operator/forms/form-group";
import { submitted } from "#service/operator/forms/form-submission";
import { formButtons, monitorFormView } from "#service/operator/monitors/monitor-form-view";
import {
  areKnown,
  beforeSaving,
  noRemarks,
  type SaveRemarks,
} from "#service/operator/monitors/before-saving";
import { monitorFields } from "#service/operator/monitors/fields-of-kinds";
import { offeredPlaces, placesFrom } from "#service/operator/monitors/monitor-places";
import { triedNow } from "#service/operator/monitors/trial";
import { asKind, newDefinition, noPlaces } from "#service/operator/monitors/as-kind";
import { withPastedAlone } from "#service/operator/monitors/pasted-alone";
import {
  type PastedMonitor,
  pastedMonitor,
  withPasted,
} from "#service/operator/monitors/pasted-monitor";
import {
  freeName,
  inForm,
  monitorIn,
  type TypedMonitor,
  typedMonitorFor,
  writtenMonitor,
} from "#service/operator/monitors/typed-monitor";
import {
  framed,
  type FormRequest,
  type KnownReader,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  wantedPath,
  withNotice,
} from "#service/operator/page-request";
import type { MonitorRow } from "#service/store/state-store";

/** What a form is about: a monitor that is there, or a new one, which may keep the secrets of another. */
interface Subject {
  readonly row: MonitorRow | null;
  readonly copied: MonitorRow | null;
  /** Where a person continues when it is made; empty: to the monitor. */
  readonly next: string;
}

const nothing: Subject = { row: null, copied: null, next: "" };

/** `/monitors/new`: an empty form; `?kind=` says of which kind, and `?paste=` and `?name=` fill it. */
const newPage: OperatorPage = {
  role: "editor",
  path: /^\/monitors\/new$/,
  answer: async (context, { query, reader }) => {
    const pasted = pastedMonitor(query.get("paste") ?? "");
    const subject = { ...nothing, next: query.get("next") ?? "" };
    const definition = newDefinition(pasted?.kind ?? kindIn(query.get("kind")));
    const named = { ...definition, name: query.get("name") ?? definition.name };
    return opened(context, reader, subject, named, pasted);
  },
};

/** `/monitors/ID/copy`: the form for a new one that is like another. */
const copyPage: OperatorPage = {
  role: "editor",
  path: /^\/monitors\/(?<id>\d{1,15})\/copy$/,
  answer: async (context, { id, reader }) => {
    const copied = await context.rooms.monitors.get(id);
    const taken = await takenNames(context, null);
    const name = freeName(`${copied.definition.name} (copy)`, taken);
    const definition = { ...copied.definition, name };
    return opened(context, reader, { ...nothing, copied }, definition);
  },
};

/** `/monitors/ID/edit`: the form that changes one. */
const editPage: OperatorPage = {
  role: "editor",
  path: /^\/monitors\/(?<id>\d{1,15})\/edit$/,
  answer: async (context, { id, reader }) => {
    const row = await context.rooms.monitors.get(id);
    return opened(context, reader, { ...nothing, row }, row.definition);
  },
};

const makeForm: OperatorForm = {
  role: "editor",
  path: /^\/monitors\/new$/,
  act: async (context, request) => {
    const copied = request.form.get("copied");
    const next = request.form.get("next") ?? "";
    const subject = {
      row: null,
      copied: copied === null ? null : await context.rooms.monitors.get(copied),
      next,
    };
    return acted(context, request, subject, async ({ definition, ...places }) => {
      const at = placesFrom(places, { locations: [], channels: [] });
      const { id } = await context.rooms.monitors.create(definition, "management", at);
      if (next !== "") return seeOther(wantedPath(next));
      return seeOther(withNotice(`/monitors/${id}?range=1h`, "made"));
    });
  },
};

const changeForm: OperatorForm = {
  role: "editor",
  path: /^\/monitors\/(?<id>\d{1,15})\/edit$/,
  act: async (context, request) => {
    const { rooms, pictures } = context;
    const row = await rooms.monitors.get(request.id);
    refuseManaged(row);
    return acted(context, request, { ...nothing, row }, async ({ definition, ...places }) => {
      const { ofFiles } = await offeredPlaces(rooms, await pictures.now(), row);
      const at = placesFrom(places, ofFiles);
      await rooms.monitors.update(request.id, definition, "management", at);
      return seeOther(withNotice(`/monitors/${row.id}`, "saved"));
    });
  },
};

export const monitorFormPages: readonly OperatorPage[] = [newPage, copyPage, editPage];
export const monitorFormForms: readonly OperatorForm[] = [makeForm, changeForm];

const kindIn = (text: string | null): Kind => kinds.find((one) => one === text) ?? "http";

/** The form as it is opened. */
async function opened(
  context: PageContext,
  reader: KnownReader,
  subject: Subject,
  definition: MonitorDefinition,
  pasted: PastedMonitor | null = null,
): Promise<PageAnswer> {
  const { row, copied } = subject;
  const picture = await context.pictures.now();
  const { chosen } = await offeredPlaces(context.rooms, picture, row ?? copied);
  const saved = typedMonitorFor(definition, chosen);
  const typed = pasted === null ? saved : withPasted(saved, pasted);
  return shown(
    context,
    reader,
    { subject, kind: definition.kind, ...nothingSaid },
    { typed, mistakes: [] },
  );
}

/** Which form is shown, and what is said of what was pasted. */
interface ShownForm {
  readonly subject: Subject;
  readonly kind: Kind;
  readonly pasted: string;
  readonly tried: Html | null;
  /** What is to be read before it is saved. */
  readonly remarks: SaveRemarks;
}

const nothingSaid = { pasted: "", tried: null, remarks: noRemarks };

async function shown(
  { rooms, pictures }: PageContext,
  reader: KnownReader,
  { subject: { row, copied, next }, kind, pasted, tried, remarks }: ShownForm,
  state: FormState,
  status = 200,
): Promise<PageAnswer> {
  const { choices, notes } = await offeredPlaces(rooms, await pictures.now(), row);
  const monitor = row === null ? null : { id: row.id, name: row.definition.name };
  const frame = {
    title: `${monitor === null ? "New monitor" : `Edit ${monitor.name}`} · Picket`,
    section: "monitors" as const,
    document: null,
    at: rooms.clock.wall(),
    content: monitorFormView({
      kind,
      monitor,
      copied: copied?.id ?? null,
      next,
      owner: row?.owner ?? "",
      state,
      choices,
      notes,
      reader,
      pasted,
      tried,
      remarks,
    }),
  };
  return framed({ reader }, frame, status);
}

/** Another kind, what was pasted, rows, or the act itself, by the button that was pressed. */
async function acted(
  context: PageContext,
  request: FormRequest,
  subject: Subject,
  save: (monitor: TypedMonitor) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const { reader, signal } = request;
  const { form, kind, isNoTarget } = withPastedAlone(
    request.form,
    subject.row?.definition.kind ?? kindIn(request.form.get("kind")),
  );
  const show = (to: Kind, state: FormState, status: number, said: Partial<ShownForm> = {}) =>
    shown(context, reader, { subject, kind: to, ...nothingSaid, ...said }, state, status);
  const to = form.get(formButtons.kind);
  if (to !== null)
    return show(kindIn(to), { typed: asKind(kindIn(to), kind, form), mistakes: [] }, 200);
  if (form.has(formButtons.fill)) {
    const pasted = pastedMonitor(form.get(formButtons.paste) ?? "");
    if (pasted === null)
      return show(kind, { typed: form, mistakes: [] }, 422, { pasted: notPasted });
    const typed = withPasted(asKind(pasted.kind, kind, form), pasted);
    return show(pasted.kind, { typed, mistakes: [] }, 200);
  }
  return submitted(form, {
    fields: monitorFields(kind),
    again: (state, status) => show(kind, state, status, isNoTarget ? { pasted: notPasted } : {}),
    act: async (typed) => {
      try {
        const monitor = await placedMonitor(context, kind, typed, subject);
        const said = form.has(formButtons.try)
          ? { tried: await triedAt(context, form, monitor, signal) }
          : await unreadRemarks(context, form, monitor, subject);
        if (said === null) return await save(monitor);
        return await show(kind, { typed, mistakes: [] }, 200, said);
      } catch (error) {
        throw inForm(error);
      }
    },
  });
}

/** What the form says. What was deleted in another tab is said at its field. */
async function placedMonitor(
  context: PageContext,
  kind: Kind,
  typed: URLSearchParams,
  subject: Subject,
): Promise<TypedMonitor> {
  const { rooms, pictures } = context;
  const { row } = subject;
  const taken = await takenNames(context, row);
  const monitor = monitorIn(kind, typed, { saved: savedOf(subject), taken });
  const { choices } = await offeredPlaces(rooms, await pictures.now(), row);
  const idsOf = (all: readonly Choice[] = []) => all.map(([id]) => ({ id }));
  refuseGone("locations", monitor.locations, idsOf(choices["locations"]));
  refuseGone("notifications", monitor.channels, idsOf(choices["notifications"]));
  return monitor;
}

/** The names of all monitors but this one. */
async function takenNames(
  { pictures }: PageContext,
  row: MonitorRow | null,
): Promise<ReadonlySet<string>> {
  const { monitors } = await pictures.now();
  return new Set(monitors.filter(({ id }) => id !== row?.id).map(({ name }) => name));
}

/** What a person is to read before this monitor is saved; null if that is nothing, or the form says that it was read. */
async function unreadRemarks(
  { rooms, pictures }: PageContext,
  form: URLSearchParams,
  monitor: TypedMonitor,
  { row }: Subject,
): Promise<Pick<ShownForm, "remarks"> | null> {
  const { ofFiles } = await offeredPlaces(rooms, await pictures.now(), row);
  const remarks = await beforeSaving(rooms, monitor, ofFiles.locations);
  return areKnown(remarks, form) ? null : { remarks };
}

/** At the location that a person chose. */
async function triedAt(
  { rooms }: PageContext,
  form: URLSearchParams,
  { definition }: TypedMonitor,
  signal: AbortSignal,
): Promise<Html> {
  const { id, name } = await rooms.locations.get(form.get(formButtons.place) ?? "");
  return triedNow(rooms, { id, name }, definition, signal);
}

/** What secrets that were left alone keep. */
const savedOf = ({ row, copied }: Subject): Mapping => {
  const before = row ?? copied;
  return before === null ? {} : writtenMonitor(before.definition, noPlaces);
};

const notPasted = "This cannot be checked: paste a URL, host:port, a name or a curl command.";
