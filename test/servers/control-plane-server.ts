import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  IngestHTTPRequestSchema,
  IngestTCPRequestSchema,
  MonitorsResponseSchema,
} from "#contract/private_location/v1/private_location_pb";
import { listenLocally } from "./listen-locally.ts";

/** How the service answers a call: by a handler of its path's last part. */
export type Answer = (
  request: http.IncomingMessage,
  response: http.ServerResponse,
  body: Buffer,
) => void;

export interface ControlPlaneServer extends AsyncDisposable {
  readonly url: string;
  /** `Method header-value` of each call heard. */
  readonly heard: readonly string[];
}

/** A service of the agent's wire that answers as a test says, by name of the call. */
export async function controlPlaneServer(
  answers: Readonly<Record<string, Answer>>,
  otherwise: Answer = unknownCall,
  tls: https.ServerOptions | null = null,
): Promise<ControlPlaneServer> {
  const heard: string[] = [];
  const onRequest: http.RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const method = request.url?.split("/").at(-1) ?? "";
      heard.push(`${method} ${String(request.headers["x-service-token"])}`);
      (answers[method] ?? otherwise)(request, response, Buffer.concat(chunks));
    });
  };
  const server = tls === null ? http.createServer(onRequest) : https.createServer(tls, onRequest);
  const port = await listenLocally(server);
  return {
    url: `${tls === null ? "http" : "https"}://127.0.0.1:${port}`,
    heard,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** What a Go server that has never heard of a call says. */
export const unknownCall: Answer = (_request, response) => {
  response.writeHead(404, { "content-type": "text/plain" });
  response.end("404 page not found\n");
};

/** An error of the Connect protocol. */
export const refusing =
  (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ code, message: `it is ${code}` }));
  };

export const bytes =
  (body: Uint8Array | string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_request, response) => {
    response.writeHead(200, { "content-type": "application/proto", ...headers });
    response.end(body);
  };

/** One TCP monitor, as a service without the extension assigns it. */
export const assigning: Answer = bytes(
  toBinary(
    MonitorsResponseSchema,
    create(MonitorsResponseSchema, {
      tcpMonitors: [{ id: "t", uri: "a.test:1", periodicity: "1m" }],
      region: "office",
    }),
  ),
);

export const ingestedHttp = (
  body: Buffer,
): { monitorId: string; cronTimestamp: bigint; requestStatus: string } =>
  fromBinary(IngestHTTPRequestSchema, body);
export const ingestedTcp = (body: Buffer): { monitorId: string } =>
  fromBinary(IngestTCPRequestSchema, body);
