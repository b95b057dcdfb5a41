import type { Clock } from "#clock";
import type { Logger } from "#log";
import type { Block } from "#network/address-block";
import { noAccounts } from "#notify/accounts";
import { HttpPost } from "#notify/http-post";
import type { Sender } from "#notify/provider";
import { openSender, type SenderOptions } from "#notify/sender";
import { type Admin, adminOf } from "#service/admin";
import { courierOf } from "#service/alerts/alert-delivery";
import { DeliveryCounts } from "#service/alerts/delivery-counts";
import { type AcknowledgeLinks, acknowledgeLinks } from "#service/alerts/links";
import { AssignmentAnswers } from "#service/assignment-answers";
import { Alerts } from "#service/alerts/alerts";
import type { ChannelBook } from "#service/alerts/channel-book";
import { StoredChannels } from "#service/alerts/stored-channels";
import { answerCalls } from "#service/calls";
import { Configurations } from "#service/configuration/configurations";
import {
  type ConfigurationFolder,
  folderOwner,
  ManagedFolder,
} from "#service/configuration/managed-folder";
import { NotificationChannels } from "#service/channels/notification-channels";
import { TestMessages } from "#service/channels/test-messages";
import type { ReadOnlyOwner } from "#service/configuration/object-guard";
import { type FrontDoor, frontDoor } from "#service/front-door";
import { type Health, healthOf } from "#service/health";
import { heartbeats } from "#service/outgoing-heartbeat";
import { Instances } from "#service/instances";
import { Judging } from "#service/judge/judging";
import { takingKeyFrom } from "#service/key-headers";
import { KeyPace } from "#service/key-pace";
import { Keys } from "#service/keys";
import { Locations } from "#service/locations";
import { Monitors } from "#service/monitors";
import { operatorPages, type PageAccess } from "#service/pages/operator-pages";
import { keepPictures } from "#service/pages/picture-upkeep";
import { Pictures } from "#service/pages/pictures";
import { type AboutService, plainAnswers } from "#service/plain-answers";
import { Replica } from "#service/replica";
import { Results } from "#service/results";
import { OidcProvider, type OidcSettings } from "#service/oidc/oidc-provider";
import { openBoxOf, type SecretBox } from "#service/secret-box";
import { seldomLog } from "#service/seldom-log";
import { Sharing } from "#service/sharing";
import { Upkeep, type UpkeepRooms } from "#service/upkeep";
import { Watch } from "#service/watch-endpoint";
import type { RequestListeners, ServerIdentity } from "#service/web-server";
import { type NewsRooms, newsRooms } from "#service/status/news/news-rooms";
import { PublishedPages } from "#service/status/published-pages";
import { StatusPages } from "#service/status/status-pages";
import { statusSite } from "#service/status/status-site";
import { SteadyClock } from "#steady-clock";
import { openStore } from "#store/open-store";
import type { Store } from "#store/store";
import { userAgent } from "#version";
import { answeredHost } from "#web/answered-host";

export interface ServiceOptions {
  /** A SQLite file, made when it is not there, or `postgres://…`. */
  readonly database: string;
  /**
   * Holds the key of what is sealed in the database. It is beside the database where nothing is said, so that a copy of
   * that alone shows no secret; with PostgreSQL every replica has the same.
   */
  readonly secretFile?: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly about?: AboutService;
  /** Names of headers, in small letters, in which a key is taken too. */
  readonly keyHeaders?: readonly string[];
  /** TLS is spoken with it; plain http without. */
  readonly identity?: ServerIdentity;
  /** Who may see the operator's pages. */
  readonly pages?: PageAccess["kind"];
  /** Files that say what the service is to have. */
  readonly configuration?: ConfigurationFolder;
  /** How notifications are sent; without it the service has no account anywhere, and goes directly. */
  readonly notifying?: NotificationWay;
  /** What is fetched once a minute while the service works, for a watcher elsewhere. */
  readonly heartbeatUrl?: string;
  /** Sends in place of the providers' own rules, for tests. */
  readonly sender?: Sender & AsyncDisposable;
  /** The service's address as people open it, for links in messages. */
  readonly publicUrl?: string;
  /** The identity provider with which people may sign in to the operator's pages. */
  readonly oidc?: OidcSettings;
  /** Proxies of ours, whose X-Forwarded-For says who reads a page. */
  readonly trustedProxies?: readonly Block[];
  /** Is given what the opening of the database says of how far it is. */
  readonly onProgress?: (sentence: string) => void;
  /** Ends a start that is no longer wanted: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Opens the store in place of the usual way, for tests. */
  readonly opensStore?: typeof openStore;
}

