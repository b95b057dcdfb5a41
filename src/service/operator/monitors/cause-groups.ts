import { nameOrder } from "#base/name-order";
import * as limits from "#limits/pages-limits";
import { isOfServer } from "#check/failure";
import { serverOf as targetServer } from "#check/target-server";
import { causeIn } from "#service/alerting/snapshot";
import { wavesOf } from "#service/operator/monitors/cause-waves";
import { pictureStates } from "#service/operator/overview-query";
import {
  type ListedState,
  listedState,
  type PicturedMonitor,
  type PicturedReason,
  type PicturedStatus,
} from "#service/operator/picture";

/** Monitors that fail in the same way, each at a location or by a server that another one fails by, too. In the order of their names. */
export interface CauseGroup {
  readonly kind: "cause";
  readonly reason: PicturedReason;
  /** The most urgent of them, as a list has them. */
  readonly status: ListedState;
  /** All that see one of them fail so, or did since its incident began. */
  readonly places: readonly CausePlace[];
  readonly monitors: readonly PicturedMonitor[];
}

interface CausePlace {
  readonly name: string;
  /** How many of them it is of. */
  readonly failing: number;
}

interface SingleMonitor {
  readonly kind: "monitor";
  readonly monitor: PicturedMonitor;
}

/**
 * What is one row on every page, and is acknowledged by one press: monitors that fail with one code in one phase, by one
 * server or at locations that they share; if servers answer so, by one answer of one server. Which locations see it at one
 * instant does not count: those that change in turn would move a monitor while a person reads. One whose incident waits to close, or
 * flaps, stays in it by how it failed last; what fails later is one with it only as `wavesOf` says. Three are enough, and two of one server. In each state those come before monitors that fail
 * alone; else the order stays.
 */
export function byCause(
  monitors: readonly PicturedMonitor[],
): readonly (CauseGroup | SingleMonitor)[] {
  const groups = causesOf(monitors);
  const grouped = new Set(groups.flatMap((group) => group.monitors));
  const singles = monitors
    .filter((monitor) => !grouped.has(monitor))
    .map((monitor): SingleMonitor => ({ kind: "monitor", monitor }));
  return pictureStates.flatMap((state) => [
    ...groups.filter(({ status }) => status === state),
    ...singles.filter(({ monitor }) => listedState(monitor) === state),
  ]);
}

/** A monitor, how it fails or failed last, and where. */
interface FailingMonitor {
  readonly monitor: PicturedMonitor;
  readonly reason: PicturedReason;
  readonly places: readonly string[];
  /** The address that its failure names, or else the host and port of its target. */
  readonly server: string;
}

function causesOf(monitors: readonly PicturedMonitor[]): readonly CauseGroup[] {
  const addresses = addressesIn(monitors);
  const failing = monitors.flatMap((monitor) => failingMonitor(monitor, addresses));
  const alike = Map.groupBy(failing, wayOf);
  return [...alike.values()].flatMap(connected).flatMap(wavesOf).filter(isGroup).flatMap(causeOf);
}

const isGroup = ([first, ...others]: readonly FailingMonitor[]): boolean =>
  first !== undefined &&
  (others.length + 1 >= limits.causeMonitorsMin ||
    (others.length > 0 && others.every(({ server }) => server !== "" && server === first.server)));

function causeOf(members: readonly FailingMonitor[]): readonly CauseGroup[] {
  // What one fails by now has a sentence; how another failed last has none.
  const { reason } = members.find((one) => one.reason.message !== "") ?? members[0] ?? {};
  if (reason === undefined) return [];
  const monitors = members.map(({ monitor }) => monitor).toSorted(byName);
  const states = new Set(monitors.map(listedState));
  const status = pictureStates.find((state) => states.has(state)) ?? "error";
  return [{ kind: "cause", reason, status, places: placesAmong(members), monitors }];
}

/** Those of most monitors come first. */
const placesAmong = (members: readonly FailingMonitor[]): readonly CausePlace[] =>
  [
    ...Map.groupBy(
      members.flatMap(({ places }) => [...new Set(places)]),
      (name) => name,
    ),
  ]
    .map(([name, { length: failing }]) => ({ name, failing }))
    .toSorted((a, b) => b.failing - a.failing || nameOrder(a.name, b.name));

const byName = (a: PicturedMonitor, b: PicturedMonitor): number =>
  nameOrder(a.name, b.name) || a.id - b.id;

/** None of one that does not fail, or no one knows how. */
function failingMonitor(
  monitor: PicturedMonitor,
  addresses: ReadonlyMap<string, string>,
): readonly FailingMonitor[] {
  const failure = keptFailure(monitor) ?? failureNow(monitor);
  if (failure === null) return [];
  const host = targetServer(monitor.target);
  const server = refusedAddress(monitor.reason?.message ?? "") ?? addresses.get(host) ?? host;
  return [{ monitor, server, ...failure }];
}

