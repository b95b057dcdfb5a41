import type {
  BackFailures,
  Cause,
  ChannelFacts,
  IncidentFacts,
  LocationFacts,
  Lateness,
  MaintenanceFacts,
  MonitorFacts,
  NamedItem,
  OutageTimes,
  ResultFacts,
  ServiceName,
  Sight,
  TroubleTimes,
  Urgency,
} from "#service/notify/event-facts";
import type { Fact, Link, Tone } from "#service/notify/message/message";
import type { EpochMillis, Millis } from "#base/units";

/**
 * What is to be said to people: one thing that happened, with everything that a message says about it. It is plain data
 * that can be kept as JSON, and it holds no secret: no header, no body, no query or user-info of a URL.
 */
export type Notice =
  | MonitorFailing<"monitor.error">
  | MonitorFailing<"monitor.degraded">
  | MonitorRecovery
  | MonitorClosure
  | MonitorReminder
  | MonitorFlapping
  | MonitorSettlement
  | LocationOffline
  | LocationOnline
  | LocationTrouble
  | LocationWell
  | LocationClosure
  | MaintenanceStart
  | MaintenanceChange
  | MaintenanceEnd
  | ChannelFailing
  | Digest
  | PageNews
  | TestNotice;

/** The types are words of the webhook's body: they are added to, never renamed. */
export type NoticeType = Notice["type"];
export type NoticeOf<T extends NoticeType> = Extract<Notice, { readonly type: T }>;

/** Those about one monitor, and those about one location. */
export type MonitorNotice = Extract<Notice, OfMonitor>;
export type LocationNotice = Extract<Notice, OfLocation>;

interface NoticeHead {
  /** When it happened; a message that is sent later still says this. */
  readonly at: EpochMillis;
  readonly service: ServiceName;
  /** Why it arrives later than it happened; null when it does not. */
  readonly late: Lateness | null;
}

/** What every message about a monitor's incident says. */
interface OfMonitor extends NoticeHead {
  readonly incident: IncidentFacts;
  readonly monitor: MonitorFacts;
  readonly urgency: Urgency;
  /** Set if it is about the end of the target's certificate, and no check failed; of one that is renewed, the new one's. */
  readonly certificate: { readonly end: EpochMillis } | null;
  /** Every location that runs the monitor: those with its status see it. */
  readonly locations: readonly Sight[];
  /** Null if no result is known any more. */
  readonly result: ResultFacts | null;
  /** The last check that passed; null if none did. */
  readonly lastGoodAt: EpochMillis | null;
  /** Set when others at the same location fail in the same way. */
  readonly cause: Cause | null;
}

/** An incident opened, changed its severity, or opened again. */
interface MonitorFailing<
  T extends "monitor.error" | "monitor.degraded" = "monitor.error" | "monitor.degraded",
> extends OfMonitor {
  readonly type: T;
  readonly occasion: FailingOccasion;
  /** When it is repeated, unless a person acknowledges it; null is never. */
  readonly remindsAfter: Millis | null;
}

export type FailingOccasion =
  | { readonly why: "opened" }
  /** It was degraded and is an error now, or the other way round: the same incident. */
  | { readonly why: "changed"; readonly from: "degraded" | "error" }
  /** Within minutes of its end: the same incident again, which was as `from` says when it ended. */
  | { readonly why: "reopened"; readonly from: "degraded" | "error" }
  /** It began in a maintenance window, and lasts. */
  | { readonly why: "maintenance-ended"; readonly title: string }
  /** It waited for what it depends on, which is up again. */
  | { readonly why: "parent-recovered"; readonly parent: NamedItem };

/** The incident is over. */
interface MonitorRecovery extends OfMonitor {
  readonly type: "monitor.recovered";
  readonly endedAt: EpochMillis;
  /** The worst that the monitor was. */
  readonly was: "degraded" | "error";
  readonly lasted: OutageTimes;
  /** False when the alert never went out: this one message says both. */
  readonly announced: boolean;
}

/** The incident is over because its monitor is no longer watched, which is no recovery. */
interface MonitorClosure extends Omit<MonitorRecovery, "type" | "announced"> {
  readonly type: "monitor.closed";
  readonly because: "deleted" | "deactivated";
}

/** The incident lasts, and no person has acknowledged it. */
interface MonitorReminder extends OfMonitor {
  readonly type: "monitor.reminder";
  readonly status: "degraded" | "error";
  readonly remindsAfter: Millis | null;
}

/** It goes up and down: silence until it is settled. */
interface MonitorFlapping extends OfMonitor {
  readonly type: "monitor.flapping";
  readonly status: "active" | "degraded" | "error";
  /** How often it was down, or slow, since the incident began, and for how long in all; of what was never down, how long it was slow. */
  readonly times: TroubleTimes;
  readonly downFor: Millis;
  /** Silence ends after so long without a change. */
  readonly quietFor: Millis;
}

/** Flapping has ended: the sum of it. */
interface MonitorSettlement extends OfMonitor {
  readonly type: "monitor.settled";
  readonly status: "active" | "degraded" | "error";
  readonly times: TroubleTimes;
  readonly downFor: Millis;
  /** For how long no location saw it. */
  readonly unknown: Millis;
  /** Since when it is steady and well; null if it is not well. */
  readonly wellSince: EpochMillis | null;
}

