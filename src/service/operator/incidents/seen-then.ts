import { capital } from "#base/text";
import { counted } from "#web/page/format";
import type { MonitorStatus } from "#check/monitor-status";
import type { MonitorSnapshot } from "#service/alerting/snapshot";
import type { LocatedTurn } from "#service/operator/incidents/incident-turns";
import { placeList } from "#service/operator/lists/place-list";
import { statusWords } from "#service/operator/status-mark";
import { seenAs } from "#service/monitors/judged-monitor";
import type { EpochMillis } from "#base/units";

/** What one location saw, if its own line says the same; else what that says, which came after the event. */
interface SeenPlace {
  readonly name: string;
  readonly status: MonitorStatus;
  readonly isLate: boolean;
}

/**
 * What locations saw as something happened, e.g. `Failed at lab only; office passed`, without its dot; empty if none is
 * known. An event keeps what was known at that instant: a result of a check that began before it may have come after it, and
 * then the sentence says so rather than contradict the location's own line.
 */
export function seenThen(
  { locations }: Pick<MonitorSnapshot, "locations">,
  turns: readonly LocatedTurn[],
  at: EpochMillis,
): string {
  const places = locations.map(({ id, name, status }): SeenPlace => {
    const turn = turns.findLast((one) => String(one.location) === id && one.at <= at);
    // Of a silent location, results of long ago say nothing.
    const seen = turn === undefined || status === "unknown" ? status : seenAs[turn.status];
    return { name, status: seen, isLate: seen !== status };
  });
  const inTime = places.filter(({ isLate }) => !isLate);
  const [first, ...rest] = order.flatMap((status) => {
    const names = inTime.filter((one) => one.status === status).map(({ name }) => name);
    return names.length === 0 ? [] : [{ status, names }];
  });
  const late = places.filter(({ isLate }) => isLate).map(lateWords);
  const isKnown = late.length === 0;
  const said = first === undefined ? [] : [firstWords(first, isKnown ? places.length : 0)];
  const all = [...said, ...rest.map(restWords), ...late].join("; ");
  return capital(all);
}

/** The worst comes first: it is why the incident is there. */
const order: readonly MonitorStatus[] = ["error", "degraded", "active", "unknown"];

interface AlikePlaces {
  readonly status: MonitorStatus;
  readonly names: readonly string[];
}

/** `failed at lab only`, `failed at lab and attic`, or `failed at all 3 locations: …`; without that if `all` is 0. */
function firstWords({ status, names }: AlikePlaces, all: number): string {
  const list = placeList(names);
  const of = status === "unknown" ? "from" : "at";
  if (names.length > 1 && names.length === all)
    return `${deeds[status]} ${of} ${all === 2 ? "both locations" : `all ${all} locations`}: ${list}`;
  const isAlone = isTrouble(status) && names.length === 1 && all > 1;
  return `${deeds[status]} ${of} ${list}${isAlone ? " only" : ""}`;
}

const isTrouble = (status: MonitorStatus): boolean => status === "error" || status === "degraded";

const deeds: { readonly [S in MonitorStatus]: string } = {
  error: "failed",
  degraded: "degraded",
  active: "passed",
  unknown: "no data",
};

function restWords({ status, names }: AlikePlaces): string {
  const list = placeList(names);
  if (status === "unknown") return `no data from ${list}`;
  if (status !== "degraded") return `${list} ${deeds[status]}`;
  return `${list} ${names.length === 1 ? "was" : "were"} degraded`;
}

const lateWords = ({ name, status }: SeenPlace): string =>
  `a ${statusWords[status].toLowerCase()} result of ${name} came later`;

/** `5 failed checks and 2 slow ones`. */
export function badChecksWords({ failedChecks: failed, figures }: MonitorSnapshot): string {
  const slow = figures?.slowChecks ?? 0;
  if (failed === 0) return slow === 0 ? "" : counted(slow, "slow check");
  if (slow === 0) return counted(failed, "failed check");
  return `${counted(failed, "failed check")} and ${slow} slow`;
}
