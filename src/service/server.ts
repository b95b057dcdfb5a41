import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { Clock } from "#clock";
import * as limits from "#limits";
import { listenObstacle, reachedAt } from "#network/listen-address";
import { keepRoom } from "#network/connection-room";
import type { Logger } from "#log";
import { type Admin, adminOf } from "#service/admin";
import { answerCalls } from "#service/calls";
import { type Database, makePrivate, openDatabase } from "#service/database";
import { type Health, healthOf } from "#service/health";
import { Instances } from "#service/instances";
import { Judging } from "#service/judge/judging";
import { KeyPace } from "#service/key-pace";
import { Keys } from "#service/keys";
import { Locations } from "#service/locations";
import { Monitors } from "#service/monitors";
import { plainAnswers } from "#service/plain-answers";
import { Results } from "#service/results";
import { openSecretBox, type SecretBox } from "#service/secret-box";
import { Sharing } from "#service/sharing";
import { endSignsBy, shiftSigns } from "#service/signs-of-life";
import { Watch } from "#service/watch-endpoint";
import { lockFile } from "#state/file-lock";
import { SteadyClock } from "#steady-clock";
import { showHostPort } from "#network/host-port";

export interface ServiceOptions {
  /** The SQLite file; made when it is not there. */
  readonly database: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** TLS is spoken with it; plain http without. */
  readonly identity?: ServerIdentity;
}

/** A certificate, with those of its chain behind it, and its key, both as PEM. */
export interface ServerIdentity {
  readonly certificate: string;
  readonly key: string;
}

/** A running service; disposing it lets the requests under way end, up to a limit, and closes the file. */
export interface Service extends AsyncDisposable {
  /** As this machine reaches it, also where it listens on every address. */
  readonly url: string;
  readonly port: number;
  readonly admin: Admin;
  /** Shows another certificate from the next connection on; those that are open keep theirs. */
  renew(identity: ServerIdentity): void;
  /** Cuts off the requests under way, for who does not want to wait for them. */
  abandon(): void;
}

/** Starts the self-hosted service. Throws a sentence when the file or the port cannot be used. */
export async function startService(options: ServiceOptions): Promise<Service> {
  await using opened = new AsyncDisposableStack();
  opened.use(lockDatabase(options.database));
  const database = opened.use(openDatabase(options.database));
  const box = openSecretBox(secretFileOf(options.database));
  const rooms = roomsOf(database, box, options);
  endSignsBy(database, rooms.clock.wall());
  database.stopWaiting();
  const { server, renew, cutOff } = serverOf(rooms, options);
  await listen(server, options);
  opened.defer(() => close(server, cutOff, options.clock));
  opened.defer(() => rooms.watch.drain());
  const stopping = new AbortController();
  const loops = [
    forget(rooms, options, stopping.signal),
    keepTime(rooms, options, stopping.signal),
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
    url: `${options.identity === undefined ? "http" : "https"}://${showHostPort(host, port)}`,
    port,
    renew,
    admin: adminOf(rooms.keys, rooms.monitors, rooms.locations),
    abandon: () => {
      rooms.watch.abandon();
      cutOff();
    },
    [Symbol.asyncDispose]: () => life.disposeAsync(),
  };
}

/** One service a database: two would give each other's agents their monitors, and both keep quiet about it. */
function lockDatabase(file: string): Disposable {
  makePrivate(file);
  const lock = lockFile(`${file}.lock`);
  if (lock !== null) return lock;
  throw new Error(
    `another Picket runs a service on the database ${file}: stop that one first, or give another file`,
  );
}

/** The key store alone, for commands that manage keys while the service may be running. */
export function openKeys(file: string, clock: Clock): { readonly keys: Keys } & Disposable {
  const database = openDatabase(file);
  return { keys: new Keys(database, clock), [Symbol.dispose]: () => database[Symbol.dispose]() };
}

