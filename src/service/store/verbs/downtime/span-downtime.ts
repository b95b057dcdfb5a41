import type { DayDown, DowntimeSpan, SpansQuery } from "#service/store/day-table";
import { locationId } from "#service/store/ids";
import { halfDown } from "#service/store/half-down";
import {
  downsOfDay,
  type FailedCheck,
  type HourDowntime,
  isTouched,
  isWhole,
  type LastFailure,
  type PlaceDowntime,
} from "#service/store/place-downtime";
import { beginOf, grainLength } from "#service/store/rollup";
import { allAmong, integer, type Row, type Sql } from "#service/store/sql";
import * as storeLimits from "#limits/store-limits";
import { failedChecks } from "#service/store/verbs/downtime/failed-checks";
import { rollupTables, rowsOfBuckets } from "#service/store/verbs/rollup-rows";
import { whatIsThere } from "#service/store/verbs/what-is-there";
import { epochMillis, type Millis, millis } from "#base/units";

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
  const places = Map.groupBy(down, locationOf);
  const last = places.size === 0 ? null : await lastFailures(sql, asked, there.condition);
  const failed = await failedIn(sql, { ...asked, spans }, hours, last);
  const downtimes = [...places].map(([location, own]): PlaceDowntime => ({
    days: new Map(own.map((row) => [beginIn(row), integer(row, "down")])),
    last: last?.get(location) ?? null,
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
  last: LastFailures | null,
): Promise<FailedChecks> {
  const parted = hours
    .filter((row) => integer(row, "down") > 0)
    .filter((row) => isParted(spans, beginIn(row), grainLength.hour))
    .toSorted((a, b) => beginIn(b) - beginIn(a))
    .slice(0, storeLimits.downtimeHoursWalked);
  const failed = new Map<string, readonly FailedCheck[]>();
  for (const [location, own] of Map.groupBy(parted, locationOf)) {
    const found = await failedChecks(
      sql,
      { monitor, location: locationId(location) },
      own.map(beginIn),
      last?.get(location) ?? null,
    );
    for (const [hour, checks] of found) failed.set(keyOf(location, hour), checks);
  }
  return failed;
}

type LastFailures = ReadonlyMap<number, LastFailure>;

/** What fails at each location by its newest check: that was counted for a whole period, part of which is ahead. */
async function lastFailures(
  sql: Sql,
  { monitor }: SpansQuery,
  condition: string,
): Promise<LastFailures> {
  const rows = await sql.all(
    `SELECT location, newest_slot, seen_slot, seen_started, stands_until FROM series
     WHERE monitor = ? AND stands_down = 1 AND seen_slot IS NOT NULL AND ${condition}`,
    [monitor],
  );
  return new Map(
    rows.map((row) => [
      locationOf(row),
      {
        slot: integer(row, "newest_slot"),
        startedAt: integer(row, "seen_started"),
        until: integer(row, "stands_until"),
      },
    ]),
  );
}
