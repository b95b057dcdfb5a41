import { failureOf } from "#check/failure";
import { uriOf } from "#check/kinds/kind-table";
import { showUrl } from "#check/target";
import type { Fault, MonitorSnapshot, SharedCause } from "#service/alerting/snapshot";
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

export async function faultOf(
  result: ResultFacts | null,
  detail: ResultWithDetail["detail"],
  location: LocationId,
  places: Places,
): Promise<Fault | null> {
  const failure = result?.failure ?? null;
  if (failure === null) return null;
  const shared = sharedCauseIn(detail);
  const name = await places.nameOf(location);
  const of = await places.monitorsAt(location);
  const place = { id: String(location), name };
  return { location: place, failure, of, ...(shared === null ? {} : { shared }) };
}

/** Null if the agent does not say, or where it is one monitor's alone. */
function sharedCauseIn(detail: ResultWithDetail["detail"]): SharedCause | null {
  const cause = detail === null ? undefined : messageOf(detail.payload)?.detail?.cause;
  if (cause === undefined || cause.affected < 2n || cause.certainty === "possible") return null;
  return { sentence: cause.sentence, affected: Number(cause.affected) };
}

export const monitorFacts = ({
  id,
  definition,
  labels,
}: MonitorRow): MonitorSnapshot["monitor"] => ({
  id: String(id),
  name: definition.name,
  kind: definition.kind,
  target: definition.kind === "http" ? showUrl(definition.url) : uriOf(definition.kind, definition),
  labels,
  description: definition.description,
});
