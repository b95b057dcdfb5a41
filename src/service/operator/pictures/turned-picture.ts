import { isDeepStrictEqual } from "node:util";
import { monitorPicture } from "#service/operator/monitor-picture";
import { plannedNow } from "#service/operator/planned/work-under-way";
import type { PageRooms } from "#service/operator/page-rooms";
import { openIncidents, reasonsOf } from "#service/operator/pictures/picture-facts";
import { withSilenceIncidents } from "#service/operator/pictures/silence-incidents";
import {
  isSameIncident,
  type Picture,
  type PicturedIncident,
  type PicturedLocation,
  type PicturedMonitor,
  type PicturedStatus,
} from "#service/operator/picture";
import type { KnownMonitors } from "#service/operator/pictures/known-monitors";
import { type LocationId, locationId, type MonitorId, monitorId } from "#service/store/ids";
import type { EpochMillis, Millis } from "#base/units";
import type { BriefLocation } from "#service/agents/locations";
import type { MonitorRow, StateRow } from "#service/store/state-store";

type TurnedRooms = Pick<PageRooms, "store" | "clock" | "locations" | "judging">;

/**
 * What the judge had said when a monitor was read for its turn. Until a wave of verdicts is written, pages are ahead of what it
 * has said: such a monitor is not read again for each look.
 */
const saidThen = new WeakMap<PicturedMonitor, PicturedStatus>();

/**
 * A picture with what the judge has said since, and what was silenced: only the monitors and locations that turned are
 * read again. The same picture if nothing did, so that nothing of it is drawn again.
 */
export async function turnedPicture(
  rooms: TurnedRooms,
  known: Pick<KnownMonitors, "now">,
  picture: Picture,
): Promise<Picture> {
  const { store, clock } = rooms;
  const at = clock.wall();
  const [said, incidents, places, planned] = await Promise.all([
    store.state.states.notActive(),
    openIncidents(store),
    rooms.locations.among(picture.locations.map(({ id }) => locationId(id))),
    plannedNow(store, at),
  ]);
  const placeOf = new Map(places.map((one) => [one.id, one]));
  const silent = turnedLocations(picture, placeOf);
  const turned = picture.monitors.filter((one) => hasTurned(one, { said, incidents, silent }));
  const isAsPlanned = isDeepStrictEqual(planned, picture.planned);
  if (turned.length + silent.size === 0 && isAsPlanned) return picture;
  const renewed = await readAgain(rooms, await known.now(), turned, {
    at,
    said,
    incidents,
    places: placeOf,
  });
  return {
    ...picture,
    at,
    planned,
    monitors: picture.monitors.map((one) => renewed.get(one.id) ?? one),
    locations: await withSilenceIncidents(
      store,
      picture.locations.map((one) => locationNow(one, placeOf)),
    ),
  };
}

interface TurnFacts extends Pick<Verdicts, "said" | "incidents"> {
  readonly at: EpochMillis;
  readonly places: ReadonlyMap<LocationId, BriefLocation>;
}

/** Those of the rows that turned. */
async function readAgain(
  { store, judging }: Pick<TurnedRooms, "store" | "judging">,
  rows: readonly MonitorRow[],
  turned: readonly PicturedMonitor[],
  { at, said, incidents, places }: TurnFacts,
): Promise<ReadonlyMap<number, PicturedMonitor>> {
  const ids = new Set(turned.map(({ id }) => id));
  const judged = await judging.judged(rows.filter(({ id }) => ids.has(id)));
  const reasons = await reasonsOf(store, judged, incidents, at);
  const facts = { ...keptOf(turned), places, incidents };
  return new Map(
    judged.map((one) => {
      const { id } = one.row;
      const monitor = monitorPicture(one, facts, reasons.get(id) ?? null, at);
      saidThen.set(monitor, said.get(id)?.status ?? "active");
      return [id, monitor];
    }),
  );
}

interface Verdicts {
  readonly said: ReadonlyMap<MonitorId, Pick<StateRow, "status">>;
  readonly incidents: ReadonlyMap<number, PicturedIncident>;
  /** Locations that have fallen silent, or are back. */
  readonly silent: ReadonlySet<number>;
}

function hasTurned(monitor: PicturedMonitor, { said, incidents, silent }: Verdicts): boolean {
  const { id, status, incident, seenBy } = monitor;
  const known = incidents.get(id);
  if (!isSameIncident(known ?? null, incident)) return true;
  if (silent.size > 0 && seenBy.some(({ location }) => silent.has(location))) return true;
  const saidNow = said.get(monitorId(id))?.status ?? "active";
  // One that is switched on or off is another change, of which the whole picture is taken again.
  return status !== "inactive" && status !== saidNow && saidThen.get(monitor) !== saidNow;
}

const turnedLocations = (
  { locations }: Picture,
  now: ReadonlyMap<number, BriefLocation>,
): ReadonlySet<number> =>
  new Set(
    locations
      .filter(({ id, state }) => (now.get(id)?.state.status ?? state.status) !== state.status)
      .map(({ id }) => id),
  );

function locationNow(
  known: PicturedLocation,
  now: ReadonlyMap<number, BriefLocation>,
): PicturedLocation {
  const place = now.get(known.id);
  return place === undefined
    ? known
    : { ...known, name: place.name, state: place.state, lastSeenAt: place.lastSeenAt };
}

/** What no verdict changes. */
function keptOf(monitors: readonly PicturedMonitor[]) {
  return {
    unheard: new Set(monitors.filter(({ unheard }) => unheard).map(({ id }) => id)),
    days: new Map(monitors.map(({ id, days }) => [monitorId(id), days] as const)),
    usual: knownOf(monitors, ({ usual }) => usual),
    today: knownOf(monitors, ({ medianToday }) => medianToday),
  };
}

const knownOf = (
  monitors: readonly PicturedMonitor[],
  value: (monitor: PicturedMonitor) => Millis | null,
): ReadonlyMap<MonitorId, Millis> =>
  new Map(
    monitors.flatMap((one) => {
      const is = value(one);
      return is === null ? [] : [[monitorId(one.id), is] as const];
    }),
  );
