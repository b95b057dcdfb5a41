import type { Clock } from "#base/clock";
import type { Logger } from "#base/log";
import { type Accounts, noAccounts, type SmtpAccount } from "#service/notify/accounts";
import { HttpPost } from "#service/notify/http-post";
import type { Sender } from "#service/notify/provider";
import { openSender, type SenderOptions } from "#service/notify/sender";
import { AgentClocks } from "#service/agents/agent-clocks";
import { Alerts } from "#service/alerts/alerts";
import type { ChannelBook } from "#service/alerts/channel-book";
import { DeliveryCounts } from "#service/alerts/delivery-counts";
import { type AcknowledgeLinks, acknowledgeLinks } from "#service/alerts/links";
import { StoredChannels } from "#service/alerts/stored-channels";
import { AssignmentAnswers } from "#service/agents/assignment-answers";
import { NotificationChannels } from "#service/channels/notification-channels";
import { TestMessages } from "#service/channels/test-messages";
import { AgentDownload } from "#service/downloads/agent-download";
import { Configurations } from "#service/configuration/configurations";
import {
  type ConfigurationFolder,
  folderOwner,
  ManagedFolder,
} from "#service/configuration/managed-folder";
import type { ReadOnlyOwner } from "#service/configuration/object-guard";
import { type Health, healthOf } from "#service/health";
import { Instances } from "#service/agents/instances";
import { Judging } from "#service/judge/judging";
import { KeyPace } from "#service/edge/key-pace";
import { Keys } from "#service/edge/keys";
import { Locations } from "#service/agents/locations";
import { Monitors } from "#service/monitors/monitors";
import { LinkMail } from "#service/people/link-mail";
import { PasswordAsks } from "#service/people/password-asks";
import { People } from "#service/people/people";
import { SignInRecord } from "#service/people/sign-in-record";
import { Passkeys } from "#service/people/passkeys";
import { SecondFactors } from "#service/people/second-factors";
import { OidcProvider, type OidcSettings } from "#service/oidc/oidc-provider";
import { Pictures } from "#service/operator/pictures";
import type { AboutService } from "#service/plain-answers";
import { Replica } from "#service/edge/replica";
import { Results } from "#service/agents/results";
import type { MailServer } from "#service/edge/mail-server";
import { type PublicAddress, serviceNamed } from "#service/edge/public-address";
import type { SecretBox } from "#service/edge/secret-box";
import { Sharing } from "#service/agents/sharing";
import { type NewsRooms, newsRooms } from "#service/status-site/news/news-rooms";
import { type LookUp, systemLookUp } from "#service/status-site/domain-look-up";
import { DomainLooks } from "#service/status-site/domain-looks";
import { PublishedPages } from "#service/status-site/published-pages";
import { StatusPages } from "#service/status-site/status-pages";
import { Upkeep, type UpkeepRooms } from "#service/upkeep";
import { Watch } from "#service/api/watch-endpoint";
import { SteadyClock } from "#base/steady-clock";
import type { Store } from "#service/store/store";
import type { Millis } from "#base/units";
import { userAgent } from "#base/version";
import * as limits from "#limits/service-limits";

/** What the rooms of a service are made of. */
export interface RoomsOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly about?: AboutService;
  /** How often an API key may call, unless it is the default. */
  readonly callsPerSecond?: number;
  /** How old results are when they are packed, unless it is the default. */
  readonly packAfter?: Millis;
  /** Files that say what the service is to have. */
  readonly configuration?: ConfigurationFolder;
  /** How notifications are sent; without it the service has no account anywhere, and goes directly. */
  readonly notifying?: NotificationWay;
  /** Sends in place of the providers' own rules, for tests. */
  readonly sender?: Sender & AsyncDisposable;
  /** Looks up the domains of status pages in place of this machine's resolver, for tests. */
  readonly lookUp?: LookUp;
  /** The service's address as people open it, for links in messages and on status pages. */
  readonly publicUrl?: string;
  /** The identity provider with which people may sign in to the operator's pages. */
  readonly oidc?: OidcSettings;
}