interface OfLocation extends NoticeHead {
  readonly incident: IncidentFacts;
  readonly location: LocationFacts;
  readonly urgency: Urgency;
}

/** No agent of the location reports: its monitors are unknown, and alert nothing. */
interface LocationOffline extends OfLocation {
  readonly type: "location.offline";
  /** Null when no agent ever reported. */
  readonly lastHeardAt: EpochMillis | null;
  /** True when its last agent said that it stops. */
  readonly stoppedAsAsked: boolean;
}

interface LocationOnline extends OfLocation, BackFailures {
  readonly type: "location.online";
  readonly endedAt: EpochMillis;
  /** Without the times between that its agents were there. */
  readonly offlineFor: Millis;
  /** Results that its agents had kept and sent since, and slots that no one checked; null if they cannot be read now. */
  readonly replayed: number | null;
  readonly missed: number | null;
  /** False when the alert never went out: this one message says both. */
  readonly announced: boolean;
}

/** An agent is there, and something about what it reports is wrong. */
export interface LocationTrouble extends OfLocation {
  readonly type: "location.trouble";
  /** "vantage": the location's own place is broken, so that nothing is learned of what lies behind it. */
  readonly trouble:
    | "results-dropped"
    | "results-rejected"
    | "clock-off"
    | "slots-missed"
    | "vantage";
  /** One plain sentence with the next step. */
  readonly message: string;
}

interface LocationWell extends OfLocation {
  readonly type: "location.well";
  readonly trouble: LocationTrouble["trouble"];
  readonly endedAt: EpochMillis;
}

/** The incident of a location or its agents is over because there is nothing to watch any more, which is no recovery. */
export interface LocationClosure extends OfLocation {
  readonly type: "location.closed";
  readonly endedAt: EpochMillis;
  readonly because: "deleted" | "deactivated";
}

interface OfMaintenance extends NoticeHead {
  readonly maintenance: MaintenanceFacts;
}

interface MaintenanceStart extends OfMaintenance {
  readonly type: "maintenance.started";
}

/** A window that has begun has other times now. */
interface MaintenanceChange extends OfMaintenance {
  readonly type: "maintenance.changed";
  /** As it was announced before. */
  readonly before: { readonly from: EpochMillis; readonly to: EpochMillis };
}

interface MaintenanceEnd extends OfMaintenance {
  readonly type: "maintenance.ended";
  /** Whether it was deleted before its end. */
  readonly isCancelled: boolean;
}

/** Another channel of the same monitors takes no messages. */
interface ChannelFailing extends NoticeHead {
  readonly type: "channel.failing";
  readonly channel: ChannelFacts;
  /** That it fails, as an incident. */
  readonly itsIncident: Pick<IncidentFacts, "number" | "url">;
  readonly since: EpochMillis;
  /** Why, in one sentence with the next step. */
  readonly message: string;
}

/** Many events as one message. Pagers and webhooks never get one: each incident keeps its key there. */
export interface Digest extends NoticeHead {
  readonly type: "digest";
  /** Names this digest: chats thread what joins it later. */
  readonly key: string;
  readonly because: "many" | "same-cause" | "quiet-hours";
  /** Set when all of them fail in one way. */
  readonly cause: Cause | null;
  /** The first of them, the worst before all others, and how many there are. */
  readonly entries: readonly DigestEntry[];
  readonly count: number;
  /** When the message is written. */
  readonly asOf: EpochMillis;
  /** Opens the list of these incidents. */
  readonly url: string | null;
  /** Acknowledges all of them that are open; null if no one has to. */
  readonly acknowledgeUrl: string | null;
  /** How many incidents that acknowledges, of those that are open: of a cause also what was sent before. */
  readonly waiting: number;
  readonly open: number;
}

export interface DigestEntry {
  /** What would be said of it alone. */
  readonly saying: Exclude<Notice, Digest | PageNews | TestNotice>;
  /** Of the monitor, location, maintenance or channel. */
  readonly name: string;
  /** Of what was well in between, the last time. */
  readonly since: EpochMillis;
  readonly url: string | null;
}

/** What the people of a status page say to its readers, in the words and the language of the page's mails. */
export interface PageNews extends NoticeHead {
  readonly type: "page.news";
  readonly title: string;
  readonly tone: Tone;
  readonly facts: readonly Fact[];
  /** Sentences of the program. */
  readonly lines: readonly string[];
  /** As a person wrote it, in Markdown. */
  readonly text: string;
  readonly links: readonly Link[];
  /** What belongs together has the same. */
  readonly thread: string;
  /** The same for programs. */
  readonly body: NewsBody;
}

/** What a webhook gets of a status page's news: the public contract's shape. Fields are only ever added. */
export interface NewsBody {
  readonly version: "1";
  readonly type: "status_report" | "maintenance" | "test";
  readonly data: Readonly<Record<string, unknown>>;
  readonly subscription: {
    readonly manage_url: string;
    readonly unsubscribe_url: string;
  };
}

/** Asked for by a person who sets a channel up, or the mail server of the service. */
interface TestNotice extends NoticeHead {
  readonly type: "test";
  readonly channel: string;
  /** Whether it is about the mail server, and `channel` is what that is called. */
  readonly isOfMailServer?: boolean;
}
