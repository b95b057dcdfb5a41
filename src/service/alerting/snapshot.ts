import type { CertificateEnding } from "#check/certificate-ending";
import type { Failure } from "#check/failure";
import type {
  BackFailures,
  ChannelFacts,
  LocationFacts,
  MaintenanceFacts,
  MonitorFacts,
  NamedItem,
  OutageFigures,
  ResultFacts,
  Sight,
  Urgency,
} from "#service/notify/event-facts";
import type { LocationTrouble } from "#service/notify/event";
import type { Window } from "#service/alerting/maintenance";
import type { EpochMillis, Millis } from "#base/units";

/** What was known when something happened to an incident. It is kept with the event, as JSON, and holds no secret. */
export type Snapshot =
  | MonitorSnapshot
  | LocationSnapshot
  | AgentSnapshot
  | ChannelSnapshot
  | MaintenanceSnapshot;

export interface MonitorSnapshot {
  readonly of: "monitor";
  readonly monitor: Omit<MonitorFacts, "url">;
  readonly urgency: Urgency;
  readonly locations: readonly Sight[];
  readonly result: ResultFacts | null;
  readonly lastGoodAt: EpochMillis | null;
  readonly failedChecks: number;
  /** What it came to until then, of what ends, settles or flaps; left out of all else, and by older versions. */
  readonly figures?: OutageFigures;
  /** Of what has ended, the ids of the locations that saw it fail; left out of all else, and by older versions. */
  readonly failedAt?: readonly string[];
  /** Where and how it fails; null if no failure is known. */
  readonly fails: Fault | null;
  /** A maintenance window in which it began, and that has ended. */
  readonly maintenance: string | null;
  /** While the location that sees it was cut off, no one could know. */
  readonly gap: Gap | null;
  readonly dependsOn: readonly number[];
  readonly period: Millis;
  /** Of the incident of a certificate; others leave it out. */
  readonly certificate?: CertificateEnding;
}

/** One way of failing at one location, and how many active monitors run there. */
export interface Fault {
  readonly location: NamedItem;
  readonly failure: Failure;
  readonly of: number;
  /** What the agent finds that several monitors fail by; what was kept before does not say. */
  readonly shared?: SharedCause;
  /** Whose fault it is: left out of what lies on the way, since that may be one fault for many. */
  readonly whose?: Culprit;
}

/** What has to be the same of failures of one cause, in addition to where and how they fail. */
export type Culprit =
  /** What a server answered: its host and port, and the status if there was one, or 0. */
  | { readonly is: "server"; readonly server: string; readonly statusCode: number }
  /** What the agent finds in its own place or in front of many servers, e.g. a proxy or an authority. */
  | { readonly is: "shared"; readonly what: string };

/** One thing that several monitors of a location fail by, e.g. their host. */
export interface SharedCause {
  /** Without the full stop. */
  readonly sentence: string;
  /** How many monitors of the agent failed by it then. */
  readonly affected: number;
}

export interface Gap {
  /** It sent nothing, or its own place was broken. Snapshots that were kept before do not say. */
  readonly why?: "silent" | "blind";
  readonly location: string;
  readonly from: EpochMillis;
  readonly to: EpochMillis;
}

export interface LocationSnapshot {
  readonly of: "location";
  readonly location: Omit<LocationFacts, "url">;
  readonly lastHeardAt: EpochMillis | null;
  readonly stoppedAsAsked: boolean;
  /** What was kept and sent since it is back; null while it is away. */
  readonly replay: Replay | null;
}

export interface Replay extends BackFailures {
  readonly replayed: number;
  readonly missed: number;
}

export interface AgentSnapshot {
  readonly of: "agent";
  readonly location: Omit<LocationFacts, "url">;
  readonly trouble: LocationTrouble["trouble"];
  readonly urgency: Urgency;
  readonly message: string;
}

export interface ChannelSnapshot {
  readonly of: "channel";
  readonly channel: Omit<ChannelFacts, "url">;
  readonly message: string;
}

export interface MaintenanceSnapshot {
  readonly of: "maintenance";
  readonly maintenance: Omit<MaintenanceFacts, "url">;
  /** The window's times as they were announced before; left out if they have not changed. */
  readonly before?: Window;
  /** The status page that announces it; left out if none does, and by older versions. */
  readonly page?: number;
  readonly locations: readonly number[];
}

/** Monitors that fail so at one location have one cause: what a server answered is that server's. */
export const causeKey = ({ location, failure, whose }: Fault): string =>
  [location.id, failure.code, failure.phase, ...(whose === undefined ? [] : [wordOf(whose)])].join(
    " ",
  );

const wordOf = (whose: Culprit): string =>
  whose.is === "shared" ? `by ${whose.what}` : `of ${whose.server} ${whose.statusCode}`;

interface CauseParts {
  readonly location: number;
  readonly code: string;
  readonly phase: string;
  /** Null if it may be one fault for many, and of what an older version kept. */
  readonly whose: Culprit | null;
}

/** The parts of a cause; null of what is none. */
export function causeIn(key: string): CauseParts | null {
  const [, location = "", code = "", phase = "", rest = ""] =
    /^(\S+) (\S+) (\S+)(?: (.*))?$/s.exec(key) ?? [];
  return phase === "" ? null : { location: Number(location), code, phase, whose: culpritIn(rest) };
}

function culpritIn(word: string): Culprit | null {
  const [, what] = /^by (.*)$/s.exec(word) ?? [];
  if (what !== undefined) return { is: "shared", what };
  const [, server, status] = /^of (.*) (\d+)$/s.exec(word) ?? [];
  return server === undefined ? null : { is: "server", server, statusCode: Number(status) };
}

/** What a person calls the subject. */
export function nameIn(snapshot: Snapshot): string {
  switch (snapshot.of) {
    case "monitor":
      return snapshot.monitor.name;
    case "location":
    case "agent":
      return snapshot.location.name;
    case "channel":
      return snapshot.channel.name;
    case "maintenance":
      return snapshot.maintenance.title;
  }
}
