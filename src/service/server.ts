import type { Block } from "#network/address-block";
import { type Admin, adminOf } from "#service/admin";
import { Drain } from "#base/drain";
import * as alertsLimits from "#limits/alerts-limits";
import { courierOf } from "#service/alerts/alert-delivery";
import type { StopSignals } from "#service/alerts/turn-room";
import { answerCalls } from "#service/calls";
import { type FrontDoor, frontDoor } from "#service/edge/front-door";
import { heartbeats } from "#service/outgoing-heartbeat";
import { takingKeyFrom } from "#service/edge/key-headers";
import { operatorPages, type PageAccess } from "#service/operator/operator-pages";
import { keepPictures } from "#service/operator/picture-upkeep";
import { plainAnswers } from "#service/plain-answers";
import { keyBeside, refuseLost } from "#service/lost-database";
import { openBoxOf, type SecretBox } from "#service/edge/secret-box";
import { MailServer } from "#service/edge/mail-server";
import { PublicAddress } from "#service/edge/public-address";
import { seldomLog } from "#service/edge/seldom-log";
import type { RequestListeners, ServerIdentity } from "#service/edge/web-server";
import { OwnDomains } from "#service/status-site/own-domains";
import { statusSite } from "#service/status-site/status-site";
import { openStore } from "#service/store/open-store";
import type { Store } from "#service/store/store";
import { answeredHost } from "#web/answered-host";
import {
  aboutDefault,
  type GivenByOwners,
  notifyingDirectly,
  type Rooms,
  type RoomsOptions,
  roomsOf,
} from "#service/service-rooms";

export interface ServiceOptions extends RoomsOptions {
  /** A SQLite file, made when it is not there, or `postgres://…`. */
  readonly database: string;
  /**
   * Holds the key of what is sealed in the database. It is next to the database if nothing is said, so that a copy of
   * that alone shows no secret; with PostgreSQL every replica has the same.
   */
  readonly secretFile?: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Names of headers, in small letters, in which a key is taken too. */
  readonly keyHeaders?: readonly string[];
  /** TLS is spoken with it; plain http without. */
  readonly identity?: ServerIdentity;
  /** Who may see the operator's pages. */
  readonly pages?: PageAccess["kind"];
  /** What is fetched once a minute while the service works, for a watcher elsewhere. */
  readonly heartbeatUrl?: string;
  /** Proxies of ours, whose X-Forwarded-For says whose request it is. */
  readonly trustedProxies?: readonly Block[];
  /** Is given what the opening of the database says of how far it is. */
  readonly onProgress?: (sentence: string) => void;
  /** Ends a start that is no longer wanted: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Opens the store in place of the usual way, for tests. */
  readonly opensStore?: typeof openStore;
}

/** A running service; disposing it lets requests and messages under way end, up to a limit, and closes the file. */
export interface Service extends AsyncDisposable {
  /** As this machine reaches it, also if it listens on every address. */
  readonly url: string;
  readonly port: number;
  readonly admin: Admin;
  /** Shows another certificate from the next connection on; those that are open keep theirs. */
  renew(identity: ServerIdentity): void;
  /** Cuts off what is under way, for whoever does not want to wait for it. */
  abandon(): void;
}

/**
 * Starts the self-hosted service. It listens at once, and takes calls when its database is open. Throws a sentence when
 * the file or the port cannot be used.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { secretFile = keyBeside(options.database) } = options;
  refuseLost(options.database, secretFile);
  await using opened = new AsyncDisposableStack();
  const door = opened.use(await frontDoor(options));
  const store = opened.use(await storeBehind(door, options));
  const box = await openBoxOf(secretFile, () => store.state.settings.hasSealed());
  const given = await givenByOwners(store, box, door.url, options);
  const rooms = roomsOf(store, box, given, options);
  opened.use(rooms.results);
  opened.use(rooms.sender);
  opened.use(rooms.letterPost);
  await store.state.locations.endSignsBy(rooms.clock.wall());
  const courier = await courierOf(rooms, options);
  // So that it is known which requests are for status pages, also while the database is away.
  await rooms.published.names();
  // The requests under way have to end before the store does.
  opened.defer(() => door[Symbol.asyncDispose]());
  opened.defer(() => rooms.watch.drain());
  door.open(answersOf(rooms, options));
  const stopping = new AbortController();
  const drain = opened.use(new Drain(stopping.signal, alertsLimits.deliveryDrain, rooms.clock));
  const stops = { stopping: stopping.signal, cutOff: drain.signal };
  const loops = loopsOf(rooms, courier, options, stops);
  opened.defer(async () => {
    stopping.abort();
    await Promise.all(loops);
  });
  const life = opened.move();
  return {
    url: door.url,
    port: door.port,
    renew: door.renew,
    admin: adminOf(rooms.keys, rooms.monitors, rooms.locations),
    abandon: () => {
      drain.cutOff();
      rooms.watch.abandon();
      door.cutOff();
    },
    [Symbol.asyncDispose]: () => life.disposeAsync(),
  };
}

async function givenByOwners(
  store: Store,
  box: SecretBox,
  url: string,
  options: ServiceOptions,
): Promise<GivenByOwners> {
  return {
    publicAddress: await publicAddressOf(store, url, options),
    mailServer: await mailServerOf(store, box, options),
  };
}

/** Whoever gets messages of a service on their own machine opens its pages there, if no setting says another address. */
async function publicAddressOf(
  store: Store,
  url: string,
  { pages, publicUrl }: ServiceOptions,
): Promise<PublicAddress> {
  const local = pages === "local" ? url : null;
  const address = new PublicAddress(store.state.settings, { setting: publicUrl ?? null, local });
  await address.read();
  return address;
}

