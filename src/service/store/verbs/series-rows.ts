import type { CertificateSpan } from "#check/certificate-ending";
import { fineLatency } from "#check/echo-spread";
import { stateAfter } from "#check/slowness";
import type { ResultStatus } from "#check/verdict";
import { type LocationId, type MonitorId, monitorId } from "#service/store/ids";
import type { DatedResult } from "#service/store/verbs/dated-result";
import { saysSomethingOfTarget } from "#service/store/rollup";
import { type StandingResult, standingAfter } from "#service/store/standing-result";
import {
  allAmong,
  insertRows,
  integer,
  optionalInteger,
  type Row,
  type Sql,
  text,
} from "#service/store/sql";
import * as storeLimits from "#limits/store-limits";
import { letterOf, statusNumber, statusOf } from "#service/store/verbs/result-rows";
import { epochMillis, type Millis, millis } from "#base/units";

/** What is known of one monitor at one location as a whole. */
export interface Series {
  readonly monitor: MonitorId;
  readonly location: LocationId;
  readonly newestSlot: number;
  /** Null until a result says something of the target. */
  readonly seenSlot: number | null;
  readonly status: ResultStatus;
  readonly since: number;
  /** The newest statuses, newest first, a letter each. */
  readonly recent: string;
  readonly startedAt: number;
  /** With its part of a millisecond, if that is known. */
  readonly latency: Millis;
  readonly success: number;
  readonly degraded: number;
  readonly error: number;
  readonly kept: number;
  readonly blindSlot: number | null;
  /** Of the newest check that saw one. */
  readonly certificate: CertificateSpan | null;
  /** Until when the newest result of the schedule stands; 0 if it says nothing. */
  readonly standsUntil: number;
  readonly standsDown: boolean;
}

export const standingOf = ({
  newestSlot,
  standsUntil,
  standsDown,
  seenSlot,
}: Series): StandingResult => ({
  slot: epochMillis(newestSlot),
  until: epochMillis(standsUntil),
  isDown: standsDown,
  seen: epochMillis(seenSlot ?? 0),
});

/** When the certificate that a row's newest check saw begins and ends. */
export function certificateOf(row: Row): CertificateSpan | null {
  const [begin, end] = [
    optionalInteger(row, "certificate_begin"),
    optionalInteger(row, "certificate_end"),
  ];
  return begin === null || end === null
    ? null
    : { begin: epochMillis(begin), end: epochMillis(end) };
}

/** In microseconds, unless they are of another check than the whole milliseconds. */
export function seenLatency(row: Row): Millis {
  const whole = integer(row, "seen_latency");
  const fine = integer(row, "seen_micros") / 1e3;
  return millis(Math.round(fine) === whole ? fine : whole);
}

export async function seriesOf(
  sql: Sql,
  location: LocationId,
  monitors: readonly MonitorId[],
): Promise<ReadonlyMap<MonitorId, Series>> {
  const rows = await allAmong(
    sql,
    "SELECT * FROM series WHERE location = ? AND monitor IN (*)",
    [location],
    monitors,
  );
  return new Map(
    rows.map((row) => {
      const monitor = monitorId(integer(row, "monitor"));
      const series = {
        monitor,
        location,
        newestSlot: integer(row, "newest_slot"),
        seenSlot: optionalInteger(row, "seen_slot"),
        status: statusOf(integer(row, "seen_status")),
        since: integer(row, "seen_since"),
        recent: text(row, "recent"),
        startedAt: integer(row, "seen_started"),
        latency: seenLatency(row),
        success: integer(row, "success"),
        degraded: integer(row, "degraded"),
        error: integer(row, "error"),
        kept: integer(row, "kept"),
        blindSlot: optionalInteger(row, "blind_slot"),
        certificate: certificateOf(row),
        standsUntil: integer(row, "stands_until"),
        standsDown: integer(row, "stands_down") === 1,
      };
      return [monitor, series];
    }),
  );
}

