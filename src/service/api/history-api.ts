import type { ServiceImpl } from "@connectrpc/connect";
import {
  type MonitorService,
  type Region,
  TimeRange,
} from "#contract/openstatus/monitor/v1/monitor_pb";
import { regions as allRegions } from "#check/regions";
import * as limits from "#limits/service-limits";
import { seesSecrets } from "#service/agents/admission";
import type { Instances } from "#service/agents/instances";
import { whyUnchecked } from "#service/agents/unknown-kind";
import { absent, because, Refusal, refuseViolations } from "#service/edge/call-refusal";
import type { ResultApi } from "#service/api/result-api";
import { OwnSecrets } from "#service/monitors/own-secrets";
import { openHeaders } from "#service/monitors/server-answer";
import { logDetail, logItem, keyOfLog } from "#service/edge/response-log";
import type { Standing } from "#service/judge/judging";
import { timeText } from "#service/monitors/shown-monitor";
import type { SteadyClock } from "#base/steady-clock";
import { quantile } from "#service/store/histogram";
import type { Bucket, Gap } from "#service/store/result-store";
import { beginOf, mergeRollups } from "#service/store/rollup";
import * as storeLimits from "#limits/store-limits";
import { after, epochMillis, type EpochMillis, hours, type Millis } from "#base/units";
import { wireStatuses } from "#wire/monitor-status-words";

export interface HistoryApi extends ResultApi {
  readonly instances: Instances;
  readonly clock: SteadyClock;
}

type Calls = ServiceImpl<typeof MonitorService>;
type HistoryCall =
  | "getMonitorStatus"
  | "getMonitorSummary"
  | "listMonitorHTTPResponseLogs"
  | "getMonitorHTTPResponseLog";

/** What a monitor's locations see and have seen. */
export function historyCalls(api: HistoryApi): Pick<Calls, HistoryCall> {
  const { monitors, judging } = api;
  return {
    getMonitorStatus: async ({ id }) => {
      const monitor = await monitors.get(id);
      const { status, since, locations } = await judging.standing(monitor);
      const { definition, locations: places } = monitor;
      const unchecked = await whyUnchecked(api.instances, definition.kind, places);
      return {
        id,
        regions: locations.map(regionMessage),
        status: wireStatuses[status],
        since: timeText(since),
        locations: locations.map((one) => locationMessage(one, unchecked)),
      };
    },
    getMonitorSummary: (request) => summaryOf(api, request),
    listMonitorHTTPResponseLogs: (request) => logsOf(api, request),
    getMonitorHTTPResponseLog: async ({ id, logId }, context) => ({
      log: await logOf(api, id, logId, seesSecrets(context)),
    }),
  };
}

/** What one location sees of a monitor. */
const locationMessage = (
  one: Standing["locations"][number],
  unchecked: ReadonlyMap<number, string>,
) => ({
  privateLocationId: one.locationId,
  name: one.name,
  status: wireStatuses[one.status],
  since: timeText(one.since),
  lastCheckedAt: timeText(one.lastCheckedAt),
  stale: one.stale,
  notMeasuredSince: timeText(one.notMeasured?.from ?? null),
  notMeasuredBecause:
    unchecked.get(Number(one.locationId)) ?? one.notMeasured?.excuse.sentence ?? "",
});

/** The same as the public contract has it, which knows regions and no private locations. */
const regionMessage = ({
  region,
  status,
  stale,
  locationId: privateLocationId,
  name,
}: Standing["locations"][number]) => ({
  region,
  status: wireStatuses[stale ? "unknown" : status],
  privateLocationId,
  name,
});

/** Slots of which nothing was learned have no log. */
const gapMessage = ({ location, from, to, slots, excuse }: Gap) => ({
  privateLocationId: String(location),
  from: BigInt(from),
  to: BigInt(to),
  slots,
  because: excuse.sentence,
});

async function logsOf({ monitors, store, clock }: HistoryApi, request: LogsRequest) {
  const { id: monitor } = await monitors.ofKind(request.id, "http");
  const { limit, offset } = logPageOf(request);
  const window = windowOf(request, clock.wall());
  const found = await store.results.window({
    ...window,
    monitor,
    location: null,
    order: "newest first",
    cursor: null,
    skip: offset,
    limit,
  });
  const gaps = offset > 0 ? [] : await store.results.gaps({ ...window, monitor, location: null });
  const hasMore = found.next !== null;
  return {
    logs: found.results.map(logItem),
    notMeasured: gaps.map(gapMessage),
    pagination: { limit, offset, hasMore, ...(hasMore ? { nextOffset: offset + limit } : {}) },
  };
}

async function logOf(
  { monitors, locations, store }: HistoryApi,
  id: string,
  logId: string,
  secrets: boolean,
) {
  const { id: monitor, definition } = await monitors.ofKind(id, "http");
  const key = keyOfLog(logId);
  const location = key === null ? null : await locations.idOf(key.locationId);
  if (key === null || location === null) throw noLog(logId);
  const found = await store.results.result({ monitor, location, slot: key.slot });
  if (found === null) throw noLog(logId);
  const own = new OwnSecrets(definition);
  const headersOf = (reported: string): Record<string, string> => openHeaders(reported, own);
  return logDetail(found, { url: definition.url, secrets, headersOf });
}