/** The environment's server wins over the one that an owner gave. */
async function mailServerOf(
  store: Store,
  box: SecretBox,
  { notifying: { accounts } = notifyingDirectly }: ServiceOptions,
): Promise<MailServer> {
  const { smtp, dkim } = accounts;
  const server = new MailServer(store.state.settings, box, { setting: smtp, dkim });
  await server.read();
  return server;
}

/** What the service does by itself, until it is stopped. What is being sent then may end. */
function loopsOf(
  rooms: Rooms,
  courier: Awaited<ReturnType<typeof courierOf>>,
  options: ServiceOptions,
  stops: StopSignals,
): readonly Promise<void>[] {
  const { stopping: signal } = stops;
  const { replica, judging, upkeep, watch, letters, clock, managed } = rooms;
  const taken = (): void => {
    judging.takeOver();
    upkeep.ring();
  };
  return [
    replica.run(signal, taken),
    upkeep.run(signal),
    watch.run(signal),
    rooms.publicAddress.run(clock, signal),
    rooms.mailServer.run(clock, signal),
    rooms.signIns.run(signal),
    rooms.passwordAsks.run(stops),
    judging.run(signal),
    courier.run(stops),
    heartbeats(rooms, courier, { notifying: notifyingDirectly, ...options }, signal),
    ...letters.map((one) => one.run(stops)),
    rooms.moments.run(signal),
    keepPictures(rooms, signal),
    ...(managed === null ? [] : [managed.run(signal)]),
  ];
}

/** Opens the store; whoever calls meanwhile gets how far that is. */
function storeBehind(door: FrontDoor, options: ServiceOptions): Promise<Store> {
  const { database, log, signal, opensStore = openStore } = options;
  const onProgress = (sentence: string): void => {
    door.say(sentence);
    log.info(sentence, { "answers 503 meanwhile": door.url });
    options.onProgress?.(sentence);
  };
  const onDamage = (sentence: string): void => log.error(sentence);
  const place = { database, use: "service", onProgress, onDamage } as const;
  return opensStore(signal === undefined ? place : { ...place, signal });
}

function answersOf(rooms: Rooms, options: ServiceOptions): RequestListeners {
  const { about = aboutDefault, keyHeaders = [], trustedProxies = [] } = options;
  const log = seldomLog(options.log, rooms.clock);
  const { watch } = rooms;
  const operator = operatorPages(rooms, options, log);
  const plainly = plainAnswers({ ...rooms, about, trustedProxies }, log, operator.lost);
  const { publicAddress } = rooms;
  const answered = answeredHost(options, []);
  const domains = new OwnDomains({ published: rooms.published, answered, publicAddress });
  const site = {
    publicAddress,
    answered,
    domains,
    mails: rooms.mails,
    trustedProxies,
    drafts: operator.lost,
    log,
  };
  const pages = statusSite(rooms, site, operator.before(plainly));
  return {
    calls: domains.before(
      pages,
      takingKeyFrom(keyHeaders, answerCalls(rooms, { log, trustedProxies }, pages)),
    ),
    plainly: domains.before(pages, plainly),
    asksForChannel: (request) => watch.asked(request),
    openChannel: async (request, socket, head, refuse) => {
      if (await domains.has(request)) refuse();
      else await watch.upgrade(request, socket, head, refuse);
    },
  };
}