interface Rooms {
  readonly database: Database;
  readonly clock: SteadyClock;
  readonly keys: Keys;
  readonly pace: KeyPace;
  readonly health: Health;
  readonly locations: Locations;
  readonly monitors: Monitors;
  readonly results: Results;
  readonly instances: Instances;
  readonly sharing: Sharing;
  readonly judging: Judging;
  readonly watch: Watch;
}

/** Beside the database, so that a copy of that alone tells no secret. */
const secretFileOf = (database: string): string => `${database}.key`;

function roomsOf(
  database: Database,
  box: SecretBox,
  { clock: machineClock, log }: ServiceOptions,
): Rooms {
  const clock = new SteadyClock(machineClock);
  const locations = new Locations(database, clock, box);
  const instances = new Instances(database, clock);
  const monitors = new Monitors(database, clock, (id) => locations.monitorChanged(id));
  return {
    database,
    clock,
    locations,
    keys: new Keys(database, clock),
    pace: new KeyPace(clock),
    health: healthOf({ database, clock }),
    monitors,
    instances,
    sharing: new Sharing(instances, monitors, clock),
    results: new Results(database, clock),
    judging: new Judging(database, monitors, locations, { clock, log }),
    watch: new Watch(locations, clock, log),
  };
}

interface Listening {
  readonly server: Server | TlsServer;
  readonly renew: Service["renew"];
  /** Drops every connection, handshakes included. */
  readonly cutOff: () => void;
}

function serverOf(rooms: Rooms, { log, identity }: ServiceOptions): Listening {
  const { keys, pace, watch, health } = rooms;
  const options = {
    requestTimeout: limits.serviceRequestTimeout,
    shouldUpgradeCallback: (request: IncomingMessage) => watch.admits(request),
  };
  const calls = answerCalls(rooms, log, plainAnswers(keys, pace, watch, health, log));
  const { server, renew } =
    identity === undefined ? plain(options, calls) : secure(options, calls, identity);
  server.on("upgrade", (request, socket, head) => watch.upgrade(request, socket, head));
  server.headersTimeout = limits.serviceRequestTimeout;
  return { server, renew, cutOff: keepRoom(server, limits.serviceConnectionsMax) };
}

const plain = (options: ServerOptions, calls: RequestListener): Omit<Listening, "cutOff"> => ({
  server: createServer(options, calls),
  renew: () => {
    throw new TypeError("a service that speaks plain http has no certificate");
  },
});

function secure(
  options: ServerOptions,
  calls: RequestListener,
  identity: ServerIdentity,
): Omit<Listening, "cutOff"> {
  const server = createTlsServer(
    { ...options, ...tlsOf(identity), handshakeTimeout: limits.serviceRequestTimeout },
    calls,
  );
  return { server, renew: (renewed) => server.setSecureContext(tlsOf(renewed)) };
}

const tlsOf = ({ certificate: cert, key }: ServerIdentity) =>
  ({ cert, key, minVersion: "TLSv1.2" }) as const;

async function listen(server: Server | TlsServer, { host, port }: ServiceOptions): Promise<void> {
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
async function close(server: Server | TlsServer, cutOff: () => void, clock: Clock): Promise<void> {
  const closed = new AbortController();
  server.close(() => closed.abort());
  // A kept-alive connection without a request would hold the server open.
  server.closeIdleConnections();
  await clock.sleep(limits.serviceDrainTimeout, closed.signal);
  cutOff();
}

/** Follows the machine's clock: small corrections at once, one that was set when it has stood for a while. */
async function keepTime(
  { clock, database }: Rooms,
  { log }: ServiceOptions,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const { noticed, taken } = clock.look();
    if (noticed !== 0)
      log.warn(
        `this machine's clock was set: the service keeps its own time, unless the new one stands for ${limits.wallStepTakenAfter / 60_000} minutes`,
        { "step in seconds": noticed / 1000 },
      );
    try {
      if (taken !== 0) shiftSigns(database, taken);
    } catch (error) {
      log.error("could not note that the clock was set", { "error.message": String(error) });
    }
    await clock.sleep(limits.wallLookEvery, signal);
  }
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
      rooms.locations.tokens.forgetOld();
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
