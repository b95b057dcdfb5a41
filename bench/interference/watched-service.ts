import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import http from "node:http";
import {
  type BatchResult,
  HeartbeatResponseSchema,
  IngestBatchRequestSchema,
  IngestBatchResponseSchema,
  MonitorsResponseSchema,
  Receipt,
} from "#contract/private_location/v1/private_location_pb";
import type { MonitorDefinition } from "#check/definition";
import { systemClock } from "#base/clock";
import { assignedMonitors } from "#wire/write-assignment";
import { plainResultOf } from "./plain-result.ts";
import type { CheckedRow } from "./checked-row.ts";

/*
 * The service that the watched agent reports to, in a separate process: it assigns what it is asked to at the agent's next
 * pull, and keeps each result with all of its figures. Of an agent that knows no batches it takes the plain calls.
 */

export interface AssignedMonitor {
  readonly id: string;
  readonly definition: MonitorDefinition;
}

export type ServiceOrder =
  | { readonly order: "assign"; readonly monitors: readonly AssignedMonitor[] }
  | { readonly order: "take" };

export type ServiceReply =
  | { readonly reply: "ready"; readonly url: string }
  | { readonly reply: "assigned" }
  | { readonly reply: "taken"; readonly rows: readonly CheckedRow[] };

let rows: CheckedRow[] = [];
let assigned: Uint8Array = new Uint8Array();
let revision = 0;

function assign(monitors: readonly AssignedMonitor[]): void {
  revision += 1;
  const all = monitors.map((one) => ({ ...one, newestSlot: null }));
  const message = { ...assignedMonitors(all), region: "bench", revision: String(revision) };
  assigned = toBinary(MonitorsResponseSchema, message);
}

function rowOf({ result, detail }: BatchResult): CheckedRow | null {
  const { value } = result;
  if (value === undefined || detail === undefined) return null;
  const { phases } = detail;
  const nanosOf = (time: bigint | undefined): number | null =>
    time === undefined ? null : Number(time);
  return {
    monitor: value.monitorId,
    slot: Number(value.cronTimestamp),
    startedAt: Number(value.timestamp),
    status: value.requestStatus,
    why: detail.failure?.message ?? "",
    code: detail.failure?.code ?? "",
    connect: nanosOf(phases?.connectNs),
    wait: nanosOf(phases?.waitNs),
    total: Number(detail.totalNs),
    own: nanosOf(detail.ownNs),
    errorBar: Number(detail.errorBarNs ?? 0n),
  };
}

function ingest(body: Buffer): Uint8Array {
  const { results } = fromBinary(IngestBatchRequestSchema, body);
  const receipts = results.map((one) => {
    const row = rowOf(one);
    if (row !== null) rows.push(row);
    return { id: one.result.value?.id ?? "", receipt: Receipt.ACCEPTED };
  });
  return toBinary(IngestBatchResponseSchema, create(IngestBatchResponseSchema, { receipts }));
}

function heartbeat(): Uint8Array {
  const answer = { serverTime: BigInt(systemClock.wall()), nextHeartbeatMs: 5_000n };
  return toBinary(HeartbeatResponseSchema, create(HeartbeatResponseSchema, answer));
}

function answerTo(call: string, body: Buffer): Uint8Array | null {
  switch (call) {
    case "Monitors":
      return assigned;
    case "IngestBatch":
      return ingest(body);
    case "Heartbeat":
      return heartbeat();
    default: {
      const row = plainResultOf(call, body);
      if (row === null) return null;
      rows.push(row);
      return new Uint8Array();
    }
  }
}

const plainOnly = process.argv[2] === "plain";
const server = http.createServer((request, response) => {
  const call = (request.url ?? "").split("/").at(-1) ?? "";
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const isKnown = !plainOnly || (call !== "IngestBatch" && call !== "Heartbeat");
    const answer = isKnown ? answerTo(call, Buffer.concat(parts)) : null;
    const type = answer === null ? "text/plain" : "application/proto";
    response.writeHead(answer === null ? 404 : 200, { "content-type": type });
    response.end(answer);
  });
});

const reply = (message: ServiceReply): void => void process.send?.(message);

process.on("message", (asked: ServiceOrder) => {
  switch (asked.order) {
    case "assign":
      assign(asked.monitors);
      return reply({ reply: "assigned" });
    case "take": {
      const taken = rows;
      rows = [];
      return reply({ reply: "taken", rows: taken });
    }
  }
});
process.once("disconnect", () => server.close().closeAllConnections());
assign([]);
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  reply({ reply: "ready", url: `http://127.0.0.1:${port}` });
});
