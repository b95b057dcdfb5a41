import {
  type SumAndBefore,
  type DayDown,
  dayColumns,
  type DaysSum,
  type DayTable,
} from "#service/store/day-table";
import { type MonitorId, monitorId } from "#service/store/ids";
import type { DaysQuery, SumsQuery } from "#service/store/result-store";
import { halfDown } from "#service/store/half-down";
import { allAmong, integer, type Row, type Sql, text } from "#service/store/sql";
import { type WhatIsThere, whatIsThere } from "#service/store/verbs/what-is-there";
import { rollupTables, rowsOfBuckets } from "#service/store/verbs/rollup-rows";
import { beginOf, type Overlap } from "#service/store/rollup";
import { overlapAt } from "#service/store/standing-result";
import { type EpochMillis, epochMillis, hours, millis } from "#base/units";

/** Days of monitors as numbers: histograms, the most of a row, are not read. */
export async function daysOf(sql: Sql, asked: DaysQuery): Promise<DayTable> {
  const there = await whatIsThere(sql, asked.monitors);
  // PostgreSQL is asked for each day by itself, and would be twice.
  const found =
    sql.words.engine === "postgres"
      ? await lookedUp(sql, there, asked, eachDay)
      : await byPlaces(sql, there, asked, { ofOne: eachDayOfOne, ofSeveral: eachDay });
  const counted = await upTo(sql, found, there, asked.to);
  const rows = counted.toSorted(
    (a, b) =>
      integer(a, "begin") - integer(b, "begin") || integer(a, "monitor") - integer(b, "monitor"),
  );
  const existed = await existenceOf(sql, rows, asked.to);
  const table = new Float64Array(rows.length * dayColumns.length);
  rows.forEach((row, index) => {
    const longest = existed(row);
    dayColumns.forEach((column, offset) => {
      const value = column === "down" ? downOf(row) : integer(row, column);
      const isTime = column === "down" || column === "known";
      table[index * dayColumns.length + offset] = isTime ? Math.min(value, longest) : value;
    });
  });
  return table;
}

/**
 * The same added up, and the days before them apart: one statement looks up both. Days that ended, without downtime, are
 * added up where they are read: to hand over the thirty thousand days of a thousand monitors takes as long as to read them.
 */
export async function sumsOf(
  sql: Sql,
  asked: SumsQuery,
): Promise<ReadonlyMap<MonitorId, SumAndBefore>> {
  const { since, from, to } = asked;
  const there = await whatIsThere(sql, asked.monitors);
  const ended = beginOf("day", to);
  const today = { from: epochMillis(Math.max(since, ended)), to };
  const rows = [
    ...(await byPlaces(
      sql,
      there,
      { from: since, to: ended },
      { ofOne: endedDaysOfOne(from), ofSeveral: endedDays(from) },
    )),
    ...(await upTo(sql, await lookedUp(sql, there, today, eachDay), there, to)),
  ];
  const existed = await existenceOf(sql, rows, to);
  const sums = new Map<MonitorId, SumAndBefore>();
  for (const row of rows) {
    const monitor = monitorId(integer(row, "monitor"));
    const known = sums.get(monitor) ?? { ...nothing, before: nothing, downDays: [] };
    const begin = integer(row, "begin");
    const longest = begin === addedUp || begin === addedUpBefore ? Infinity : existed(row);
    const isBefore = begin === addedUpBefore || (begin !== addedUp && begin < from);
    const sum = withRow(isBefore ? known.before : known, row, longest);
    const now = { ...sum, downDays: [...known.downDays, ...downDay(row, longest)] };
    sums.set(monitor, isBefore ? { ...known, before: sum } : { ...now, before: known.before });
  }
  return sums;
}

const nothing: DaysSum = { known: millis(0), down: millis(0), checks: 0 };

const withRow = ({ known, down, checks }: DaysSum, row: Row, longest: number): DaysSum => ({
  known: millis(known + Math.min(integer(row, "known"), longest)),
  down: millis(down + Math.min(downOf(row), longest)),
  checks: checks + integer(row, "checks"),
});

