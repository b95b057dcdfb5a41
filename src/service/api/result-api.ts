import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  type MonitorService,
  ResultPhasesSchema,
} from "#contract/openstatus/monitor/v1/monitor_pb";
import type { Phases } from "#check/outcome";
import type { Kind } from "#check/monitor";
import type { MonitorStatus } from "#check/monitor-status";
import type { ResultStatus } from "#check/verdict";
import * as limits from "#limits/service-limits";
import { refuseViolations } from "#service/edge/call-refusal";
import { pageOf } from "#service/edge/page";
import { idOfResult } from "#service/edge/response-log";
import { seenAs } from "#service/monitors/judged-monitor";
import type { Judging } from "#service/judge/judging";
import type { Locations } from "#service/agents/locations";
import type { Monitors } from "#service/monitors/monitors";
import { type LocationId, locationId } from "#service/store/ids";
import type { Cursor, ListedResult } from "#service/store/result-store";
import type { MonitorRow, Page } from "#service/store/state-store";
import type { Store } from "#service/store/store";
import { epochMillis, type Nanos } from "#base/units";

export interface ResultApi {
  readonly monitors: Monitors;
  readonly locations: Locations;
  readonly judging: Judging;
  readonly store: Store;
}

type Calls = ServiceImpl<typeof MonitorService>;

/** The results of every kind of monitor, one by one and counted. */
export const resultCalls = (api: ResultApi): Pick<Calls, "listResults" | "summarizeResults"> => ({
  listResults: async (request) => ({ results: [...(await resultsOf(api, request))] }),
  summarizeResults: async (request) => {
    const location = await locationOf(api, request.privateLocationId);
    const { rows, totalSize } = await summarized(api, location, pageOf(request));
    return { monitors: await summaries(api, location, rows), totalSize };
  },
});

interface ResultsRequest {
  readonly monitorId: string;
  readonly privateLocationId: string;
  readonly after: bigint;
  readonly limit: number;
  readonly newestFirst: boolean;
}

async function resultsOf(
  { monitors, locations, store }: ResultApi,
  request: ResultsRequest,
): Promise<readonly ReturnType<typeof resultMessage>[]> {
  const limit = limitOf(request);
  const { id: monitor, definition } = await monitors.get(request.monitorId);
  const { privateLocationId: text } = request;
  const location = text === "" ? null : await locations.idOf(text);
  if (text !== "" && location === null) return [];
  const { results } = await store.results.window({
    monitor,
    location,
    from: epochMillis(0),
    to: epochMillis(Number.MAX_SAFE_INTEGER),
    order: request.newestFirst ? "newest first" : "oldest first",
    cursor: request.after === 0n ? null : cursorOf(request.after),
    skip: 0,
    limit,
  });
  return results.map((result) => resultMessage(definition.kind, result));
}

function limitOf({ after, limit }: ResultsRequest): number {
  if (limit < 0 || limit > limits.resultsListMax)
    refuseViolations([
      { field: "limit", message: `must be in 1 to ${limits.resultsListMax}, not ${limit}` },
    ]);
  if (after < 0n) refuseViolations([{ field: "after", message: "must not be below 0" }]);
  return limit === 0 ? limits.resultsListDefault : limit;
}

/** A place among the results of a monitor, by slot and location, as one integer: enough bits for slots until 2109. */
const locationBits = 21n;
const sequenceOf = ({ slot, location }: Cursor): bigint =>
  (BigInt(slot) << locationBits) + BigInt(location);
const cursorOf = (sequence: bigint): Cursor => ({
  slot: epochMillis(Number(sequence >> locationBits)),
  location: locationId(Number(sequence & ((1n << locationBits) - 1n))),
});

const resultMessage = (kind: Kind, result: ListedResult) => ({
  sequence: sequenceOf(result),
  id: idOfResult(result),
  monitorId: String(result.monitor),
  privateLocationId: String(result.location),
  kind,
  status: result.status,
  message: result.message,
  latency: BigInt(result.latency),
  startedAt: new Date(result.startedAt).toISOString(),
  slot: new Date(result.slot).toISOString(),
  statusCode: result.statusCode,
  failureCode: result.failure?.code ?? "",
  failurePhase: result.failure?.phase ?? "",
  storedAt: new Date(result.storedAt).toISOString(),
  phases: phasesMessage(result.phases),
  attempts: result.attempts,
  ...(result.own === null ? {} : { ownUs: micros(result.own) }),
});

/** Microseconds are what the store keeps. */
function phasesMessage({ dns, connect, proxy, tls, write, wait, receive }: Phases) {
  const given = (took: Nanos | null): bigint | undefined =>
    took === null ? undefined : micros(took);
  return create(ResultPhasesSchema, {
    dnsUs: given(dns),
    connectUs: given(connect),
    proxyUs: given(proxy),
    tlsUs: given(tls),
    writeUs: given(write),
    waitUs: given(wait),
    receiveUs: given(receive),
  });
}

const micros = (took: Nanos): bigint => BigInt(Math.round(took / 1e3));

/** Null asks for all; an id that no location has finds none. */
async function locationOf({ locations }: ResultApi, text: string): Promise<LocationId | null> {
  return text === "" ? null : ((await locations.idOf(text)) ?? nowhere);
}
const nowhere = locationId(0);

/** A page of the monitors, or of those that are assigned to the location that was asked for. */
async function summarized(
  { monitors, locations }: ResultApi,
  location: LocationId | null,
  { limit, offset }: Page,
): Promise<{ readonly rows: readonly MonitorRow[]; readonly totalSize: number }> {
  if (location === null)
    return { rows: await monitors.list(limit, offset), totalSize: await monitors.count() };
  const ids = (await locations.monitorsOf([location])).toSorted((a, b) => a - b);
  const rows = await monitors.among(ids.slice(offset, offset + limit));
  return { rows: rows.toSorted((a, b) => a.id - b.id), totalSize: ids.length };
}

async function summaries(
  { judging, store }: ResultApi,
  location: LocationId | null,
  rows: readonly MonitorRow[],
) {
  const ids = rows.map(({ id }) => id);
  const totals = Map.groupBy(await store.results.totals(location, ids), ({ monitor }) => monitor);
  const judged = await judging.judged(rows);
  return judged.map(({ row: { id, definition }, judgement, views }) => {
    const own = totals.get(id) ?? [];
    const count = (status: ResultStatus): number => own.reduce((sum, one) => sum + one[status], 0);
    const [success, degraded, error] = [count("success"), count("degraded"), count("error")];
    const seen = views.filter((view) => location === null || view.location === location);
    return {
      monitorId: String(id),
      kind: definition.kind,
      name: definition.name,
      status: judgement.state.status,
      lastSeenStatus: worstOf(seen.map(({ status }) => status)),
      total: BigInt(success + degraded + error),
      success: BigInt(success),
      degraded: BigInt(degraded),
      error: BigInt(error),
    };
  });
}

/** The worst of what the newest results say, fresh or not. */
function worstOf(seen: readonly ResultStatus[]): MonitorStatus {
  const worst = (["error", "degraded", "success"] as const).find((status) => seen.includes(status));
  return worst === undefined ? "unknown" : seenAs[worst];
}
