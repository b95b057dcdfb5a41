import type { ServiceImpl } from "@connectrpc/connect";
import { type MonitorService, TimeRange } from "#contract/openstatus/monitor/v1/monitor_pb";
import * as limits from "#limits";
import { because, Refusal, refuseViolations, shortId } from "#service/call-refusal";
import type { Judging } from "#service/judge/judging";
import type { ResultApi } from "#service/result-api";
import { logDetail, logItem, keyOfLog } from "#service/response-log";
import { timeText } from "#service/shown-monitor";
import type { SteadyClock } from "#steady-clock";
import { epochMillis, type EpochMillis, hours, type Millis } from "#units";
import { wireStatuses } from "#wire/monitor-message";

export interface HistoryApi extends ResultApi {
  readonly judging: Judging;
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
  const { monitors, results, judging, clock } = api;
  return {
    getMonitorStatus: ({ id }) => {
      const { status, since, locations } = judging.standing(id);
      return {
        id,
        regions: [],
        status: wireStatuses[status],
        since: timeText(since),
        locations: locations.map((one) => ({
          privateLocationId: one.locationId,
          name: one.name,
          status: wireStatuses[one.status],
          since: timeText(one.since),
          lastCheckedAt: timeText(one.lastCheckedAt),
          stale: one.stale,
        })),
      };
    },
    getMonitorSummary: ({ id, timeRange, regions }) => {
      const { lastCheckedAt } = monitors.get(id);
      const range =
        timeRange === TimeRange.TIME_RANGE_UNSPECIFIED ? TimeRange.TIME_RANGE_1D : timeRange;
      const from = epochMillis(clock.wall() - spanOf(range));
      // Nothing runs in another host's region.
      const seen = regions.length > 0 ? nothing : results.tally(id, from);
      return {
        id,
        lastPingAt: regions.length > 0 ? "" : timeText(lastCheckedAt),
        totalSuccessful: BigInt(seen.success),
        totalDegraded: BigInt(seen.degraded),
        totalFailed: BigInt(seen.error),
        ...quantilesOf(seen.latencies),
        timeRange: range,
        regions: [...regions],
      };
    },
    listMonitorHTTPResponseLogs: (request) => {
      monitors.definitionOf(request.id, "http");
      const { limit, offset } = logPageOf(request);
      const window = windowOf(request, clock.wall());
      // One more than is shown says whether there are more.
      const found = results.window(request.id, window, limit + 1, offset);
      const hasMore = found.length > limit;
      return {
        logs: found.slice(0, limit).map(logItem),
        pagination: { limit, offset, hasMore, ...(hasMore ? { nextOffset: offset + limit } : {}) },
      };
    },
    getMonitorHTTPResponseLog: ({ id, logId }) => {
      const { url } = monitors.definitionOf(id, "http");
      const key = keyOfLog(logId);
      const found = key === null ? null : results.at(id, key.locationId, key.slot);
      if (found === null) throw noLog(logId);
      return { log: logDetail(found, url) };
    },
  };
}

const nothing = { success: 0, degraded: 0, error: 0, latencies: [] };

const noLog = (id: string): Refusal =>
  new Refusal(
    "not_found",
    `there is no response log ${shortId(id)}`,
    because("RESPONSE_LOG_NOT_FOUND", { "log-id": id }),
  );

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

/** The nearest rank of latencies in order. */
function quantilesOf(latencies: readonly number[]) {
  const at = (share: number): bigint =>
    BigInt(latencies[Math.max(0, Math.ceil(share * latencies.length) - 1)] ?? 0);
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
  if (offset < 0 || offset > limits.resultsKeptPerMonitor)
    violations.push({
      field: "offset",
      message: `must be in 0 to ${limits.resultsKeptPerMonitor}, not ${offset}`,
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
    violations.push({ field: "from_timestamp", message: "lies more than 14 days back" });
  if (to < from)
    violations.push({ field: "to_timestamp", message: "must not lie before from_timestamp" });
  refuseViolations(violations);
  return { from: epochMillis(from), to: epochMillis(Math.min(to, Number.MAX_SAFE_INTEGER)) };
}
