import type { Choice } from "#check/form-field";
import * as limits from "#limits/pages-limits";
import { nameOrder } from "#base/name-order";
import * as serviceLimits from "#limits/alerts-limits";
import type { MonitorPlaces } from "#service/store/monitor-change";
import { choicesOf } from "#service/operator/form-fields";
import type { TypedPlaces } from "#service/operator/monitors/typed-monitor";
import type { PageRooms } from "#service/operator/page-rooms";
import type { Picture } from "#service/operator/picture";
import { channelId, integerOf, locationId } from "#service/store/ids";
import type { MonitorRow } from "#service/store/state-store";

/** What there is to choose from in a monitor's form. What files own is assigned by the files. */
interface OfferedPlaces {
  readonly choices: Readonly<
    Record<"locations" | "notifications" | "depends_on", readonly Choice[]>
  >;
  /** What is to be known of the choices. */
  readonly notes: Readonly<Record<string, string>>;
  /** Those of the choices that the monitor has. */
  readonly chosen: TypedPlaces;
  /** What files have assigned, which stays. */
  readonly ofFiles: MonitorPlaces;
}

/** Null: a monitor that is not there yet, which gets what there is only one of. */
export async function offeredPlaces(
  { store }: Pick<PageRooms, "store">,
  { monitors }: Picture,
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
  const chosen =
    row === null
      ? onlyOnes(free)
      : { locations: has.locations.filter(isFree), channels: has.channels.filter(isFree) };
  return {
    choices: {
      locations: choicesOf(free.locations),
      notifications: choicesOf(free.channels),
      depends_on: choicesOf(monitors.filter(({ id }) => id !== row?.id)),
    },
    notes: forAllNote(all.filter(({ rules }) => rules.allMonitors)),
    chosen: {
      locations: chosen.locations.map(({ id }) => String(id)),
      channels: chosen.channels.map(({ id }) => String(id)),
    },
    ofFiles: {
      locations: has.locations.filter((one) => !isFree(one)).map(({ id }) => id),
      channels: has.channels.filter((one) => !isFree(one)).map(({ id }) => id),
    },
  };
}

/** Channels that no one has to tick. */
function forAllNote(channels: readonly { readonly name: string }[]): OfferedPlaces["notes"] {
  if (channels.length === 0) return {};
  const names = channels.map(({ name }) => name).toSorted(nameOrder);
  const shown = names.slice(0, limits.namesShown).join(", ");
  const rest = names.length - limits.namesShown;
  const all = rest > 0 ? `${shown} and ${rest} more` : shown;
  const words =
    names.length === 1 ? "is for all monitors and gets" : "are for all monitors and get";
  return { notifications: `${all} ${words} this one, too, if the rules there let it pass.` };
}

const isFree = ({ owner }: { readonly owner: string }): boolean => owner === "";

const onlyOnes = <L, C>(free: {
  readonly locations: readonly L[];
  readonly channels: readonly C[];
}): { readonly locations: readonly L[]; readonly channels: readonly C[] } => ({
  locations: free.locations.length === 1 ? free.locations : [],
  channels: free.channels.length === 1 ? free.channels : [],
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