/** By which accounts and which way notifications are sent. */
export type NotificationWay = Omit<SenderOptions, "clock" | "userAgent">;

export const notifyingDirectly: NotificationWay = {
  accounts: noAccounts,
  proxying: { proxy: null, exceptions: [] },
  secureContext: undefined,
  httpAllowed: false,
};

/** Everything that a running service holds. */
export interface Rooms extends UpkeepRooms, NewsRooms {
  readonly keys: Keys;
  readonly people: People;
  readonly signIns: SignInRecord;
  readonly factors: SecondFactors;
  readonly passkeys: Passkeys;
  readonly publicAddress: PublicAddress;
  readonly mailServer: MailServer;
  readonly linkMail: LinkMail;
  readonly passwordAsks: PasswordAsks;
  readonly pace: KeyPace;
  readonly health: Health;
  readonly download: AgentDownload;
  readonly monitors: Monitors;
  readonly sharing: Sharing;
  readonly clocks: AgentClocks;
  readonly assignments: AssignmentAnswers;
  readonly judging: Judging;
  readonly upkeep: Upkeep;
  readonly watch: Watch;
  readonly channels: NotificationChannels;
  readonly statusPages: StatusPages;
  readonly configurations: Configurations;
  readonly readOnly: ReadOnlyOwner | null;
  readonly published: PublishedPages;
  readonly domainLooks: DomainLooks;
  readonly pictures: Pictures;
  readonly managed: ManagedFolder | null;
  readonly book: ChannelBook;
  readonly counts: DeliveryCounts;
  readonly acknowledge: AcknowledgeLinks;
  readonly sender: Sender & AsyncDisposable;
  /** Sends by a mail server that is tried. */
  readonly senderBy: (smtp: SmtpAccount) => Sender & AsyncDisposable;
  readonly testMessages: TestMessages;
  readonly box: SecretBox;
  readonly oidc: OidcProvider | null;
}

/** What owners may say on the pages while it runs. */
export interface GivenByOwners {
  readonly publicAddress: PublicAddress;
  readonly mailServer: MailServer;
}

/** Makes them, each after those that it needs. */
export function roomsOf(
  store: Store,
  box: SecretBox,
  { publicAddress, mailServer }: GivenByOwners,
  options: RoomsOptions,
): Rooms {
  const estate = estateOf(store, box, options);
  const outside = outsideOf(mailServer, options);
  const judging = judgingOf(estate, outside, options);
  const { clock, monitors, locations, instances } = estate;
  const { log, about = aboutDefault } = options;
  const sharing = new Sharing(store, instances, monitors, clock);
  const news = newsRooms({ store, box, clock, log, publicAddress, ...outside });
  const { accounts } = outside;
  const named = serviceNamed(about.name, publicAddress);
  return {
    ...estate,
    ...judging,
    ...configuredOf(judging, { ...estate, publicAddress }, options),
    ...shownOf(judging, estate, outside, options),
    ...news,
    publicAddress,
    mailServer,
    testMessages: new TestMessages(outside.sender, named, clock, store.alerts.deliveries),
    upkeep: upkeepOf(estate, options),
    keys: new Keys(store, clock),
    ...peopleOf(estate, new LinkMail({ post: news.letterPost, accounts, publicAddress }), log),
    pace: new KeyPace(clock, options.callsPerSecond),
    health: healthOf(store, { clock, log }),
    download: new AgentDownload({ clock, log }),
    sharing,
    clocks: new AgentClocks(clock, log),
    assignments: new AssignmentAnswers(store, monitors, sharing),
    watch: new Watch(locations, { clock, log }),
    counts: new DeliveryCounts(),
    acknowledge: acknowledgeLinks(box.keyFor("links")),
  };
}