/** Days without downtime may be several in a row. */
function downDay(row: Row, longest: number): readonly DayDown[] {
  const down = millis(Math.min(downOf(row), longest));
  return down > 0 ? [{ begin: epochMillis(integer(row, "begin")), down }] : [];
}

/**
 * The same without what is ahead: the newest result of a location was counted for a whole period, which it has stood for only
 * up to now. That is so of the day of now, of monitors that were down on it: of all others, uptime is 100 % either way.
 */
async function upTo(
  sql: Sql,
  rows: readonly Row[],
  there: WhatIsThere,
  now: EpochMillis,
): Promise<readonly Row[]> {
  const today = beginOf("day", now);
  const isOpen = (row: Row): boolean => wasDown(row) && integer(row, "begin") === today;
  const down = rows.filter(isOpen).map((row) => monitorId(integer(row, "monitor")));
  const ahead = await aheadOf(sql, down, now);
  if (ahead.size === 0) return rows;
  const monitors = down.filter((monitor) => ahead.has(monitor));
  const places = await lookedUp(sql, { ...there, monitors }, { from: today, to: now }, eachPlace);
  const byMonitor = Map.groupBy(places, (row) => monitorId(integer(row, "monitor")));
  return rows.map((row) => {
    const monitor = monitorId(integer(row, "monitor"));
    const own = isOpen(row) ? (ahead.get(monitor) ?? null) : null;
    return own === null ? row : { ...row, ...withoutAhead(byMonitor.get(monitor) ?? [], own) };
  });
}

/** What each location of a monitor counted for a time after now. */
type Ahead = ReadonlyMap<number, Overlap>;

async function aheadOf(
  sql: Sql,
  monitors: readonly MonitorId[],
  now: EpochMillis,
): Promise<ReadonlyMap<MonitorId, Ahead>> {
  const rows = await allAmong(
    sql,
    `SELECT monitor, location, newest_slot, stands_until, stands_down FROM series
     WHERE stands_until > ? AND newest_slot >= ? AND monitor IN (*)`,
    [now, beginOf("day", now)],
    monitors,
  );
  const ahead = new Map<MonitorId, Map<number, Overlap>>();
  for (const row of rows) {
    const standing = {
      slot: epochMillis(integer(row, "newest_slot")),
      until: epochMillis(integer(row, "stands_until")),
      isDown: integer(row, "stands_down") === 1,
    };
    const own = ahead.getOrInsertComputed(monitorId(integer(row, "monitor")), () => new Map());
    for (const one of overlapAt(standing, now)) own.set(integer(row, "location"), one);
  }
  return ahead;
}

/** In the columns of a day. */
function withoutAhead(places: readonly Row[], ahead: Ahead): Row {
  const left = places.map((row) => {
    const { known = 0, down = 0 } = ahead.get(integer(row, "location")) ?? {};
    return { known: integer(row, "known") - known, down: integer(row, "down") - down };
  });
  return {
    known: Math.max(0, ...left.map(({ known }) => known)),
    downs: left.flatMap(({ down }) => (down > 0 ? [down] : [])).join(" "),
  };
}

/**
 * How long a monitor can have been seen on a day. A result stands for a whole period, which reaches beyond the end of what
 * is asked for: a monitor that is three minutes old was down for no more than these. Creation counts on days with downtime alone.
 */
async function existenceOf(
  sql: Sql,
  rows: readonly Row[],
  to: EpochMillis,
): Promise<(row: Row) => number> {
  const down = rows.filter(wasDown).map((row) => integer(row, "monitor"));
  const select = "SELECT id, created_at FROM monitors WHERE id IN (*)";
  const made = await allAmong(sql, select, [], down);
  const createdAt = new Map(made.map((row) => [integer(row, "id"), integer(row, "created_at")]));
  return (row) => {
    const begin = integer(row, "begin");
    const end = Math.min(begin + dayLength, to);
    const created = (wasDown(row) ? createdAt.get(integer(row, "monitor")) : null) ?? begin;
    return end - (created < end ? Math.max(begin, created) : begin);
  };
}

const wasDown = (row: Row): boolean => text(row, "downs") !== "";
const dayLength = hours(24);