interface SummaryRequest {
  readonly id: string;
  readonly timeRange: TimeRange;
  readonly regions: readonly Region[];
}

async function summaryOf(
  { monitors, judging, store, clock }: HistoryApi,
  { id, timeRange, regions }: SummaryRequest,
) {
  if (regions.length > allRegions.length)
    refuseViolations([{ field: "regions", message: `has more than ${allRegions.length} entries` }]);
  const row = await monitors.get(id);
  const { locations } = await judging.standing(row);
  const asked = locations.filter(({ region }) => regions.length === 0 || regions.includes(region));
  const ids = new Set(asked.map(({ locationId }) => locationId));
  const range =
    timeRange === TimeRange.TIME_RANGE_UNSPECIFIED ? TimeRange.TIME_RANGE_1D : timeRange;
  // Whole hours, the one in which the range begins and the next one (an agent's clock may be ahead) included.
  const now = clock.wall();
  const from = beginOf("hour", epochMillis(now - spanOf(range)));
  const to = after(beginOf("hour", now), hours(2));
  const question = { monitors: [row.id], location: null, grain: "hour", from, to } as const;
  const buckets = await store.results.buckets(question);
  // Without regions, what a location saw that runs the monitor no more counts too.
  const isAsked = ({ location }: Bucket): boolean =>
    regions.length === 0 || ids.has(String(location));
  const seen = mergeRollups(buckets.filter(isAsked));
  const lastPings = asked.map(({ lastCheckedAt }) => lastCheckedAt ?? 0);
  return {
    id,
    lastPingAt: timeText(newestOf(lastPings)),
    totalSuccessful: BigInt(seen.success),
    totalDegraded: BigInt(seen.degraded),
    totalFailed: BigInt(seen.error),
    ...quantilesOf(seen.latencies),
    timeRange: range,
    regions: [...regions],
  };
}

const newestOf = (instants: readonly number[]): EpochMillis | null => {
  const newest = Math.max(0, ...instants);
  return newest === 0 ? null : epochMillis(newest);
};

const noLog = (id: string): Refusal =>
  absent("response log", id, { reason: "RESPONSE_LOG_NOT_FOUND", facts: { "log-id": id } });

function spanOf(range: TimeRange): Millis {
  switch (range) {
    case TimeRange.TIME_RANGE_UNSPECIFIED:
    case TimeRange.TIME_RANGE_1D:
      return hours(24);
    case TimeRange.TIME_RANGE_7D:
      return hours(7 * 24);
    case TimeRange.TIME_RANGE_14D:
      return hours(14 * 24);
    default:
      throw new Refusal(
        "invalid_argument",
        "time_range is not one of the known ranges",
        because("invalid_argument", { field: "time_range" }),
      );
  }
}

/** As exact as the ranges in which latencies are counted: see histogram.ts. */
function quantilesOf(latencies: Uint8Array) {
  const at = (share: number): bigint => BigInt(Math.round(quantile(latencies, share) ?? 0));
  return { p50: at(0.5), p75: at(0.75), p90: at(0.9), p95: at(0.95), p99: at(0.99) };
}

interface LogsRequest {
  readonly id: string;
  readonly fromTimestamp?: bigint | undefined;
  readonly toTimestamp?: bigint | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

function logPageOf({ limit = limits.responseLogsDefault, offset = 0 }: LogsRequest) {
  const violations: { field: string; message: string }[] = [];
  if (limit < 1 || limit > limits.responseLogsMax)
    violations.push({
      field: "limit",
      message: `must be in 1 to ${limits.responseLogsMax}, not ${limit}`,
    });
  if (offset < 0 || offset > storeLimits.resultsSkippedMax)
    violations.push({
      field: "offset",
      message: `must be in 0 to ${storeLimits.resultsSkippedMax}, not ${offset}`,
    });
  refuseViolations(violations);
  return { limit, offset };
}

/** The last fourteen days, unless less is asked for. */
function windowOf({ fromTimestamp, toTimestamp }: LogsRequest, now: EpochMillis) {
  const oldest = now - limits.responseLogsKeptFor;
  const from = fromTimestamp === undefined ? oldest : Number(fromTimestamp);
  const to = toTimestamp === undefined ? Number.MAX_SAFE_INTEGER : Number(toTimestamp);
  const violations: { field: string; message: string }[] = [];
  if (from < oldest)
    violations.push({ field: "from_timestamp", message: "is more than 14 days ago" });
  if (to < from)
    violations.push({ field: "to_timestamp", message: "must not be before from_timestamp" });
  refuseViolations(violations);
  // The instant that was asked for is within, and the store leaves out the one that it is given.
  return { from: epochMillis(from), to: epochMillis(Math.min(to + 1, Number.MAX_SAFE_INTEGER)) };
}
