import { withMade } from "#service/operator/first-start/made-notice";
import type { Kind } from "#check/monitor";
import type { MonitorDefinition } from "#check/definition";
import { freeName } from "#base/free-name";
import * as limits from "#limits/check-limits";
import type { Html } from "#web/page/html";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { refuseManaged } from "#service/operator/managed-note";
import type { FormState } from "#service/operator/forms/form-group";
import { submitted, withLeft } from "#service/operator/forms/form-submission";
import {
  formButtons,
  type MonitorFormPage,
  monitorFormView,
} from "#service/operator/monitors/monitor-form-view";
import { runningAt } from "#service/operator/monitors/first-places";
import { noRemarks, type SaveRemarks } from "#service/operator/monitors/before-saving";
import { monitorFields } from "#service/operator/monitors/fields-of-kinds";
import { askedWithoutValues } from "#service/operator/monitors/expected-answer";
import { heardIn, offeredPlaces, placesFrom } from "#service/operator/monitors/monitor-places";
import { measuredLatency } from "#service/operator/monitors/measured-latency";
import { monitorSummary } from "#service/operator/monitors/monitor-summary";
import { placeNotes } from "#service/operator/monitors/files-note";
import { notifiedSentence } from "#service/operator/monitors/notified-note";
import {
  placedMonitor,
  type Subject,
  takenNames,
  triedAt,
  unreadRemarks,
} from "#service/operator/monitors/form-subject";
import { newDefinition, placeField } from "#service/operator/monitors/as-kind";
import {
  type FillNote,
  nothingFilled,
  withOneLine,
  withPaste,
} from "#service/operator/monitors/target-field";
import { kindIn } from "#service/operator/monitors/kind-switch";
import { faulted, readForm, refilledForm } from "#service/operator/monitors/refilled-form";
import { keepEdit, savedPath } from "#service/operator/kept/edit-undo";
import { arePlacesNew, monitorBefore } from "#service/operator/kept/monitor-edit";
import { savedWord } from "#service/operator/monitors/one-switch";
import { pastedMonitor } from "#service/operator/pasted/pasted-monitor";
import { severalTargets } from "#service/operator/pasted/several-targets";
import { submitWords } from "#service/operator/pasted/several-offer";
import { severalMonitors, severalOf } from "#service/operator/pasted/several-monitors";
import {
  inForm,
  type TypedMonitor,
  typedMonitorFor,
} from "#service/operator/monitors/typed-monitor";
import type { MonitorRow } from "#service/store/state-store";
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

const nothing: Subject = { row: null, copied: null, next: "" };

/** `/monitors/new`: an empty form; `?kind=` says of which kind, and `?paste=` and `?name=` fill it. */
const newPage: OperatorPage = {
  role: "editor",
  path: /^\/monitors\/new$/,
  answer: async (context, { query, reader }) => {
    const paste = (query.get("paste") ?? "").trim();
    const isRead = pastedMonitor(paste) !== null || severalTargets(paste) !== null;
    const subject = { ...nothing, next: query.get("next") ?? "" };
    const definition = newDefinition(kindIn(query.get("kind")));
    const named = { ...definition, name: query.get("name") ?? definition.name };
    return opened(context, reader, subject, named, isRead ? paste : "");
  },
};

/** `/monitors/ID/copy`: the form for a new one that is like another. */
const copyPage: OperatorPage = {
  role: "editor",
  path: /^\/monitors\/(?<id>\d{1,15})\/copy$/,
  answer: async (context, { id, reader }) => {
    const copied = await context.rooms.monitors.get(id);
    const taken = await takenNames(context, null);
    const name = freeName(`${copied.definition.name} (copy)`, taken, limits.nameCharsMax);
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
      if (next !== "") return seeOther(withMade(wantedPath(next), definition));
      const { kind } = definition;
      const made = kindIn(request.form.get("kind")) === kind ? "made" : `made-${kind}`;
      return seeOther(withNotice(`/monitors/${id}?range=1h`, made));
    });
  },
};

const changeForm: OperatorForm = {
  role: "editor",
  path: /^\/monitors\/(?<id>\d{1,15})\/edit$/,
  act: async (context, request) => {
    const { rooms, pictures } = context;
    const edited = { kind: "monitor", id: request.id } as const;
    const basis = { ...edited, version: await rooms.store.audit.version(edited) };
    const row = await rooms.monitors.get(request.id);
    if (row.owner !== "" && request.form.has(formButtons.try))
      return triedAsSaved(context, request, row);
    refuseManaged(row);
    return acted(context, request, { ...nothing, row }, async ({ definition, ...places }) => {
      const { chosen, ofFiles } = await offeredPlaces(rooms, await pictures.now(), row);
      const at = placesFrom(places, ofFiles);
      await rooms.monitors.update(request.id, definition, "management", at);
      const before = monitorBefore(row, placesFrom(chosen, ofFiles), at);
      const edit = { ...basis, before };
      const undo = await keepEdit(context, request.reader, edit, arePlacesNew(before));
      return seeOther(savedPath(basis, savedWord(row, definition.active), undo));
    });
  },
};

export const monitorFormPages: readonly OperatorPage[] = [newPage, copyPage, editPage];
export const monitorFormForms: readonly OperatorForm[] = [makeForm, changeForm];

