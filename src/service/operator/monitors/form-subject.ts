import type { Mapping } from "#base/json";
import type { Choice } from "#check/form-field";
import type { Mistake } from "#check/findings";
import type { Kind } from "#check/monitor";
import { html, type Html } from "#web/page/html";
import { Refusal, refuseViolations } from "#service/edge/call-refusal";
import { refuseGone } from "#service/operator/gone-choices";
import {
  areKnown,
  beforeSaving,
  namesakeOf,
  type SaveRemarks,
  withLeftOut,
} from "#service/operator/monitors/before-saving";
import { noPlaces, placeField } from "#service/operator/monitors/as-kind";
import { answersToExpect } from "#service/operator/monitors/expected-answer";
import { valuesToExpect } from "#service/operator/failures/expected-value";
import { offeredPlaces } from "#service/operator/monitors/monitor-places";
import { isOpenTarget } from "#service/operator/monitors/monitor-summary";
import { triedNow } from "#service/operator/monitors/trial";
import { durationMistakes, withTimesAgain } from "#service/operator/forms/form-durations";
import { inShownRows, withoutEmptyRows } from "#service/operator/forms/form-rows";
import { monitorFields } from "#service/operator/monitors/fields-of-kinds";
import { withTarget, withTargetFault } from "#service/operator/monitors/target-field";
import {
  inForm,
  monitorIn,
  type TypedMonitor,
  writtenMonitor,
} from "#service/operator/monitors/typed-monitor";
import type { PageContext } from "#service/operator/page-request";
import type { MonitorRow } from "#service/store/state-store";

/** What a form is about: a monitor that is there, or a new one, which may keep the secrets of another. */
export interface Subject {
  readonly row: MonitorRow | null;
  readonly copied: MonitorRow | null;
  /** Where a person continues when it is made; empty: to the monitor. */
  readonly next: string;
}

/** What the form says; `others` are names of monitors that are made with it. What was deleted in another tab is said at its field. */
export async function placedMonitor(
  context: PageContext,
  kind: Kind,
  typed: URLSearchParams,
  subject: Subject,
  others: ReadonlySet<string> = new Set(),
): Promise<TypedMonitor> {
  const { rooms, pictures } = context;
  const { row } = subject;
  const taken = (await takenNames(context, row)).union(others);
  refuseViolations(withTargetFault([], typed, kind));
  const monitor = monitorIn(kind, typed, { saved: savedOf(subject), taken });
  const { choices } = await offeredPlaces(rooms, await pictures.now(), row);
  const idsOf = (all: readonly Choice[] = []) => all.map(([id]) => ({ id }));
  refuseGone("locations", monitor.locations, idsOf(choices["locations"]));
  refuseGone("notifications", monitor.channels, idsOf(choices["notifications"]));
  return monitor;
}

/** What the rules say of a form as it is typed, though no one sent it yet. */
export async function mistakesIn(
  context: PageContext,
  shownKind: Kind,
  typed: URLSearchParams,
  subject: Subject,
): Promise<readonly Mistake[]> {
  const { kind, form } =
    subject.row === null ? withTarget(typed, shownKind) : { kind: shownKind, form: typed };
  const fields = monitorFields(kind);
  const all = withTimesAgain(fields, form);
  const read = withoutEmptyRows(fields, all);
  const taken = await takenNames(context, subject.row);
  try {
    monitorIn(kind, read, { saved: savedOf(subject), taken });
    return [];
  } catch (error) {
    const refusal = inForm(error);
    if (!(refusal instanceof Refusal)) throw error;
    const shown = inShownRows(fields, all, durationMistakes(fields, read, refusal.mistakes));
    return withTargetFault(shown, form, kind);
  }
}

/** The names of all monitors but this one. */
export async function takenNames(
  { pictures }: PageContext,
  row: MonitorRow | null,
): Promise<ReadonlySet<string>> {
  const { monitors } = await pictures.now();
  return new Set(monitors.filter(({ id }) => id !== row?.id).map(({ name }) => name));
}

/** What a person is to read before this monitor is saved; null if that is nothing, or the form says that it was read. */
export async function unreadRemarks(
  { rooms, pictures }: PageContext,
  form: URLSearchParams,
  monitor: TypedMonitor,
  { row }: Subject,
  leftOut: readonly string[],
): Promise<{ readonly typed: URLSearchParams; readonly remarks: SaveRemarks } | null> {
  const picture = await pictures.now();
  const { ofFiles, choices } = await offeredPlaces(rooms, picture, row);
  const before = {
    ofFiles: ofFiles.locations,
    hasChoice: choices.locations.length > 0,
    isKnown: row?.locations.length === 0,
  };
  const namesake = namesakeOf(
    "monitor",
    monitor.definition.name,
    row === null ? null : { id: row.id, name: row.definition.name },
    picture.monitors,
  );
  const remarks = withLeftOut(await beforeSaving(rooms, monitor, before, namesake), leftOut);
  return areKnown(remarks, form) ? null : { typed: form, remarks };
}

/**
 * At the location that a person chose, which is ticked if it was tried there and files do not own it. A form that is fixed
 * takes no answer as a rule.
 */
export async function triedAt(
  { rooms }: PageContext,
  form: URLSearchParams,
  { definition }: TypedMonitor,
  signal: AbortSignal,
  isFixed = false,
): Promise<{ readonly typed: URLSearchParams; readonly tried: Html }> {
  const { id, name, owner } = await rooms.locations.get(form.get(placeField) ?? "");
  const { said, result } = await triedNow(
    rooms,
    { id, name },
    definition,
    openTargets(form),
    signal,
  );
  if (result === null) return { typed: form, tried: said };
  return {
    typed: owner === "" ? withLocation(form, String(id)) : form,
    tried: isFixed
      ? said
      : html`${said} ${answersToExpect(result, form)} ${valuesToExpect(result, definition, form)}`,
  };
}

/** What the form compares headers with, as far as it is seen in it. */
const openTargets = (form: URLSearchParams): readonly string[] =>
  [...form]
    .filter(([field, value]) => headerTarget.test(field) && isOpenTarget(value))
    .map(([, value]) => value);
const headerTarget = /^header_assertions\[\d+\]\.target$/;

/** The form with a location ticked: where a monitor was tried, it is to run, too. */
function withLocation(typed: URLSearchParams, id: string): URLSearchParams {
  if (typed.getAll("locations").includes(id)) return typed;
  const after = new URLSearchParams(typed);
  after.append("locations", id);
  return after;
}

/** What secrets that were left alone keep. */
const savedOf = ({ row, copied }: Subject): Mapping => {
  const before = row ?? copied;
  return before === null ? {} : writtenMonitor(before.definition, noPlaces);
};
