import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { ConnectRouter } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import type { Clock } from "#clock";
import * as limits from "#limits";
import type { Logger } from "#log";
import { type Admin, adminOf } from "#service/admin";
import { agentApi } from "#service/agent-api";
import { type Database, openDatabase } from "#service/database";
import { Instances } from "#service/instances";
import { Keys, scopesOf } from "#service/keys";
import { locationApi } from "#service/location-api";
import { Locations } from "#service/locations";
import { monitorApi } from "#service/monitor-api";
import { Monitors } from "#service/monitors";
import { Refusal } from "#service/refusal";
import { Results } from "#service/results";

export interface ServiceOptions {
  /** The SQLite file; made when it is not there. */
  readonly database: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A running service; disposing it ends the requests under way and closes the file. */
export interface Service extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly admin: Admin;
}

/** Starts the self-hosted service. Throws a sentence when the file or the port cannot be used. */
export async function startService(options: ServiceOptions): Promise<Service> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(openDatabase(options.database));
  const rooms = roomsOf(database, options.clock);
  const server = serverOf(rooms, options.log);
  server.listen(options.port, options.host);
  await once(server, "listening");
  opened.defer(() => close(server));
  const forgetting = new AbortController();
  const forgotten = forget(rooms, options, forgetting.signal);
  opened.defer(async () => {
    forgetting.abort();
    await forgotten;
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the service has no port");
  const life = opened.move();
  return {
    url: `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${address.port}`,
    port: address.port,
    admin: adminOf(rooms.keys, rooms.monitors, rooms.locations),
    [Symbol.asyncDispose]: () => life.disposeAsync(),
  };
}

/** The key store alone, for commands that manage keys while the service may be running. */
export function openKeys(file: string, clock: Clock): { readonly keys: Keys } & Disposable {
  const database = openDatabase(file);
  return { keys: new Keys(database, clock), [Symbol.dispose]: () => database[Symbol.dispose]() };
}

interface Rooms {
  readonly database: Database;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly locations: Locations;
  readonly monitors: Monitors;
  readonly results: Results;
  readonly instances: Instances;
}

function roomsOf(database: Database, clock: Clock): Rooms {
  const locations = new Locations(database, clock);
  return {
    database,
    clock,
    locations,
    keys: new Keys(database, clock),
    monitors: new Monitors(database, clock, (id) => locations.monitorChanged(id)),
    results: new Results(database, clock),
    instances: new Instances(database, clock),
  };
}

function serverOf(rooms: Rooms, log: Logger): Server {
  const connect = connectNodeAdapter({
    routes: (router) => routes(router, rooms),
    readMaxBytes: limits.serviceRequestBytesMax,
    writeMaxBytes: limits.serviceAnswerBytesMax,
  });
  const server = createServer(
    { requestTimeout: limits.serviceRequestTimeout },
    (request, response) => {
      if (isCall(request.url ?? "")) connect(request, response);
      else answerPlainly(request, response, rooms.keys, log);
    },
  );
  server.headersTimeout = limits.serviceRequestTimeout;
  return server;
}

/** Calls of the contract are at /package.vN.Service/Method. */
const isCall = (url: string): boolean => /^\/(private_location|monitor)\.v1\.\w+\/\w+/.test(url);

function routes(router: ConnectRouter, rooms: Rooms): void {
  const authorize: Parameters<typeof monitorApi>[1]["authorize"] = (context, scope) => {
    const key = rooms.keys.authenticate(context.requestHeader.get(keyHeader));
    if (scope === "write" && key.scope === "read")
      throw new Refusal("permission_denied", "the API key may only read");
  };
  agentApi(router, rooms);
  monitorApi(router, { ...rooms, authorize });
  locationApi(router, { ...rooms, authorize });
}

const keyHeader = "x-service-key";

/** What is not a call of the contract: whoami, a sign of life, and everything that is not there. */
function answerPlainly(
  request: IncomingMessage,
  response: ServerResponse,
  keys: Keys,
  log: Logger,
): void {
  const [path] = (request.url ?? "").split("?");
  try {
    if (path === "/v1/whoami") return answer(request, response, () => whoami(request, keys));
    if (path === "/healthz") return answer(request, response, () => ({ status: "ok" }));
    send(response, 404, { code: "not_found", message: "there is nothing here" });
  } catch (error) {
    if (error instanceof Refusal && error.code === "unauthenticated")
      return send(response, 401, { code: error.code, message: error.message });
    log.error("a request failed by a fault of the service", { error: String(error) });
    send(response, 500, { code: "internal", message: "a fault of the service" });
  }
}

function answer(request: IncomingMessage, response: ServerResponse, body: () => object): void {
  if (request.method === "GET" || request.method === "HEAD") return send(response, 200, body());
  response.setHeader("Allow", "GET, HEAD");
  send(response, 405, { code: "unimplemented", message: "only GET is understood here" });
}

function whoami(request: IncomingMessage, keys: Keys): object {
  const header = request.headers[keyHeader];
  const key = keys.authenticate(typeof header === "string" ? header : null);
  return {
    name: "Picket",
    slug: "picket",
    plan: "self-hosted",
    actor: { type: "api_key", keyId: key.id, scopes: scopesOf(key) },
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(response.req.method === "HEAD" ? undefined : text);
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  // A kept-alive connection without a request would hold the server open.
  server.closeIdleConnections();
  await closed;
}

/** Forgets what is old every few minutes; a failure is said and tried again the next time. */
async function forget(
  { results, instances, locations }: Rooms,
  { clock, log }: ServiceOptions,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const forgotten = results.forgetOld();
      instances.forgetOld();
      locations.forgetOldTokens();
      if (forgotten > 0) log.debug("forgot old results", { results: forgotten });
    } catch (error) {
      log.error("could not forget what is old", { error: String(error) });
    }
    await clock.sleep(limits.forgetEvery, signal);
  }
}
