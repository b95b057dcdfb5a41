import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { Clock } from "#clock";
import * as limits from "#limits";
import { listenObstacle, reachedAt } from "#network/listen-address";
import { keepRoom } from "#network/connection-room";
import type { Logger } from "#log";
import { type Admin, adminOf } from "#service/admin";
import { answerCalls } from "#service/calls";
import { type Database, openDatabase } from "#service/database";
import { Instances } from "#service/instances";
import { Judging } from "#service/judge/judging";
import { Keys } from "#service/keys";
import { Locations } from "#service/locations";
import { Monitors } from "#service/monitors";
import { plainAnswers } from "#service/plain-answers";
import { Results } from "#service/results";
import { Sharing } from "#service/sharing";
import { Watch } from "#service/watch-endpoint";
import { showHostPort } from "#network/host-port";

export interface ServiceOptions {
  /** The SQLite file; made when it is not there. */
  readonly database: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A running service; disposing it lets the requests under way end, up to a limit, and closes the file. */
export interface Service extends AsyncDisposable {
  /** As this machine reaches it, also where it listens on every address. */
  readonly url: string;
  readonly port: number;
  readonly admin: Admin;
  /** Cuts off the requests under way, for who does not want to wait for them. */
  abandon(): void;
}

/** Starts the self-hosted service. Throws a sentence when the file or the port cannot be used. */
export async function startService(options: ServiceOptions): Promise<Service> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(openDatabase(options.database));
  const rooms = roomsOf(database, options);
  const server = serverOf(rooms, options.log);
  await listen(server, options);
  opened.defer(() => close(server, options.clock));
  opened.defer(() => rooms.watch.drain());
  const stopping = new AbortController();
  const loops = [
    forget(rooms, options, stopping.signal),
    rooms.watch.run(stopping.signal),
    rooms.judging.run(stopping.signal),
  ];
  opened.defer(async () => {
    stopping.abort();
    await Promise.all(loops);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the service has no port");
  const { host, port } = reachedAt({ host: options.host, port: address.port });
  const life = opened.move();
  return {
    url: `http://${showHostPort(host, port)}`,
    port,
    admin: adminOf(rooms.keys, rooms.monitors, rooms.locations),
    abandon: () => {
      rooms.watch.abandon();
      server.closeAllConnections();
    },
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
  readonly sharing: Sharing;
  readonly judging: Judging;
  readonly watch: Watch;
}

function roomsOf(database: Database, { clock, log }: ServiceOptions): Rooms {
  const locations = new Locations(database, clock);
  const instances = new Instances(database, clock);
  const monitors = new Monitors(database, clock, (id) => locations.monitorChanged(id));
  return {
    database,
    clock,
    locations,
    keys: new Keys(database, clock),
    monitors,
    instances,
    sharing: new Sharing(instances, monitors, clock),
    results: new Results(database, clock),
    judging: new Judging(database, monitors, locations, { clock, log }),
    watch: new Watch(locations, clock, log),
  };
}

function serverOf(rooms: Rooms, log: Logger): Server {
  const { keys, watch } = rooms;
  const server = createServer(
    {
      requestTimeout: limits.serviceRequestTimeout,
      shouldUpgradeCallback: (request) => watch.admits(request),
    },
    answerCalls(rooms, log, plainAnswers(keys, watch, log)),
  );
  server.on("upgrade", (request, socket, head) => watch.upgrade(request, socket, head));
  server.headersTimeout = limits.serviceRequestTimeout;
  keepRoom(server, limits.serviceConnectionsMax);
  return server;
}

async function listen(server: Server, { host, port }: ServiceOptions): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const code = Error.isError(error) && "code" in error ? error.code : null;
    const why = listenObstacle(typeof code === "string" ? code : String(error), { host, port });
    throw new Error(why, { cause: error });
  }
}

/** Lets the requests under way end. One whose client does not send on would hold the server, so there is a limit. */
async function close(server: Server, clock: Clock): Promise<void> {
  const closed = new AbortController();
  server.close(() => closed.abort());
  // A kept-alive connection without a request would hold the server open.
  server.closeIdleConnections();
  await clock.sleep(limits.serviceDrainTimeout, closed.signal);
  server.closeAllConnections();
}

/** Forgets what is old every few minutes; a failure is said and tried again the next time. */
async function forget(
  rooms: Rooms,
  { clock, log }: ServiceOptions,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      rooms.instances.forgetOld();
      rooms.locations.forgetOldTokens();
      await forgetResults(rooms, signal);
    } catch (error) {
      log.error("could not forget what is old", { "error.message": String(error) });
    }
    await clock.sleep(limits.forgetEvery, signal);
  }
}

/** A little at a time, because nothing is answered while the database works. */
async function forgetResults({ results, clock }: Rooms, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && results.forgetSome() > 0) await clock.sleep(limits.forgetPause, signal);
}
