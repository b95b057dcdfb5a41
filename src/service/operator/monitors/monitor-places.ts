import type { Choice } from "#check/form-field";
import { nameOrder } from "#base/name-order";
import * as serviceLimits from "#limits/alerts-limits";
import { type Heard, hears, hearsFailures } from "#service/alerting/hearing";
import type { ChannelRow } from "#service/store/channel-store";
import type { MonitorPlaces } from "#service/store/monitor-change";
import { choicesOf } from "#service/operator/form-fields";
import type { FixedBox } from "#service/operator/forms/shown-form";
import { firstChannels, firstLocations } from "#service/operator/monitors/first-places";
import { labelWords } from "#service/operator/lists/label-words";
import { type ChannelHearing, listed } from "#service/operator/monitors/notified-note";
import { labelsIn } from "#service/operator/monitors/label-keys";
import type { TypedPlaces } from "#service/operator/monitors/typed-monitor";
import type { PageRooms } from "#service/operator/page-rooms";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import { channelId, integerOf, locationId, monitorId } from "#service/store/ids";
import type { MonitorRow } from "#service/store/state-store";

/** What there is to choose from in a monitor's form. What files own is assigned by the files. */
interface OfferedPlaces {
  readonly choices: Readonly<
    Record<"locations" | "notifications" | "depends_on", readonly Choice[]>
  >;
  /** Behind the choices what files own: shown, and assigned by the files alone. */
  readonly fixed: Readonly<Record<"locations" | "notifications", readonly FixedBox[]>>;
  /** Every location: a trial assigns nothing, so files do not mind it. */
  readonly tryable: readonly Choice[];
  /** Of the channels: whether there are any, and which of them are notified of its failures as it is in the form. */
  readonly hearingOf: (monitor: Heard) => ChannelHearing;
  /** Those of the choices that the monitor has. */
  readonly chosen: TypedPlaces;
  /** What files have assigned, which stays. */
  readonly ofFiles: MonitorPlaces;
}

interface OfferedPicture extends Pick<Picture, "locations"> {
  readonly monitors: readonly Pick<PicturedMonitor, "id" | "name" | "owner">[];
}

/** Null: a monitor that is not there yet, which gets what a person would most likely tick. */
export async function offeredPlaces(
  { store }: Pick<PageRooms, "store">,
  { monitors, locations: seen }: OfferedPicture,
  row: MonitorRow | null,
): Promise<OfferedPlaces> {
  const [locations, all] = await Promise.all([
    store.state.locations.all(),
    store.alerts.channels.list({ limit: serviceLimits.serviceChannelsMax, offset: 0 }),
  ]);
  // A channel of all monitors has each of them without being chosen.
  const channels = all.filter(({ rules }) => !rules.allMonitors);
  const free = { locations: locations.filter(isFree), channels: channels.filter(isFree) };
  const has = {
    locations: locations.filter(({ id }) => row?.locations.includes(id) === true),
    channels: channels.filter((one) => row !== null && one.monitors.includes(row.id)),
  };
  const last = row === null ? await lastOfPages(store, monitors) : null;
  const chosen =
    row === null
      ? {
          locations: firstLocations(free.locations, seen, last),
          channels: firstChannels(free.channels, last),
        }
      : { locations: has.locations.filter(isFree), channels: has.channels.filter(isFree) };
  return {
    choices: {
      locations: choicesOf(free.locations),
      notifications: choicesOf(free.channels),
      depends_on: choicesOf(monitors.filter(({ id }) => id !== row?.id)),
    },
    fixed: fixedOf({ locations, channels }, has),
    tryable: choicesOf(locations),
    hearingOf: (monitor) =>
      hearingOf({ all, free: free.channels, own: has.channels, places: locations }, monitor),
    chosen: { locations: textsOf(chosen.locations), channels: textsOf(chosen.channels) },
    ofFiles: {
      locations: has.locations.filter(isOfFiles).map(({ id }) => id),
      channels: has.channels.filter(isOfFiles).map(({ id }) => id),
    },
  };
}

interface OwnedThing {
  readonly id: number;
  readonly name: string;
  readonly owner: string;
}

interface OwnedPlaces {
  readonly locations: readonly OwnedThing[];
  readonly channels: readonly OwnedThing[];
}