/** By which accounts and which way notifications are sent. */
export type NotificationWay = Omit<SenderOptions, "clock" | "userAgent">;

const notifyingDirectly: NotificationWay = {
  accounts: noAccounts,
  proxying: { proxy: null, exceptions: [] },
  secureContext: undefined,
  httpAllowed: false,
};

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

/**
 * Starts the self-hosted service. It listens at once, and takes calls when its database is open. Throws a sentence when
 * the file or the port cannot be used.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  await using opened = new AsyncDisposableStack();
  const door = opened.use(await frontDoor(options));
  const store = opened.use(await storeBehind(door, options));
  const { secretFile = `${options.database}.key` } = options;
  const box = await openBoxOf(secretFile, () => store.state.settings.hasSealed());
  const rooms = roomsOf(store, box, options);
  opened.use(rooms.results);
  opened.use(rooms.sender);
  opened.use(rooms.letterPost);
  await store.state.locations.endSignsBy(rooms.clock.wall());
  const courier = await courierOf(rooms, options);
  // The requests under way have to end before the store does.
  opened.defer(() => door[Symbol.asyncDispose]());
  opened.defer(() => rooms.watch.drain());
  door.open(answersOf(rooms, options));
  const stopping = new AbortController();
  const { replica, judging, upkeep, watch } = rooms;
  const taken = (): void => {
    judging.takeOver();
    upkeep.ring();
  };
  const loops = [
    replica.run(stopping.signal, taken),
    upkeep.run(stopping.signal),
    watch.run(stopping.signal),
    judging.run(stopping.signal),
    courier.run(stopping.signal),
    heartbeats(rooms, courier, { notifying: notifyingDirectly, ...options }, stopping.signal),
    ...rooms.letters.map((courier) => courier.run(stopping.signal)),
    keepPictures(rooms.pictures, rooms.clock, stopping.signal),
    ...(rooms.managed === null ? [] : [rooms.managed.run(stopping.signal)]),
  ];
  opened.defer(async () => {
    stopping.abort();
    await Promise.all(loops);
  });
  const life = opened.move();
  const { url, port, renew } = door;
  return {
    url,
    port,
    renew,
    admin: adminOf(rooms.keys, rooms.monitors, rooms.locations),
    abandon: () => {
      rooms.watch.abandon();
      door.cutOff();
    },
    [Symbol.asyncDispose]: () => life.disposeAsync(),
  };
}

/** Opens the store; whoever calls meanwhile gets how far that is. */
function storeBehind(door: FrontDoor, options: ServiceOptions): Promise<Store> {
  const { database, log, signal, opensStore = openStore } = options;
  const onProgress = (sentence: string): void => {
    door.say(sentence);
    log.info(sentence, { "answers 503 meanwhile": door.url });
    options.onProgress?.(sentence);
  };
  const place = { database, use: "service", onProgress } as const;
  return opensStore(signal === undefined ? place : { ...place, signal });
}