/** Who signs in, and by what. */
function peopleOf({ store, box, clock }: Estate, linkMail: LinkMail, log: Logger) {
  const people = new People(store, clock);
  return {
    people,
    linkMail,
    passwordAsks: new PasswordAsks({ people, store, mail: linkMail, clock, log }),
    signIns: new SignInRecord(store.audit, { clock, log }),
    factors: new SecondFactors(store, { box, clock }),
    passkeys: new Passkeys(store, { box, clock }),
  };
}

/** Monitors, locations, agents and results, as the database has them. */
function estateOf(store: Store, box: SecretBox, { clock: machineClock, log }: RoomsOptions) {
  const clock = new SteadyClock(machineClock);
  const monitors = new Monitors(store, clock);
  return {
    store,
    box,
    clock,
    monitors,
    locations: new Locations(store, monitors, clock, box),
    instances: new Instances(store, clock),
    results: new Results(store, monitors, clock),
    replica: new Replica(store.state.leases, { clock, log }),
  };
}
type Estate = ReturnType<typeof estateOf>;

const upkeepOf = (
  estate: Estate,
  { clock, log, packAfter = limits.packAfterDefault }: RoomsOptions,
): Upkeep => new Upkeep(estate, { clock, log, packAfter });

/** How the service reaches others. */
function outsideOf(
  mailServer: MailServer,
  { clock, notifying = notifyingDirectly, sender }: RoomsOptions,
) {
  const accounts: Accounts = {
    ...notifying.accounts,
    get smtp() {
      return mailServer.account;
    },
  };
  const way = { ...notifying, accounts, clock, userAgent: userAgent() };
  const senderBy = (smtp: SmtpAccount) => openSender({ ...way, accounts: { ...accounts, smtp } });
  return { way, accounts, sender: sender ?? openSender(way), senderBy };
}
type Outside = ReturnType<typeof outsideOf>;

/** What says how things stand, and which channels it is said to. */
function judgingOf(estate: Estate, { accounts, way }: Outside, { log }: RoomsOptions) {
  const { store, box, clock, monitors, locations, instances, replica } = estate;
  const channels = new NotificationChannels(store, {
    monitors,
    box,
    accounts,
    httpAllowed: way.httpAllowed,
    clock,
  });
  const book: ChannelBook = new StoredChannels(store, channels);
  const alerts = new Alerts(store, { book, monitors, locations, instances, clock });
  const judging = new Judging(store, { monitors, locations, alerts, replica }, { clock, log });
  return { channels, book, judging };
}
type JudgingRooms = ReturnType<typeof judgingOf>;

/** What files may say as a whole, and the folder of files that the service keeps to, if it has one. */
function configuredOf(
  { channels }: JudgingRooms,
  {
    store,
    box,
    clock,
    instances,
    locations: { tokens },
    publicAddress,
  }: Estate & { readonly publicAddress: PublicAddress },
  { configuration: folder, log }: RoomsOptions,
) {
  const statusPages = new StatusPages(store, { box, clock, publicAddress });
  const readOnly = folder === undefined ? null : { owner: folderOwner, folder: folder.folder };
  const configurations = new Configurations(store, {
    channels,
    statusPages,
    tokens,
    instances,
    clock,
    readOnly,
  });
  if (folder === undefined) return { statusPages, configurations, readOnly, managed: null };
  return {
    statusPages,
    configurations,
    readOnly,
    managed: new ManagedFolder(folder, configurations, { clock, log }),
  };
}

/** What people see, and how they come in. */
function shownOf(
  { judging }: JudgingRooms,
  { store, box, clock, monitors, locations }: Estate,
  { sender, senderBy, way }: Outside,
  { oidc, lookUp = systemLookUp }: RoomsOptions,
) {
  const http = new HttpPost(way);
  return {
    pictures: new Pictures({ store, clock, monitors, locations, judging }),
    published: new PublishedPages({ store, judging, clock }),
    domainLooks: new DomainLooks(clock, lookUp),
    sender,
    senderBy,
    oidc: oidc === undefined ? null : new OidcProvider(oidc, { box, clock, http }),
  };
}

export const aboutDefault: AboutService = { name: "Picket", slug: "picket" };