/** The form as it is opened. */
async function opened(
  context: PageContext,
  reader: KnownReader,
  subject: Subject,
  definition: MonitorDefinition,
  paste = "",
): Promise<PageAnswer> {
  const { row, copied } = subject;
  const picture = await context.pictures.now();
  const { chosen } = await offeredPlaces(context.rooms, picture, row ?? copied);
  const saved = typedMonitorFor(definition, chosen);
  const { kind, form, filled } = withPaste(saved, definition.kind, paste);
  const said = { subject, kind, ...nothingSaid, filled };
  return shown(context, reader, said, { typed: form, mistakes: [] });
}

/** What files own is tried as they say it: nothing of it is changed by that. */
async function triedAsSaved(
  context: PageContext,
  { reader, form, signal }: FormRequest,
  row: MonitorRow,
): Promise<PageAnswer> {
  const { definition } = row;
  const { chosen } = await offeredPlaces(context.rooms, await context.pictures.now(), row);
  const typed = typedMonitorFor(definition, chosen);
  typed.set(placeField, form.get(placeField) ?? "");
  const { tried } = await triedAt(context, typed, { definition, ...chosen }, signal, true);
  const said = { ...nothingSaid, subject: { ...nothing, row }, kind: definition.kind, tried };
  return shown(context, reader, said, { typed, mistakes: [] });
}

/** Which form is shown, and what is said of it. */
interface ShownForm {
  readonly subject: Subject;
  readonly kind: Kind;
  readonly filled: FillNote;
  readonly tried: Html | null;
  /** What is to be read before it is saved. */
  readonly remarks: SaveRemarks;
}

const nothingSaid = { filled: nothingFilled, tried: null, remarks: noRemarks };

async function shown(
  context: PageContext,
  reader: KnownReader,
  form: ShownForm,
  posted: FormState,
  status = 200,
): Promise<PageAnswer> {
  const { row } = form.subject;
  const monitor = row === null ? null : { id: row.id, name: row.definition.name };
  const frame = {
    title: `${monitor === null ? "New monitor" : `Edit ${monitor.name}`} · Picket`,
    section: "monitors" as const,
    document: null,
    at: context.rooms.clock.wall(),
    content: monitorFormView({ ...(await factsOf(context, form, posted)), monitor, reader }),
  };
  return framed({ reader }, frame, status);
}

/** What a form shows of what was typed: what is wrong with it, what there is to choose, and what it makes. */
async function factsOf(
  context: PageContext,
  { subject, ...said }: ShownForm,
  posted: FormState,
): Promise<Omit<MonitorFormPage, "monitor" | "reader">> {
  const { rooms, pictures } = context;
  const { row, copied, next } = subject;
  const { kind } = said;
  const picture = await pictures.now();
  const { choices, fixed, tryable, hearingOf, ofFiles } = await offeredPlaces(rooms, picture, row);
  const { several, wrong } = await severalOf(context, kind, posted.typed, subject);
  const state = withLeft(posted, wrong, monitorFields(kind));
  const { typed } = state;
  const ticked = typed.getAll("notifications");
  const hearing = hearingOf(heardIn(typed, ofFiles.locations));
  const heard = { ...hearing, choices: choices.notifications, ticked };
  const places = { locations: choices.locations, fixed: fixed.locations };
  const owner = row?.owner ?? "";
  const notified = notifiedSentence(heard);
  const button = row === null ? submitWords({ ...said, monitor: null, several }) : "";
  return {
    ...said,
    copied: copied?.id ?? null,
    next,
    owner,
    state,
    choices,
    fixed,
    tryable,
    several,
    running: runningAt(picture.locations),
    measured: await measuredLatency(context, row),
    lacked: { location: tryable.length === 0, channel: !hearing.hasChannel },
    notes: placeNotes(owner, { choices, fixed }, heard),
    summary: monitorSummary({ kind, typed, ...places, notified, wrong, button }),
  };
}

/** Another kind, what was pasted, rows, or the act itself, by the button that was pressed. */
async function acted(
  context: PageContext,
  request: FormRequest,
  subject: Subject,
  save: (monitor: TypedMonitor) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const { reader, signal } = request;
  const show = (to: Kind, state: FormState, status: number, said: Partial<ShownForm> = {}) =>
    shown(context, reader, { subject, kind: to, ...nothingSaid, ...said }, state, status);
  const before = subject.row?.definition.kind ?? kindIn(request.form.get("kind"));
  const sent = withOneLine(request.form, before);
  const several = await severalMonitors(context, request, { form: sent, kind: before, subject });
  if (several?.is === "made") return several.answer;
  if (several?.is === "shown") return show(before, ...several.answer);
  const refilled = await refilledForm(context, sent, before, subject);
  if (refilled !== null) return show(refilled.kind, ...refilled.answer);
  const { form, kind, filled } = readForm(sent, before, subject);
  return submitted(form, {
    fields: monitorFields(kind),
    again: (state, status) => show(kind, faulted(state, kind), status, { filled }),
    act: async (typed) => {
      try {
        const isTrial = form.has(formButtons.try);
        const asked = isTrial ? askedWithoutValues(kind, typed) : typed;
        const monitor = await placedMonitor(context, kind, asked, subject);
        const after = isTrial
          ? await triedAt(context, typed, monitor, signal)
          : await unreadRemarks(context, typed, monitor, subject, filled.leftOut);
        if (after === null) return await save(monitor);
        const { typed: shownForm, ...said } = after;
        return await show(kind, { typed: shownForm, mistakes: [] }, 200, { ...said, filled });
      } catch (error) {
        throw inForm(error);
      }
    },
  });
}