type KnownFailure = Pick<FailingMonitor, "reason" | "places">;

function failureNow(monitor: PicturedMonitor): KnownFailure | null {
  const { reason, status } = monitor;
  if (status === "active" || status === "inactive" || reason === null || reason.code === "")
    return null;
  const kept = causeIn(monitor.incident?.cause ?? "");
  const isKept = kept?.code === reason.code && kept.phase === reason.phase;
  const before = isKept ? placesSince(monitor, kept.location) : [];
  return { reason, places: [...new Set([...placesOf(monitor), ...before])] };
}

/** How one failed last that passes again, has no data, or flaps: what it does just now would move it while a person reads. */
function keptFailure(monitor: PicturedMonitor): KnownFailure | null {
  const { incident, reason, status } = monitor;
  if (incident === null || status === "inactive") return null;
  const isNow = incident.flapping === null && (status === "error" || status === "degraded");
  const kept = isNow ? null : causeIn(incident.cause);
  if (kept === null) return null;
  const { location, code, phase, whose } = kept;
  const places = placesSince(monitor, location);
  // As another location sees it, it did not fail so.
  if (places.length === 0) return null;
  const statusCode = whose?.is === "server" ? whose.statusCode : 0;
  const isStill = reason?.code === code && reason.phase === phase;
  return { reason: { code, phase, message: isStill ? reason.message : "", statusCode }, places };
}

/**
 * Where it failed since its incident began: where it failed last, where it fails now, and where it has passed only since
 * then. None if it is seen from another location alone.
 */
function placesSince({ incident, seenBy }: PicturedMonitor, last: number): readonly string[] {
  if (!seenBy.some(({ location }) => location === last)) return [];
  const began = incident?.since ?? null;
  return seenBy
    .filter(
      ({ location, since, stale, status }) =>
        location === last ||
        (!stale &&
          (isBad(status) ||
            (status === "active" && since !== null && began !== null && since > began))),
    )
    .map(({ name }) => name);
}

/** What has to be alike of those of one cause, apart from where they fail. */
const wayOf = (failing: FailingMonitor): string =>
  JSON.stringify([failing.reason.code, failing.reason.phase, culpritOf(failing)]);

/**
 * Whose fault it is, as its incident's cause has it: what a server answers is of its host and port, and of the status. A
 * port where nothing listens says nothing of other servers; what goes wrong on the way may be one thing for many: then
 * it is empty.
 */
function culpritOf({ monitor, reason, server }: FailingMonitor): string {
  const { code, statusCode } = reason;
  if (!isOfServer(code)) return code === "connection_refused" ? server : "";
  const kept = causeIn(monitor.incident?.cause ?? "");
  if (kept?.code === code && kept.whose?.is === "shared") return `by ${kept.whose.what}`;
  return `${targetServer(monitor.target)} ${statusCode}`;
}

/** Parts of those that fail alike: two are in one part if they, or others between them, share a location or a server. */
function connected(alike: readonly FailingMonitor[]): readonly (readonly FailingMonitor[])[] {
  const joined = new Map<string, string>();
  const endOf = (one: string): string => {
    const next = joined.get(one);
    return next === undefined ? one : endOf(next);
  };
  for (const failing of alike) {
    const [first = "", ...others] = sharedBy(failing).map(endOf);
    for (const other of others)
      if (endOf(other) !== endOf(first)) joined.set(endOf(other), endOf(first));
  }
  return [...Map.groupBy(alike, (failing) => endOf(sharedBy(failing)[0] ?? "")).values()];
}

/** Its locations first, of which there are few. */
const sharedBy = ({ places, server }: FailingMonitor): readonly string[] => [
  ...places.map((place) => `at ${place}`),
  ...(server === "" ? [] : [`by ${server}`]),
];

/** The addresses that refuse, by the targets of those whose failure names one: others of a target have its server. */
const addressesIn = (monitors: readonly PicturedMonitor[]): ReadonlyMap<string, string> =>
  new Map(
    monitors.flatMap(({ reason, target }) => {
      const address = refusedAddress(reason?.message ?? "");
      return address === null ? [] : [[targetServer(target), address] as const];
    }),
  );

/** The address in `Connection refused (10.0.0.1:5432)`; null if the sentence has none. */
export const refusedAddress = (sentence: string): string | null =>
  /\(([^()\s]+:\d+)\)/.exec(sentence)?.[1] ?? null;

/** The locations that see a monitor as it is said to be. */
export const placesOf = ({ seenBy, status }: PicturedMonitor): readonly string[] =>
  seenBy
    .filter(
      (one) => !one.stale && (status === "degraded" ? isBad(one.status) : one.status === status),
    )
    .map(({ name }) => name)
    .toSorted();

const isBad = (status: PicturedStatus): boolean => status === "error" || status === "degraded";
