import { once } from "node:events";
import http from "node:http";
import { gzipSync } from "node:zlib";
import {
  create,
  type DescMessage,
  fromBinary,
  fromJsonString,
  type MessageInitShape,
  type MessageShape,
  toBinary,
  toJsonString,
} from "@bufbuild/protobuf";
import {
  IngestDNSRequestSchema,
  IngestDNSResponseSchema,
  IngestHTTPRequestSchema,
  IngestHTTPResponseSchema,
  IngestTCPRequestSchema,
  IngestTCPResponseSchema,
  MonitorsResponseSchema,
} from "#contract/private_location/v1/private_location_pb";

export type ExistingResult =
  | MessageShape<typeof IngestHTTPRequestSchema>
  | MessageShape<typeof IngestTCPRequestSchema>
  | MessageShape<typeof IngestDNSRequestSchema>;

type IngestSchema =
  | typeof IngestHTTPRequestSchema
  | typeof IngestTCPRequestSchema
  | typeof IngestDNSRequestSchema;

export interface ExistingOptions {
  readonly token: string;
  readonly tokenHeader?: string;
  readonly assigned: MessageInitShape<typeof MonitorsResponseSchema>;
}

/** What the service remembers, also when it was killed and started again. */
export class ExistingService {
  readonly #options: ExistingOptions;
  /** Each call that was heard, by its last part. */
  readonly heard: string[] = [];
  /** Every result that was stored, also those that were stored already. */
  readonly stored: ExistingResult[] = [];
  /** What its status logic took: a slot that is not newer than the last of its monitor is passed over. */
  readonly taken: ExistingResult[] = [];
  readonly passedOver: ExistingResult[] = [];
  /** Epoch seconds of the last ingest that was accepted; null before the first. */
  lastSeenAt: number | null = null;
  #pulls = 0;

  constructor(options: ExistingOptions) {
    this.#options = options;
  }

  /** Opens it on a port of 127.0.0.1; any, unless one is given. Killed with the scope. */
  async listen(
    port = 0,
  ): Promise<AsyncDisposable & { readonly url: string; readonly port: number }> {
    // Its read timeout is 10 s.
    const server = http.createServer({ requestTimeout: 10_000 }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => this.#answer(request, response, Buffer.concat(chunks)));
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return {
      url: `http://127.0.0.1:${address.port}`,
      port: address.port,
      [Symbol.asyncDispose]: async () => {
        server.close();
        server.closeAllConnections();
        await once(server, "close");
      },
    };
  }

  #answer(request: http.IncomingMessage, response: http.ServerResponse, body: Buffer): void {
    const path = request.url ?? "";
    const call = path.split("/").at(-1) ?? "";
    this.heard.push(call);
    const exchange = new Exchange(request, response, body);
    if (request.method !== "POST" || !path.startsWith(mount)) return exchange.notFound();
    const token = request.headers[this.#options.tokenHeader ?? "openstatus-token"];
    switch (call) {
      case "Monitors":
        return this.#monitors(exchange, token);
      case "IngestHTTP":
        return this.#ingest(exchange, token, IngestHTTPRequestSchema, IngestHTTPResponseSchema);
      case "IngestTCP":
        return this.#ingest(exchange, token, IngestTCPRequestSchema, IngestTCPResponseSchema);
      case "IngestDNS":
        return this.#ingest(exchange, token, IngestDNSRequestSchema, IngestDNSResponseSchema);
      default:
        // No batch, no heartbeat, no push channel.
        return exchange.notFound();
    }
  }

  #monitors(exchange: Exchange, token: unknown): void {
    if (token !== this.#options.token)
      return exchange.fail(401, "unauthenticated", "unknown or missing token");
    this.#pulls += 1;
    const whole = create(MonitorsResponseSchema, this.#options.assigned);
    // Every second answer has the first monitor of each kind twice.
    if (this.#pulls % 2 === 1) {
      whole.httpMonitors.push(...whole.httpMonitors.slice(0, 1));
      whole.tcpMonitors.push(...whole.tcpMonitors.slice(0, 1));
      whole.dnsMonitors.push(...whole.dnsMonitors.slice(0, 1));
    }
    exchange.succeed(MonitorsResponseSchema, whole);
  }

  #ingest(exchange: Exchange, token: unknown, request: IngestSchema, answer: DescMessage): void {
    if (typeof token !== "string" || token === "")
      return exchange.fail(401, "unauthenticated", "missing token");
    const result: ExistingResult = exchange.read(request);
    if (result.monitorId === "" || result.latency < 0n || result.timestamp <= 0n)
      return exchange.fail(400, "invalid_argument", "monitorId, latency or timestamp");
    if (token !== this.#options.token || !this.#assigns(result.monitorId))
      return exchange.fail(500, "internal", "sql: no rows in result set");
    this.stored.push(result);
    this.lastSeenAt = Math.floor(Date.now() / 1000);
    const last = this.taken.findLast(({ monitorId }) => monitorId === result.monitorId);
    const isNewer = last === undefined || result.cronTimestamp > last.cronTimestamp;
    (isNewer ? this.taken : this.passedOver).push(result);
    exchange.succeed(answer, create(answer));
  }

  #assigns(monitorId: string): boolean {
    const { httpMonitors = [], tcpMonitors = [], dnsMonitors = [] } = this.#options.assigned;
    return [...httpMonitors, ...tcpMonitors, ...dnsMonitors].some(({ id }) => id === monitorId);
  }
}

const mount = "/private_location.v1.PrivateLocationService/";

/** One unary call of the Connect protocol, in either codec. */
class Exchange {
  readonly #request: http.IncomingMessage;
  readonly #response: http.ServerResponse;
  readonly #body: Buffer;

  constructor(request: http.IncomingMessage, response: http.ServerResponse, body: Buffer) {
    this.#request = request;
    this.#response = response;
    this.#body = body;
  }

  get #isJson(): boolean {
    return (this.#request.headers["content-type"] ?? "").startsWith("application/json");
  }

  read<D extends DescMessage>(schema: D): MessageShape<D> {
    return this.#isJson
      ? fromJsonString(schema, String(this.#body))
      : fromBinary(schema, this.#body);
  }

  succeed<D extends DescMessage>(schema: D, message: MessageShape<D>): void {
    const body = this.#isJson
      ? Buffer.from(toJsonString(schema, message))
      : toBinary(schema, message);
    this.#send(200, this.#isJson ? "application/json" : "application/proto", body);
  }

  fail(status: number, code: string, message: string): void {
    this.#send(status, "application/json", Buffer.from(JSON.stringify({ code, message })));
  }

  notFound(): void {
    this.#response.writeHead(404, { "content-type": "text/plain; charset=utf-8" });
    this.#response.end("404 page not found\n");
  }

  #send(status: number, type: string, body: Uint8Array): void {
    const packs = (this.#request.headers["accept-encoding"] ?? "").includes("gzip");
    const headers = packs ? { "content-encoding": "gzip" } : {};
    this.#response.writeHead(status, { "content-type": type, ...headers });
    this.#response.end(packs ? gzipSync(body) : body);
  }
}