/**
 * A series with further results in it, oldest first. Only a strictly newer slot moves what was seen, unless that lies ahead
 * of the time at which it is stored: then a clock was ahead, and what comes now is newer.
 */
export function withResults(
  key: Pick<Series, "monitor" | "location">,
  before: Series | null,
  ordered: readonly DatedResult[],
): Series {
  const empty = {
    newestSlot: 0,
    seenSlot: null,
    status: "success" as const,
    since: 0,
    recent: "",
    startedAt: 0,
    blindSlot: null,
    certificate: null,
    standsUntil: 0,
    standsDown: false,
  };
  const counts = { latency: millis(0), success: 0, degraded: 0, error: 0, kept: 0 };
  let series: Series = before ?? { ...key, ...empty, ...counts };
  for (const result of ordered) series = withResult(series, result);
  return series;
}

/** A series of which nothing was learned in these slots. */
export const withBlindSlots = (series: Series, slots: readonly number[]): Series => ({
  ...series,
  blindSlot: Math.max(series.blindSlot ?? 0, ...slots),
});

const isNewer = ({ seenSlot }: Series, { slot, storedAt, period }: DatedResult): boolean =>
  seenSlot === null ||
  slot > seenSlot ||
  (seenSlot > storedAt && slot <= storedAt && slot > storedAt - 2 * period);

function withResult(series: Series, result: DatedResult): Series {
  const standing = standingAfter(standingOf(series), result);
  const counted = {
    ...(result.excuse === null ? series : withBlindSlots(series, [result.slot])),
    newestSlot: standing.slot,
    standsUntil: standing.until,
    standsDown: standing.isDown,
    kept: series.kept + 1,
    [result.status]: series[result.status] + 1,
  };
  if (!isNewer(series, result) || !saysSomethingOfTarget(result)) return counted;
  const before = series.seenSlot === null ? null : series.status;
  const status = stateAfter(before, result);
  return {
    ...counted,
    seenSlot: result.slot,
    status,
    since: before === status ? series.since : result.slot,
    recent: (letterOf(status) + series.recent).slice(0, storeLimits.recentStatusesMax),
    startedAt: result.startedAt,
    latency: fineLatency(result),
    // A check that fails may fail before it sees one.
    certificate: result.certificate ?? (result.status === "error" ? series.certificate : null),
  };
}

export async function writeSeries(sql: Sql, all: readonly Series[]): Promise<void> {
  await insertRows(
    sql,
    `INSERT INTO series (monitor, location, newest_slot, seen_slot, seen_status, seen_since, seen_started, seen_latency,
       seen_micros, success, degraded, error, kept, recent, blind_slot, certificate_begin, certificate_end,
       stands_until, stands_down)`,
    all.map((one) => [
      one.monitor,
      one.location,
      one.newestSlot,
      one.seenSlot,
      statusNumber(one.status),
      one.since,
      one.startedAt,
      Math.round(one.latency),
      Math.round(one.latency * 1e3),
      one.success,
      one.degraded,
      one.error,
      one.kept,
      one.recent,
      one.blindSlot,
      one.certificate?.begin ?? null,
      one.certificate?.end ?? null,
      one.standsUntil,
      Number(one.standsDown),
    ]),
    `ON CONFLICT (monitor, location) DO UPDATE SET newest_slot = excluded.newest_slot, seen_slot = excluded.seen_slot,
       seen_status = excluded.seen_status, seen_since = excluded.seen_since, seen_started = excluded.seen_started,
       seen_latency = excluded.seen_latency, seen_micros = excluded.seen_micros,
       success = excluded.success, degraded = excluded.degraded, error = excluded.error, kept = excluded.kept, recent = excluded.recent, blind_slot = excluded.blind_slot,
       certificate_begin = excluded.certificate_begin, certificate_end = excluded.certificate_end,
       stands_until = excluded.stands_until, stands_down = excluded.stands_down`,
  );
}
