import type { DayDown, DowntimeSpan, SpansQuery } from "#service/store/day-table";
import { halfDown } from "#service/store/half-down";
import {
  downsOfDay,
  type FailedCheck,
  type HourDowntime,
  isTouched,
  isWhole,
  type PlaceDowntime,
} from "#service/store/place-downtime";
import { beginOf, grainLength } from "#service/store/rollup";
import { allAmong, integer, type Row, type Sql } from "#service/store/sql";
import * as storeLimits from "#limits/store-limits";
import { statusNumber } from "#service/store/verbs/result-rows";
import { rollupTables, rowsOfBuckets } from "#service/store/verbs/rollup-rows";
import { tellingResults } from "#service/store/verbs/telling-results";
import { whatIsThere } from "#service/store/verbs/what-is-there";
import { after, epochMillis, type Millis, millis } from "#base/units";

/**
 * How long a monitor was down in each stretch, for each day that has some of it: half of its locations, as `day-rows.ts`
 * has it of whole days. Hours are read of days at the ends of a stretch, and results of hours at the ends.
 */
export async function downtimesOf(
  sql: Sql,
  asked: SpansQuery,
): Promise<readonly (readonly DayDown[])[]> {
  const spans = asked.spans.filter(({ from, to }) => from < to);
  const there = await whatIsThere(sql, [asked.monitor]);
  if (spans.length === 0 || there.monitors.length === 0) return asked.spans.map(() => []);
  const days = await daysOf(sql, { ...asked, spans }, there.condition);
  const down = days.filter((row) => integer(row, "down") > 0);
  const hours = await hoursOf(sql, { ...asked, spans }, there.condition, down);
  const failed = await failedIn(sql, { ...asked, spans }, hours);
  const places = Map.groupBy(down, locationOf);
  const downtimes = [...places].map(([location, own]): PlaceDowntime => ({
    days: new Map(own.map((row) => [beginIn(row), integer(row, "down")])),
    hours: new Map(
      hours
        .filter((row) => locationOf(row) === location)
        .map((row) => [beginIn(row), hourOf(row, failed)]),
    ),
  }));
  const downs = [...Map.groupBy(days, beginIn)].map(([day, own]) => ({
    begin: epochMillis(day),
    each: downsOn(day, own.length, downtimes, asked.spans),
  }));
  return asked.spans.map((_, index) =>
    downs
      .map(({ begin, each }) => ({ begin, down: each[index] ?? millis(0) }))
      .filter(({ down }) => down > 0),
  );
}

const locationOf = (row: Row): number => integer(row, "location");
const beginIn = (row: Row): number => integer(row, "bucket");

/** Of one day, which has so many locations: for each stretch. */
function downsOn(
  day: number,
  count: number,
  places: readonly PlaceDowntime[],
  spans: readonly DowntimeSpan[],
): readonly Millis[] {
  const seen = places.map((place) => downsOfDay(place, day, spans));
  return spans.map((_, index) => {
    const downs = seen.map((one) => Math.round(one[index] ?? 0));
    return halfDown(
      count,
      downs.filter((down) => down > 0),
    );
  });
}

async function daysOf(
  sql: Sql,
  { monitor, spans }: SpansQuery,
  condition: string,
): Promise<readonly Row[]> {
  const from = Math.min(...spans.map((span) => span.from)) - storeLimits.startedAfterSlotMax;
  const to = epochMillis(Math.max(...spans.map((span) => span.to)));
  const range = { grain: "day", monitors: [monitor], from: beginOf("day", epochMillis(from)), to };
  const rows = await rowsOfBuckets(
    sql,
    { ...range, grain: "day" },
    {
      select: `SELECT location, bucket, down FROM ${rollupTables.day}`,
      rest: ` AND ${condition}`,
    },
  );
  return rows.filter((row) => spans.some((span) => isTouched(span, beginIn(row), grainLength.day)));
}

/** Those with downtime, of days that had some and of which a stretch has only a part. */
async function hoursOf(
  sql: Sql,
  { monitor, spans }: SpansQuery,
  condition: string,
  days: readonly Row[],
): Promise<readonly Row[]> {
  const parted = new Set(days.map(beginIn)).values();
  const begins = parted
    .filter((day) => isParted(spans, day, grainLength.day))
    .flatMap((day) => Array.from({ length: 24 }, (_, hour) => day + hour * grainLength.hour));
  return allAmong(
    sql,
    `SELECT location, bucket, down, error FROM ${rollupTables.hour}
     WHERE monitor = ? AND bucket IN (*) AND ${condition}`,
    [monitor],
    [...begins],
  );
}

const isParted = (spans: readonly DowntimeSpan[], begin: number, length: number): boolean =>
  spans.some((span) => isTouched(span, begin, length) && !isWhole(span, begin, length));

/** By location and hour. */
type FailedChecks = ReadonlyMap<string, readonly FailedCheck[]>;

const keyOf = (location: number, hour: number): string => `${location} ${hour}`;

const hourOf = (row: Row, failed: FailedChecks): HourDowntime => ({
  down: integer(row, "down"),
  errors: integer(row, "error"),
  failed: failed.get(keyOf(locationOf(row), beginIn(row))) ?? [],
});

/** What failed in hours of which a stretch has only a part, the newest first: of very many, the others are not read. */
async function failedIn(
  sql: Sql,
  { monitor, spans }: SpansQuery,
  hours: readonly Row[],
): Promise<FailedChecks> {
  const parted = hours
    .filter((row) => integer(row, "down") > 0)
    .filter((row) => isParted(spans, beginIn(row), grainLength.hour))
    .toSorted((a, b) => beginIn(b) - beginIn(a))
    .slice(0, storeLimits.downtimeHoursWalked);
  const failed = new Map<string, FailedCheck[]>();
  for (const [location, own] of Map.groupBy(parted, locationOf)) {
    for (const { from, to } of joined(own.map(beginIn))) {
      const walk = { from, to, order: "oldest first", wanted } as const;
      for await (const rows of tellingResults(sql, { monitor, location }, walk))
        for (const { slot, started, status, asked } of rows) {
          if (status !== statusNumber("error")) continue;
          const key = keyOf(location, beginOf("hour", epochMillis(slot)));
          const check = { startedAt: slot + started, isAsked: asked === 1 };
          failed.getOrInsertComputed(key, () => []).push(check);
        }
    }
  }
  return failed;
}

const wanted = storeLimits.resultsLookedAtFirst;

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