const fixedOf = (all: OwnedPlaces, has: OwnedPlaces) => ({
  locations: fixedBoxes(all.locations, has.locations),
  notifications: fixedBoxes(all.channels, has.channels),
});

const fixedBoxes = (all: readonly OwnedThing[], has: readonly OwnedThing[]) =>
  all
    .filter(isOfFiles)
    .toSorted((a, b) => nameOrder(a.name, b.name))
    .map((one): FixedBox => ({
      value: String(one.id),
      words: one.name,
      isTicked: has.includes(one),
    }));

interface HearingPlaces {
  readonly all: readonly ChannelRow[];
  readonly free: readonly ChannelRow[];
  readonly own: readonly ChannelRow[];
  readonly places: readonly OwnedThing[];
}

/** By the rule of the monitor's own page. A channel that only its labels or locations keep away is named with them. */
function hearingOf({ all, free, own, places }: HearingPlaces, monitor: Heard): ChannelHearing {
  const names = (): boolean => true;
  const hearsOf = ({ rules }: ChannelRow): boolean => hears({ rules, names }, "", monitor);
  // Channels of all monitors, and those that files gave to this one.
  const needsNoTick = (one: ChannelRow): boolean =>
    one.rules.allMonitors || (own.includes(one) && !isFree(one));
  const unticked = all.filter((one) => needsNoTick(one) && hearsOf(one));
  return {
    hasChannel: all.length > 0,
    unticked: unticked.map(({ name }) => name).toSorted(nameOrder),
    isOfAll: unticked.every(({ rules }) => rules.allMonitors && conditionOf(rules, places) === ""),
    withoutFailures: textsOf(free.filter((one) => !hearsOf(one))),
    hasOfFiles: all.some((one) => !isFree(one) && !one.rules.allMonitors && hearsOf(one)),
    onlyOf: all
      .filter((one) => needsNoTick(one) || free.includes(one))
      .filter((one) => hearsFailures(one.rules) && !hearsOf(one))
      .toSorted((a, b) => nameOrder(a.name, b.name))
      .map(({ name, rules }) => [name, conditionOf(rules, places)] as const),
  };
}

/** Of which monitors a channel is notified: `with the label team:web at Office`; empty: its rules do not say. */
function conditionOf(
  { labels, locations }: Pick<ChannelRow["rules"], "labels" | "locations">,
  places: readonly OwnedThing[],
): string {
  const pairs = Object.entries(labels).map(([key, value]) => labelWords(key, value));
  const at = locations.map((id) => places.find((one) => one.id === id)?.name ?? `location ${id}`);
  return [
    ...(pairs.length === 0
      ? []
      : [`with the label${pairs.length === 1 ? "" : "s"} ${listed(pairs)}`]),
    ...(at.length === 0 ? [] : [`at ${listed(at, "or")}`]),
  ].join(" ");
}

const textsOf = (all: readonly { readonly id: number }[]): readonly string[] =>
  all.map(({ id }) => String(id));

/** The newest monitor that no file owns; null if there is none. */
async function lastOfPages(
  { state }: PageRooms["store"],
  monitors: OfferedPicture["monitors"],
): Promise<MonitorRow | null> {
  // Not an argument for each: there may be more of them than one call takes.
  const newest = monitors.filter(isFree).reduce((most, { id }) => Math.max(most, id), 0);
  return newest === 0 ? null : state.monitors.get(monitorId(newest));
}

const isOfFiles = (one: { readonly owner: string }): boolean => !isFree(one);
const isFree = ({ owner }: { readonly owner: string }): boolean => owner === "";

/** The labels and the locations that a form has, with those that files have assigned. */
export const heardIn = (typed: URLSearchParams, ofFiles: MonitorPlaces["locations"]): Heard => ({
  labels: labelsIn(typed),
  locations: [...idsIn(typed.getAll("locations")), ...ofFiles],
});

/** What was chosen, with what files have assigned. */
export const placesFrom = (
  { locations, channels }: TypedPlaces,
  ofFiles: MonitorPlaces,
): MonitorPlaces => ({
  locations: [...idsIn(locations).map(locationId), ...ofFiles.locations],
  channels: [...idsIn(channels).map(channelId), ...ofFiles.channels],
});

const idsIn = (texts: readonly string[]): readonly number[] =>
  texts.flatMap((one) => integerOf(one) ?? []);
