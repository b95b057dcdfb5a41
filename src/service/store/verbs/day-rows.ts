import type { DayTable, SumAndBefore } from "#service/store/day-table";
import { type MonitorId, monitorId } from "#service/store/ids";
import type { DaysQuery, SumsQuery } from "#service/store/result-store";
import { halfDown } from "#service/store/half-down";
import { allAmong, integer, type Row, type Sql, text } from "#service/store/sql";
import { DaySums } from "#service/store/verbs/days/day-sums";
import { filledTable } from "#service/store/verbs/days/filled-table";
import { listedDays } from "#service/store/verbs/days/listed-days";
import {
  type DayRows,
  eachDay,
  lookedUp,
  placesOf,
} from "#service/store/verbs/days/looked-up-days";
import { type WhatIsThere, whatIsThere } from "#service/store/verbs/what-is-there";
import { rollupTables } from "#service/store/verbs/rollup-rows";
import { beginOf, type Overlap } from "#service/store/rollup";
import { overlapAt } from "#service/store/standing-result";
import { type EpochMillis, epochMillis, hours } from "#base/units";

/**
 * Days of monitors as numbers: histograms, the most of a row, are not read. Those that ended are handed over in lists: to hand
 * over as many rows takes three times as long as to read them.
 */
export async function daysOf(sql: Sql, { monitors, from, to }: DaysQuery): Promise<DayTable> {
  const there = await whatIsThere(sql, monitors);
  // PostgreSQL is asked for each day by itself, and would be twice.
  const places =
    sql.words.engine === "postgres"
      ? { ofOne: { ...there, monitors: [] }, ofSeveral: there }
      : await placesOf(sql, there);
  const ended = beginOf("day", to);
  const listed = await listedDays(sql, places, { from, to: ended }, "days");
  const today = { from: epochMillis(Math.max(from, ended)), to };
  const open = await upTo(sql, await lookedUp(sql, there, today, eachDay), there, to);
  const apart = [...listed.flatMap((days) => days.apart), ...open];
  const existed = await existenceOf(sql, apart, to);
  const counted = Map.groupBy(
    apart.map((row) => ({
      monitor: integer(row, "monitor"),
      begin: integer(row, "begin"),
      known: Math.min(integer(row, "known"), existed(row)),
      down: Math.min(downOf(row), existed(row)),
    })),
    ({ monitor }) => monitor,
  );
  return filledTable({ listed, open, counted });
}

/**
 * The same added up, and the days before them apart. Days that ended are handed over in lists here, too: to sort sixty thousand rows
 * by monitor for their sums takes as long as to hand them over.
 */
export async function sumsOf(
  sql: Sql,
  asked: SumsQuery,
): Promise<ReadonlyMap<MonitorId, SumAndBefore>> {
  const { since, from, to } = asked;
  const there = await whatIsThere(sql, asked.monitors);
  const places = await placesOf(sql, there);
  const ended = beginOf("day", to);
  const earlier = { from: since, to: epochMillis(Math.min(from, ended)) };
  const today = { from: epochMillis(Math.max(since, ended)), to };
  const listed = [
    ...(await listedDays(sql, places, earlier, "sums")),
    ...(await listedDays(sql, places, { from, to: ended }, "sums")),
  ];
  const open = await upTo(sql, await lookedUp(sql, there, today, eachDay), there, to);
  const apart = [...listed.flatMap((days) => days.apart), ...open];
  const existed = await existenceOf(sql, apart, to);
  const sums = new DaySums(from);
  for (const days of listed) sums.addListed(days);
  for (const row of open) sums.addSeen(row);
  for (const row of apart) sums.addDown(row, downOf(row), existed(row));
  return sums.all();
}

/**
 * The same without what is ahead: the newest result of a location was counted for a whole period, which it has stood for only
 * up to now. Locations are looked at one by one on days with downtime alone: of all others, uptime is 100 % either way.
 */
async function upTo(
  sql: Sql,
  rows: readonly Row[],
  there: WhatIsThere,
  now: EpochMillis,
): Promise<readonly Row[]> {
  const today = beginOf("day", now);
  const open = rows.filter((row) => integer(row, "begin") === today);
  const ahead = await aheadOf(sql, open.map(monitorOf), now);
  if (ahead.size === 0) return rows;
  const monitors = open.filter(wasDown).map(monitorOf);
  const down = monitors.filter((monitor) => ahead.has(monitor));
  const range = { from: today, to: now };
  const places = await lookedUp(sql, { ...there, monitors: down }, range, eachPlace);
  const byMonitor = Map.groupBy(places, monitorOf);
  return rows.map((row) => {
    const own = integer(row, "begin") === today ? ahead.get(monitorOf(row)) : undefined;
    if (own === undefined) return row;
    if (!wasDown(row)) return { ...row, known: knownUpTo(row, own) };
    return { ...row, ...withoutAhead(byMonitor.get(monitorOf(row)) ?? [], own) };
  });
}

const monitorOf = (row: Row): MonitorId => monitorId(integer(row, "monitor"));

/** The longest of the locations, of which only all together are known; that one may be without anything ahead. */
function knownUpTo(row: Row, ahead: Ahead): number {
  const each = [...ahead.values()].map(({ known }) => known);
  const least = each.length < integer(row, "places") ? 0 : Math.min(...each);
  return Math.max(0, integer(row, "known") - least);
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
    const own = ahead.getOrInsertComputed(monitorOf(row), () => new Map());
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

/** Each location apart. */
const eachPlace: DayRows = {
  select: `SELECT monitor, location, known, down FROM ${rollupTables.day}`,
  rest: "",
};

function downOf(row: Row): number {
  const downs = text(row, "downs");
  return downs === "" ? 0 : halfDown(integer(row, "places"), downs.split(" ").map(Number));
}
