import type { CallingLocation } from "#service/store/state-store";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import {
  type BatchResult,
  type IngestBatchRequest,
  Receipt,
} from "#contract/private_location/v1/private_location_pb";
import * as limits from "#limits/service-limits";
import * as wireLimits from "#limits/wire-limits";
import type { AgentClocks } from "#service/agents/agent-clocks";
import { type IncomingResult, readIncoming, readMissed } from "#service/agents/incoming";
import type { Instances } from "#service/agents/instances";
import type { Locations } from "#service/agents/locations";
import { notAssigned, notNow, type Results } from "#service/agents/results";
import { Refusal } from "#service/edge/call-refusal";

interface IngestRooms {
  readonly locations: Locations;
  readonly results: Results;
  readonly instances: Instances;
  readonly clocks: AgentClocks;
}

/** Results of an agent, many at once, each with its receipt. */
export async function ingestBatch(
  api: IngestRooms,
  location: CallingLocation,
  { instanceId, results, missed }: Pick<IngestBatchRequest, "instanceId" | "results" | "missed">,
): Promise<{ receipts: ReceiptOfOne[] }> {
  for (const [field, { length }] of Object.entries({ results, missed }))
    if (length > wireLimits.ingestBatchMax)
      throw new Refusal(
        "invalid_argument",
        `${field} has ${length} entries, more than ${wireLimits.ingestBatchMax}`,
      );
  const bounds = api.clocks.bounds();
  const unseen = missed.map((one) => readMissed(one, bounds));
  await api.results.miss(
    location.id,
    unseen.filter((one) => one !== null),
  );
  const read = await readInPortions(results, api.clocks);
  const good = read.flatMap((one) => (one instanceof Refusal ? [] : [one]));
  const stored = (await api.results.store(location.id, good)).values();
  const receipts = read.map((one, index) => {
    const id = results[index]?.result.value?.id ?? "";
    if (one instanceof Refusal) return refused(id, one);
    const kind = stored.next().value?.kind ?? "unassigned";
    if (kind === "unassigned")
      return { ...refused(id, notAssigned(one.monitorId)), unassigned: true };
    if (kind === "later") return refused(id, notNow(one.monitorId));
    return { id, receipt: wireReceipts[kind], reason: "", unassigned: false };
  });
  const isKnown = missed.length > 0 || receipts.some(({ receipt }) => receipt !== Receipt.REJECTED);
  // An agent that has said goodbye still reports what it knows.
  if (isKnown && !(await api.instances.hasLeft(location.id, instanceId)))
    await api.locations.seen(location, "heartbeat");
  return { receipts };
}

/** Others are answered between two portions: whoever asks how the service is need not wait for a whole batch. */
async function readInPortions(
  results: readonly BatchResult[],
  clocks: AgentClocks,
): Promise<readonly (IncomingResult | Refusal)[]> {
  const read: (IncomingResult | Refusal)[] = [];
  for (let first = 0; first < results.length; first += limits.resultsReadAtOnce) {
    if (first > 0) await turnOfLoop();
    const portion = results.slice(first, first + limits.resultsReadAtOnce);
    for (const batch of portion) read.push(readOrRefused(batch, clocks));
  }
  return read;
}

export function readOrRefused(batch: BatchResult, clocks: AgentClocks): IncomingResult | Refusal {
  try {
    return readIncoming(batch, clocks.bounds());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (isForLater(error)) clocks.kept(error.message);
    return error;
  }
}

/** It is not refused for what it is: its agent keeps it, and comes again. */
const isForLater = ({ code }: Refusal): boolean => code === "unavailable";

interface ReceiptOfOne {
  id: string;
  receipt: Receipt;
  reason: string;
  unassigned: boolean;
}

const refused = (id: string, refusal: Refusal): ReceiptOfOne => ({
  id,
  receipt: isForLater(refusal) ? Receipt.UNSPECIFIED : Receipt.REJECTED,
  reason: refusal.message,
  unassigned: false,
});

const wireReceipts = { accepted: Receipt.ACCEPTED, duplicate: Receipt.DUPLICATE } as const;
