import type { Mapping } from "#base/json";
import type { Choice } from "#check/form-field";
import type { Kind } from "#check/monitor";
import type { Html } from "#web/page/html";
import { refuseGone } from "#service/operator/gone-choices";
import { areKnown, beforeSaving, type SaveRemarks } from "#service/operator/monitors/before-saving";
import { noPlaces } from "#service/operator/monitors/as-kind";
import { formButtons } from "#service/operator/monitors/monitor-form-view";
import { offeredPlaces } from "#service/operator/monitors/monitor-places";
import { triedNow } from "#service/operator/monitors/trial";
import {
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

/** What the form says. What was deleted in another tab is said at its field. */
export async function placedMonitor(
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
): Promise<{ readonly typed: URLSearchParams; readonly remarks: SaveRemarks } | null> {
  const { ofFiles, choices } = await offeredPlaces(rooms, await pictures.now(), row);
  const remarks = await beforeSaving(rooms, monitor, {
    ofFiles: ofFiles.locations,
    hasChoice: choices.locations.length > 0,
    isKnown: row?.locations.length === 0,
  });
  return areKnown(remarks, form) ? null : { typed: form, remarks };
}

/** At the location that a person chose, which is ticked if it was tried there. */
export async function triedAt(
  { rooms }: PageContext,
  form: URLSearchParams,
  { definition }: TypedMonitor,
  signal: AbortSignal,
): Promise<{ readonly typed: URLSearchParams; readonly tried: Html }> {
  const { id, name } = await rooms.locations.get(form.get(formButtons.place) ?? "");
  const { said, isTried } = await triedNow(rooms, { id, name }, definition, signal);
  return { typed: isTried ? withLocation(form, String(id)) : form, tried: said };
}

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