interface Rooms extends UpkeepRooms, NewsRooms {
  readonly keys: Keys;
  readonly pace: KeyPace;
  readonly health: Health;
  readonly monitors: Monitors;
  readonly sharing: Sharing;
  readonly assignments: AssignmentAnswers;
  readonly judging: Judging;
  readonly upkeep: Upkeep;
  readonly watch: Watch;
  readonly channels: NotificationChannels;
  readonly statusPages: StatusPages;
  readonly configurations: Configurations;
  readonly readOnly: ReadOnlyOwner | null;
  readonly published: PublishedPages;
  readonly pictures: Pictures;
  readonly managed: ManagedFolder | null;
  readonly book: ChannelBook;
  readonly counts: DeliveryCounts;
  readonly acknowledge: AcknowledgeLinks;
  readonly sender: Sender & AsyncDisposable;
  readonly testMessages: TestMessages;
  readonly box: SecretBox;
  readonly oidc: OidcProvider | null;
}

function roomsOf(
  store: Store,
  box: SecretBox,
  {
    clock: machineClock,
    log,
    notifying = notifyingDirectly,
    about = aboutDefault,
    publicUrl,
    sender: given,
    configuration: folder,
    oidc,
  }: ServiceOptions,
): Rooms {
  const clock = new SteadyClock(machineClock);
  const way = { ...notifying, clock: machineClock, userAgent: userAgent() };
  const sender = given ?? openSender(way);
  const http = new HttpPost(way);
  const { accounts } = notifying;
  const monitors = new Monitors(store, clock);
  const locations = new Locations(store, monitors, clock, box);
  const instances = new Instances(store, clock);
  const results = new Results(store, monitors, clock);
  const replica = new Replica(store.state.leases, { clock, log });
  const channels = new NotificationChannels(store, { monitors, box, accounts, clock });
  const { tokens } = locations;
  const statusPages = new StatusPages(store, { box, clock });
  const configurations = new Configurations(store, { channels, statusPages, tokens, clock });
  const book = new StoredChannels(store, channels);
  const alerts = new Alerts(store, { book, monitors, locations, instances, clock });
  const judging = new Judging(store, { monitors, locations, alerts, replica }, { clock, log });
  const upkept = { store, clock, replica, locations, results, instances };
  return {
    ...upkept,
    upkeep: new Upkeep(upkept, { clock: machineClock, log }),
    keys: new Keys(store, clock),
    pace: new KeyPace(clock),
    health: healthOf(store, clock),
    monitors,
    sharing: new Sharing(instances, monitors, clock),
    assignments: new AssignmentAnswers(store, monitors),
    judging,
    watch: new Watch(locations, { clock, log }),
    channels,
    statusPages,
    configurations,
    readOnly: folder === undefined ? null : { owner: folderOwner, folder: folder.folder },
    managed:
      folder === undefined ? null : new ManagedFolder(folder, configurations, { clock, log }),
    pictures: new Pictures({ store, clock, monitors, locations, judging }),
    published: new PublishedPages({ store, judging, clock }),
    book,
    counts: new DeliveryCounts(),
    acknowledge: acknowledgeLinks(box.keyFor("links")),
    sender,
    testMessages: new TestMessages(sender, { name: about.name, url: publicUrl ?? null }, clock),
    box,
    oidc: oidc === undefined ? null : new OidcProvider(oidc, { box, clock, http }),
    ...newsRooms({ store, box, clock, log, accounts, way, sender, publicUrl: publicUrl ?? null }),
  };
}

const aboutDefault: AboutService = { name: "Picket", slug: "picket" };

function answersOf(rooms: Rooms, options: ServiceOptions): RequestListeners {
  const { about = aboutDefault, keyHeaders = [] } = options;
  const log = seldomLog(options.log, rooms.clock);
  const { watch } = rooms;
  const plainly = plainAnswers({ ...rooms, about }, log);
  const site = {
    publicUrl: options.publicUrl ?? null,
    answered: answeredHost(options, []),
    mails: rooms.mails,
    trustedProxies: options.trustedProxies ?? [],
    log,
  };
  const pages = statusSite(rooms, site, operatorPages(rooms, options, log, plainly));
  return {
    calls: takingKeyFrom(keyHeaders, answerCalls(rooms, log, pages)),
    plainly,
    asksForChannel: (request) => watch.asked(request),
    openChannel: (request, socket, head, refuse) => watch.upgrade(request, socket, head, refuse),
  };
}
