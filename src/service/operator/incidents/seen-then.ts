import type { MonitorSnapshot } from "#service/alerting/snapshot";
import type { LocatedTurn } from "#service/operator/incidents/incident-turns";
import { statusWords } from "#service/operator/status-mark";
import { seenAs } from "#service/monitors/judged-monitor";
import type { EpochMillis } from "#base/units";

/**
 * What each location saw as something happened, e.g. `office: passing`. An event keeps what was known at that instant: a
 * result of a check that began before it may have come after it, and then its line says so rather than contradict the
 * location's own.
 */
export const seenThen = (
  { locations }: Pick<MonitorSnapshot, "locations">,
  turns: readonly LocatedTurn[],
  at: EpochMillis,
): readonly string[] =>
  locations.map(({ id, name, status }) => {
    const turn = turns.findLast((one) => String(one.location) === id && one.at <= at);
    // Of a silent location, results of long ago say nothing.
    const seen = turn === undefined || status === "unknown" ? status : seenAs[turn.status];
    return seen === status
      ? `${name}: ${statusWords[status].toLowerCase()}`
      : `${name}: its ${statusWords[seen].toLowerCase()} result came later`;
  });
