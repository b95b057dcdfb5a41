import { causeScopes, isTargetsOwn } from "#check/cause";
import { failureOf, isOfServer } from "#check/failure";
import { serverOf } from "#check/target-server";
import type { CheckCause } from "#contract/private_location/v1/private_location_pb";
import { uriOf } from "#check/kinds/kind-table";
import { assignedMonitor } from "#check/read-monitor";
import { shownTarget } from "#check/shown-target";
import { showUrl } from "#check/target";
import type { Culprit, Fault, MonitorSnapshot, SharedCause } from "#service/alerting/snapshot";
import type { ResultFacts, Sight } from "#service/notify/event-facts";
import { seenAs, type JudgedMonitor } from "#service/monitors/judged-monitor";
import { counts } from "#service/monitors/judge";
import { rhythmOf } from "#service/monitors/view";
import type { ResultWithDetail } from "#service/store/result-store";
import type { MonitorRow } from "#service/store/state-store";
import type { LocationId } from "#service/store/ids";
import { type EpochMillis, millis } from "#base/units";
import { messageOf } from "#wire/report";

/** What locations are called, and how many active monitors each has. */
export interface Places {
  nameOf(location: LocationId): Promise<string>;
  monitorsAt(location: LocationId): Promise<number>;
}

/** Every location that runs a monitor, and what it sees now. */
export async function sightsOf(
  { row, views }: JudgedMonitor,
  places: Places,
  now: EpochMillis,
): Promise<readonly Sight[]> {
  const rhythm = rhythmOf(row.definition);
  const seen = new Map(views.map((view) => [view.location, view]));
  return Promise.all(
    row.locations.map(async (location): Promise<Sight> => {
      const view = seen.get(location);
      const isFresh = view !== undefined && counts(view, rhythm, now);
      const name = await places.nameOf(location);
      return { id: String(location), name, status: isFresh ? seenAs[view.status] : "unknown" };
    }),
  );
}

/** What a message says of a result. */
export function seenResult(
  { startedAt, latency, statusCode, attempts, failure, detail }: ResultWithDetail,
  { definition }: MonitorRow,
): ResultFacts {
  const message = detail?.message ?? "";
  return {
    startedAt,
    latency,
    threshold: definition.degradedAt === null ? null : millis(definition.degradedAt),
    statusCode: statusCode === 0 ? null : statusCode,
    attempts,
    failure: failure === null ? null : failureOf(failure.code, failure.phase, message),
  };
}

/** How a monitor fails at a location, by the result that says so. */
export async function faultOf(
  row: MonitorRow,
  found: ResultWithDetail | null,
  location: LocationId,
  places: Places,
): Promise<Fault | null> {
  const failure = found === null ? null : seenResult(found, row).failure;
  if (found === null || failure === null) return null;
  const cause = sureCauseIn(found.detail);
  const shared = sharedCauseOf(cause);
  const whose = culpritOf(row, found, cause);
  return {
    location: { id: String(location), name: await places.nameOf(location) },
    failure,
    of: await places.monitorsAt(location),
    ...(shared === null ? {} : { shared }),
    ...(whose === null ? {} : { whose }),
  };
}

/** What the agent says that others fail by, too; null if it does not say so, or is not sure. */
function sureCauseIn(detail: ResultWithDetail["detail"]): CheckCause | null {
  const cause = detail === null ? undefined : messageOf(detail.payload)?.detail?.cause;
  return cause === undefined || cause.affected < 2n || cause.certainty === "possible"
    ? null
    : cause;
}

const sharedCauseOf = (cause: CheckCause | null): SharedCause | null =>
  cause === null ? null : { sentence: cause.sentence, affected: Number(cause.affected) };

/** What a server answered is its own, unless the agent finds what is in front of it, or what signed for it and others. */
function culpritOf(
  { definition }: Pick<MonitorRow, "definition">,
  { failure, statusCode }: Pick<ResultWithDetail, "failure" | "statusCode">,
  cause: CheckCause | null,
): Culprit | null {
  if (failure === null || !isOfServer(failure.code)) return null;
  const scope = causeScopes.find((one) => one === cause?.scope);
  if (cause !== null && scope !== undefined && (!isTargetsOwn(scope) || scope === "authority"))
    return { is: "shared", what: `${scope} ${cause.subject}`.slice(0, culpritCharsMax) };
  const server = serverOf(targetIn(definition)).slice(0, culpritCharsMax);
  return { is: "server", server, statusCode };
}

/** A name of DNS has no more; it is a part of each incident's cause. */
const culpritCharsMax = 300;

const targetIn = (definition: MonitorRow["definition"]): string =>
  definition.kind === "http" ? showUrl(definition.url) : uriOf(definition.kind, definition);

export function monitorFacts({ id, definition, labels }: MonitorRow): MonitorSnapshot["monitor"] {
  const { monitor } = assignedMonitor(String(id), definition);
  return {
    id: String(id),
    name: definition.name,
    kind: definition.kind,
    target: targetIn(definition),
    ...(monitor === null ? {} : { shownTarget: shownTarget(monitor) }),
    labels,
    description: definition.description,
  };
}
