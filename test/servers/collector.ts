import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { gunzipSync } from "node:zlib";
import { listenLocally } from "./listen-locally.ts";

/** One export as a collector received it, its body decompressed. */
export interface Export {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** An OTLP/HTTP collector that answers as its script says, and remembers what it was sent. */
export interface ScriptedCollector extends AsyncDisposable {
  readonly port: number;
  readonly exports: readonly Export[];
  /** Settles when it has had so many exports. */
  had(count: number): Promise<void>;
  /** Settles when it has had an export that holds this text. */
  heard(text: string): Promise<void>;
  /** How the next exports are answered; 200 with an empty body unless a test says otherwise. */
  answer: (response: ServerResponse, count: number) => void;
}

export async function startCollector(): Promise<ScriptedCollector> {
  const exports: Export[] = [];
  const waiting: { isThere: () => boolean; resolve: () => void }[] = [];
  const until = (isThere: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      if (isThere()) resolve();
      else waiting.push({ isThere, resolve });
    });
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => {});
    request.on("end", () => {
      const raw = Buffer.concat(chunks);
      const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw;
      exports.push({ url: request.url ?? "", headers: request.headers, body });
      collector.answer(response, exports.length);
      for (const { isThere, resolve } of waiting) if (isThere()) resolve();
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  const port = await listenLocally(server);
  const collector: ScriptedCollector = {
    port,
    exports,
    had: (count) => until(() => exports.length >= count),
    heard: (text) => until(() => exports.some(({ body }) => body.includes(text))),
    answer: (response) => void response.end(),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  return collector;
}

interface JsonPoint {
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  readonly asDouble?: number;
  readonly asInt?: number | string;
  readonly count?: number | string;
  readonly sum?: number;
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
}

export interface JsonMetric {
  readonly name: string;
  readonly unit: string;
  readonly sum?: { readonly aggregationTemporality: number; readonly dataPoints: JsonPoint[] };
  readonly gauge?: { readonly dataPoints: JsonPoint[] };
  readonly histogram?: {
    readonly aggregationTemporality: number;
    readonly dataPoints: JsonPoint[];
  };
}

/** The metrics of an export in JSON. */
export function metricsIn({ body }: Export): readonly JsonMetric[] {
  const request: {
    resourceMetrics: { scopeMetrics: { metrics: JsonMetric[] }[] }[];
  } = JSON.parse(body.toString());
  return request.resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) => metrics),
  );
}

export const pointsOf = (metric: JsonMetric | undefined): readonly JsonPoint[] =>
  (metric?.sum ?? metric?.gauge ?? metric?.histogram)?.dataPoints ?? [];

/** The attributes of a point as an object. */
export const attributesIn = ({ attributes }: JsonPoint): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
