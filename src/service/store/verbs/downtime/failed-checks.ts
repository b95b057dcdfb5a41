import type { DowntimeSpan } from "#service/store/day-table";
import type { FailedCheck, LastFailure } from "#service/store/place-downtime";
import { beginOf, grainLength, standingOfCheck } from "#service/store/rollup";
import { checkTimes, statusNumber } from "#service/store/verbs/result-rows";
import type { ResultRow } from "#service/store/packing/result-row";
import { tellingResults } from "#service/store/verbs/telling-results";
import type { SeriesKey } from "#service/store/packing/packed-rows";
import type { Sql } from "#service/store/sql";
import * as storeLimits from "#limits/store-limits";
import { after, epochMillis, type Millis, millis } from "#base/units";

type Check = Pick<ResultRow, "slot" | "started" | "status" | "latency" | "attempts" | "asked">;

/** What failed at one location, by the hours that are asked for; each with how long it stood. */
export async function failedChecks(
  sql: Sql,
  series: SeriesKey,
  hours: readonly number[],
  last: LastFailure | null,
): Promise<ReadonlyMap<number, readonly FailedCheck[]>> {
  const failed = new Map<number, FailedCheck[]>();
  for (const { from, to } of joined(hours)) {
    const checks: Check[] = [];
    const walk = { from, to, order: "oldest first", wanted } as const;
    for await (const rows of tellingResults(sql, series, walk))
      for (const { slot, started, status, latency, attempts, asked } of rows)
        checks.push({ slot, started, status, latency, attempts, asked });
    const period = usualGap(checks);
    const standings = checks.map((check) => standingOfCheck(checkTimes(check, period)));
    checks.forEach(({ slot, started, status }, index) => {
      const standing = standings[index];
      if (status !== statusNumber("error") || standing === undefined) return;
      const hour = beginOf("hour", epochMillis(slot));
      const startedAt = slot + started;
      const next = last?.startedAt === startedAt ? last.until : standings[index + 1]?.from;
      const until = Math.min(standing.until, next ?? Infinity);
      const stood = Math.max(1, until - standing.from);
      failed.getOrInsertComputed(hour, () => []).push({ startedAt, stood });
    });
  }
  return failed;
}

const wanted = storeLimits.resultsLookedAtFirst;

/** Between two checks of the schedule; 1 of a single one, which has all of its hour. */
function usualGap(checks: readonly Check[]): Millis {
  const slots = checks.filter(({ asked }) => asked === 0).map(({ slot }) => slot);
  const gaps = slots.slice(1).map((slot, index) => slot - (slots[index] ?? slot));
  return millis(gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 1);
}

/** Hours that follow each other are one walk. */
function joined(begins: readonly number[]): readonly DowntimeSpan[] {
  const ranges: DowntimeSpan[] = [];
  for (const begin of begins.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    const from = last?.to === begin ? last.from : epochMillis(begin);
    if (last?.to === begin) ranges.pop();
    ranges.push({ from, to: after(epochMillis(begin), grainLength.hour) });
  }
  return ranges;
}