/** Most days of most monitors had no downtime at any location: only what had some is written out. */
const columns = `monitor, bucket AS begin, MAX(known) AS known, COUNT(known) AS places,
  COALESCE(STRING_AGG(CAST(down AS TEXT), ' ') FILTER (WHERE down > 0), '') AS downs,
  SUM(success + degraded + error) AS checks, SUM(degraded) AS slow, SUM(error) AS errors`;

const eachDay: DayRows = {
  select: `SELECT ${columns} FROM ${rollupTables.day}`,
  rest: "GROUP BY bucket, monitor",
};

/** The same of monitors with one location. */
const eachDayOfOne: DayRows = {
  select: `SELECT monitor, bucket AS begin, known, 1 AS places,
    CASE WHEN down > 0 THEN CAST(down AS TEXT) ELSE '' END AS downs,
    success + degraded + error AS checks, degraded AS slow, error AS errors FROM ${rollupTables.day}`,
  rest: "",
};

/** Each location apart. */
const eachPlace: DayRows = {
  select: `SELECT monitor, location, known, down FROM ${rollupTables.day}`,
  rest: "",
};

/** In the place of the begin of a day: the row is of several days, of which each is whole as it lies. */
const addedUp = 1;
const addedUpBefore = 0;
/** A day apart if there was downtime, or if it has to be cut to its length. */
const endedDays = (from: EpochMillis): DayRows => ({
  select: `SELECT monitor, CASE WHEN downs <> '' OR known > ${dayLength} THEN begin
      WHEN begin < ${from} THEN ${addedUpBefore} ELSE ${addedUp} END AS begin,
    SUM(known) AS known, MAX(places) AS places, MAX(downs) AS downs, SUM(checks) AS checks FROM (${eachDay.select}`,
  rest: `${eachDay.rest}) AS days GROUP BY monitor, 2`,
});

/** The same of monitors with one location: nothing is added up twice. */
const endedDaysOfOne = (from: EpochMillis): DayRows => ({
  select: `SELECT monitor, CASE WHEN down > 0 OR known > ${dayLength} THEN bucket
      WHEN bucket < ${from} THEN ${addedUpBefore} ELSE ${addedUp} END AS begin,
    SUM(known) AS known, 1 AS places, CASE WHEN MAX(down) > 0 THEN CAST(MAX(down) AS TEXT) ELSE '' END AS downs,
    SUM(success + degraded + error) AS checks FROM ${rollupTables.day}`,
  rest: "GROUP BY monitor, 2",
});

/** Most monitors have one location, of which each row is a day: to read theirs takes two thirds of the time, or half. */
async function byPlaces(
  sql: Sql,
  there: WhatIsThere,
  range: Pick<DaysQuery, "from" | "to">,
  { ofOne, ofSeveral }: { readonly ofOne: DayRows; readonly ofSeveral: DayRows },
): Promise<readonly Row[]> {
  const found = await allAmong(
    sql,
    `SELECT monitor FROM series WHERE ${there.condition} AND monitor IN (*) GROUP BY monitor HAVING COUNT(*) > 1`,
    [],
    there.monitors,
  );
  const several = new Set(found.map((row) => monitorId(integer(row, "monitor"))));
  const alone = there.monitors.filter((monitor) => !several.has(monitor));
  const rows = [...(await lookedUp(sql, { ...there, monitors: alone }, range, ofOne))];
  // Not by spreading: a call has no room for the rows of many locations.
  for (const row of await lookedUp(sql, { ...there, monitors: [...several] }, range, ofSeveral))
    rows.push(row);
  return rows;
}

function downOf(row: Row): number {
  const downs = text(row, "downs");
  return downs === "" ? 0 : halfDown(integer(row, "places"), downs.split(" ").map(Number));
}

/** How the rows of days are asked, before the conditions and behind them. */
interface DayRows {
  readonly select: string;
  readonly rest: string;
}

/** The monitors of each day in portions: the others of a large service are not read. */
function lookedUp(
  sql: Sql,
  there: WhatIsThere,
  { from, to }: Pick<DaysQuery, "from" | "to">,
  { select, rest }: DayRows,
): Promise<readonly Row[]> {
  const range = { grain: "day", monitors: there.monitors, from, to } as const;
  return rowsOfBuckets(sql, range, { select, rest: ` AND ${there.condition} ${rest}` });
}
