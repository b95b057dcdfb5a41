import type { Choice } from "#check/form-field";
import { nameOrder } from "#base/name-order";
import * as serviceLimits from "#limits/alerts-limits";
import { hearsFailures } from "#service/alerting/hearing";
import type { ChannelRow } from "#service/store/channel-store";
import type { MonitorPlaces } from "#service/store/monitor-change";
import { choicesOf } from "#service/operator/form-fields";
import type { FixedBox } from "#service/operator/forms/shown-form";
import { firstChannels, firstLocations } from "#service/operator/monitors/first-places";
import type { ChannelHearing } from "#service/operator/monitors/notified-note";
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
  /** Of the channels: whether there are any, and which of them are notified of its failures. */
  readonly hearing: ChannelHearing;
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
    hearing: hearingOf(all, free.channels, has.channels),
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

const hearingOf = (
  all: readonly ChannelRow[],
  free: readonly ChannelRow[],
  own: readonly ChannelRow[],
): ChannelHearing => ({
  hasChannel: all.length > 0,
  unticked: untickedNames(all.filter(hearsOf), own),
  withoutFailures: textsOf(free.filter((one) => !hearsOf(one))),
  hasOfFiles: all.some((one) => !isFree(one) && !one.rules.allMonitors && hearsOf(one)),
});

const hearsOf = ({ rules }: Pick<ChannelRow, "rules">): boolean => hearsFailures(rules);

interface NamedChannel {
  readonly name: string;
  readonly owner: string;
  readonly rules: { readonly allMonitors: boolean };
}

/** Channels of all monitors, and those that files gave to this one. */
const untickedNames = (all: readonly NamedChannel[], own: readonly NamedChannel[]): string[] =>
  all
    .filter((one) => one.rules.allMonitors || (own.includes(one) && !isFree(one)))
    .map(({ name }) => name)
    .toSorted(nameOrder);

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
