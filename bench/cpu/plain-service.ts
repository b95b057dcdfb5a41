import http from "node:http";
import { toBinary } from "@bufbuild/protobuf";
import { MonitorsResponseSchema } from "#contract/private_location/v1/private_location_pb";
import type { MonitorDefinition } from "#check/definition";
import { assignedMonitors } from "#wire/write-assignment";
import type { ServiceOrder, ServiceReady } from "./service.ts";

/*
 * A service that has only the plain calls, as the existing one: no batch, no heartbeat, no push channel. It runs in a
 * process of its own, and answers each result without looking at it: what it costs is not what is measured.
 */

const token = "bench";
let assigned: Uint8Array = new Uint8Array();
const server = http.createServer((request, response) => {
  const call = (request.url ?? "").split("/").at(-1) ?? "";
  request.resume();
  request.on("end", () => {
    const known = call === "Monitors" || (call.startsWith("Ingest") && call !== "IngestBatch");
    response.writeHead(known ? 200 : 404, {
      "content-type": known ? "application/proto" : "text/plain",
    });
    response.end(call === "Monitors" ? assigned : "");
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1");
let definitions: readonly MonitorDefinition[] = [];
process.on("message", (order: ServiceOrder) => {
  if (typeof order !== "number") definitions = order;
  const count = typeof order === "number" ? order : definitions.length;
  const monitors = definitions
    .slice(0, count)
    .map((definition, n) => ({ id: `${n + 1}`, definition, newestSlot: null }));
  const message = { ...assignedMonitors(monitors), region: "bench", revision: `${count}` };
  assigned = toBinary(MonitorsResponseSchema, message);
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  if (typeof order === "number") return;
  const ready: ServiceReady = { url: `http://127.0.0.1:${port}`, token };
  process.send?.(ready);
});
process.once("disconnect", () => server.close().closeAllConnections());
