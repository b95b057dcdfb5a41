import http from "node:http";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  IngestHTTPRequestSchema,
  MonitorsResponseSchema,
} from "#contract/private_location/v1/private_location_pb";
import type { MonitorDefinition } from "#check/definition";
import { assignedMonitors } from "#wire/write-assignment";
import type { ServiceOrder, ServiceReady } from "./service.ts";

/** Results that were taken so far. */
export interface Taken {
  readonly results: number;
  /** Of http results: those that are no success. */
  readonly failed: number;
}

/** What it is asked beside: how many results it has taken, which a `Taken` answers. */
export type PlainOrder = ServiceOrder | "count";

/*
 * A service that has only the plain calls, as the existing one: no batch, no heartbeat, no push channel. It runs in a
 * separate process, and counts the results that it takes: what it costs is not what is measured.
 */

const token = "bench";
let assigned: Uint8Array = new Uint8Array();
let assignments = 0;
let taken: Taken = { results: 0, failed: 0 };
const server = http.createServer((request, response) => {
  const call = (request.url ?? "").split("/").at(-1) ?? "";
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const known = call === "Monitors" || (call.startsWith("Ingest") && call !== "IngestBatch");
    if (known && call !== "Monitors") take(call, Buffer.concat(parts));
    response.writeHead(known ? 200 : 404, {
      "content-type": known ? "application/proto" : "text/plain",
    });
    response.end(call === "Monitors" ? assigned : "");
  });
});

function take(call: string, message: Uint8Array): void {
  const failed =
    call === "IngestHTTP" &&
    fromBinary(IngestHTTPRequestSchema, message).requestStatus !== "success";
  taken = { results: taken.results + 1, failed: taken.failed + (failed ? 1 : 0) };
}

server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1");
let definitions: readonly MonitorDefinition[] = [];
process.on("message", (order: PlainOrder) => {
  if (order === "count") return void process.send?.(taken);
  if (typeof order !== "number") definitions = order;
  const count = typeof order === "number" ? order : definitions.length;
  const monitors = definitions
    .slice(0, count)
    .map((definition, n) => ({ id: `${n + 1}`, definition, newestSlot: null }));
  assignments += 1;
  const message = { ...assignedMonitors(monitors), region: "bench", revision: `${assignments}` };
  assigned = toBinary(MonitorsResponseSchema, message);
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  if (typeof order === "number") return;
  const ready: ServiceReady = { url: `http://127.0.0.1:${port}`, token };
  process.send?.(ready);
});
process.once("disconnect", () => server.close().closeAllConnections());
