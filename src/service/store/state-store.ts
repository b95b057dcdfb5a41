import type { RemovedAgent } from "#service/store/audit/agent-event";
import type { EndedSessions } from "#service/store/people-store";
import type { MonitorDefinition } from "#check/definition";
import type { Placement } from "#check/placement";
import type {
  CallingToken,
  NewToken,
  NotedRefusal,
  RefusedCall,
  Tokens,
} from "#service/store/token-store";
import type { LocationDefinition } from "#service/resources/location-definition";
import type { AssignmentChange } from "#service/store/assignment-change";
import type { InstanceReport } from "#service/store/instance-report";
import type { Leases } from "#service/store/lease-store";
import type { KeyId, LocationId, MonitorId } from "#service/store/ids";
import type { MonitorChange, MonitorPlaces } from "#service/store/monitor-change";
import type { EpochMillis, Millis } from "#base/units";

/**
 * Everything next to the results. Each verb is one transaction. What has to change together later (an incident and its
 * deliveries) becomes one verb of a further repository, so no caller ever holds a transaction open.
 */
export interface StateStore {
  readonly settings: Settings;
  readonly monitors: Monitors;
  readonly locations: Locations;
  readonly instances: Instances;
  readonly keys: Keys;
  readonly endedSessions: EndedSessions;
  readonly states: States;
  readonly leases: Leases;
}

/** The setting that an owner gives on the pages: how people open the service. */
export const publicAddressSetting = "public address";

/** Facts of the installation by name: `installation` (an id made with the database), `name`, `slug`, … */
export interface Settings {
  all(): Promise<ReadonlyMap<string, string>>;
  put(name: string, value: string): Promise<void>;
  /** The same of what the service keeps for itself: it is not recorded, and no list is read anew for it. */
  note(name: string, value: string): Promise<void>;
  /** Whether it was there. */
  remove(name: string): Promise<boolean>;
  /** Whether the database holds any text that was sealed: only the key that sealed it opens it. */
  hasSealed(): Promise<boolean>;
}

/** What configuration as code says of an object in addition to the object. */
export interface Ownership {
  /** Empty: made by a person or a tool. */
  readonly owner: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface MonitorRow extends Ownership {
  readonly id: MonitorId;
  /** The id that it had before ids were integers; empty for a monitor made since. */
  readonly uid: string;
  readonly definition: MonitorDefinition;
  readonly locations: readonly LocationId[];
  /** Counts up at each change. */
  readonly revision: number;
  readonly createdAt: EpochMillis;
  readonly updatedAt: EpochMillis;
}

export interface Monitors {
  /** With its places, if they are said. */
  create(made: NewMonitor, places?: MonitorPlaces): Promise<MonitorId>;
  /** All of them or none, in one transaction; gives them in the same order. */
  createEach(
    all: readonly { readonly made: NewMonitor; readonly places?: MonitorPlaces }[],
  ): Promise<readonly MonitorId[]>;
  /** With its places, if they are said. False when there is no monitor with this id and kind. Its locations get another revision. */
  update(id: MonitorId, changed: NewMonitor, places?: MonitorPlaces): Promise<boolean>;
  /** False when there is none. Its results go later, in portions. */
  delete(id: MonitorId): Promise<boolean>;
  get(id: MonitorId): Promise<MonitorRow | null>;
  /** Those of them that are there, in any order; at most `storeLimits.monitorsNamedMax`. */
  among(ids: readonly MonitorId[]): Promise<readonly MonitorRow[]>;
  /** The monitor that had this id before ids were integers. */
  idOfUid(uid: string): Promise<MonitorId | null>;
  list(page: Page & { readonly after?: number }): Promise<readonly MonitorRow[]>;
  /** Three numbers for each monitor: its id, its revision, and one that is another for other locations. In the order of ids. */
  marks(): Promise<Float64Array>;
  count(): Promise<number>;
  isFull(most: number): Promise<boolean>;
  /** Does the same with each that stays within its rules, in one transaction; gives those. An undo of `made` leaves what is not so any more. */
  changeEach(
    ids: readonly MonitorId[],
    change: MonitorChange,
    at: EpochMillis,
    made?: MonitorChange,
  ): Promise<readonly MonitorId[]>;
  /** The active ones that are assigned to a location: what its agents run. In the order of ids. */
  activeIds(location: LocationId): Promise<readonly MonitorId[]>;
}
export interface NewMonitor extends Ownership {
  readonly definition: MonitorDefinition;
  readonly at: EpochMillis;
}
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export interface LocationRow extends Ownership, LocationDefinition {
  readonly id: LocationId;
  readonly uid: string;
  /** Changes whenever its agents would be given something else; only compared for being the same. */
  readonly revision: string;
  /** Null until an agent has called. */
  readonly lastSeenAt: EpochMillis | null;
  /** By an agent that sends heartbeats, or by one that only pulls and reports. */
  readonly lastSeenBy: "heartbeat" | "call";
  /** When the last agent said goodbye; null while one runs, and where it went without a word. */
  readonly stoppedAt: EpochMillis | null;
  /** The last call that was refused because its token has ended; null: none was. */
  readonly refused: NotedRefusal | null;
  readonly createdAt: EpochMillis;
  readonly updatedAt: EpochMillis;
}
/** A location with the token that a call of its agent came with. */
export interface CallingLocation extends LocationRow {
  readonly token: CallingToken;
}
export interface LocationWithMonitors extends LocationRow {
  readonly monitors: readonly MonitorId[];
}
export interface CountedLocation extends LocationRow {
  /** Of those that are switched off, too. */
  readonly monitorCount: number;
}
export interface LocationInUse extends LocationRow {
  /** Whether any monitor is assigned to it. */
  readonly isUsed: boolean;
}

export interface Locations extends Tokens {
  /** The location of a token that works, or ended not long ago, by the token's hash. */
  ofToken(hash: string): Promise<CallingLocation | null>;
  /** Its token may be sealed under `uid`, before it has an id. */
  create(made: NewLocation, token: NewToken, uid?: string): Promise<LocationId>;
  /** What is null stays as it is; false when there is none. */
  update(id: LocationId, changed: LocationChange): Promise<boolean>;
  /** Answers at once; its results go later, in portions. */
  delete(id: LocationId): Promise<boolean>;
  get(id: LocationId): Promise<LocationWithMonitors | null>;
  idOfUid(uid: string): Promise<LocationId | null>;
  /** Those of them that are there, in any order, without their monitors: those may be thousands. */
  among(ids: readonly LocationId[]): Promise<readonly LocationRow[]>;
  list(page: Page): Promise<readonly CountedLocation[]>;
  /** All of them. However many monitors they have, it reads no more than one row of each. */
  all(): Promise<readonly LocationInUse[]>;
  /** The monitors of some locations, each once, in any order. */
  monitorsOf(ids: readonly LocationId[]): Promise<readonly MonitorId[]>;
  count(): Promise<number>;
  /**
   * What changed of a location's assignment since one of its revisions; null if that is not known any more. Then the whole
   * is sent.
   */
  changesSince(id: LocationId, revision: string): Promise<readonly AssignmentChange[] | null>;
  /** Forgets the changes past those that agents are sent. */
  forgetChanges(): Promise<void>;
  /** An agent of the location has called with this token, and so it is not stopped. Never moves back. */
  seen(
    id: LocationId,
    at: EpochMillis,
    by: LocationRow["lastSeenBy"],
    tokenHash: string,
  ): Promise<void>;
  /** A call came with a token that has ended. Never moves back. */
  refused(id: LocationId, call: RefusedCall): Promise<void>;
  stopped(id: LocationId, at: EpochMillis): Promise<void>;
  /** The clock was set: every sign of an agent is as old as it was before, and everything is judged anew. */
  shiftSigns(by: Millis): Promise<void>;
  /** At a start: what was noted by a clock that was ahead means no more than that an agent has reported until now. */
  endSignsBy(now: EpochMillis): Promise<void>;
}
export interface NewLocation extends Ownership, LocationDefinition {
  readonly monitors: readonly MonitorId[];
  readonly at: EpochMillis;
}
/** What is null stays. */
type DefinitionChange = { readonly [F in keyof LocationDefinition]: LocationDefinition[F] | null };
export interface LocationChange extends DefinitionChange {
  readonly monitors: readonly MonitorId[] | null;
  readonly ownership: Ownership | null;
  readonly at: EpochMillis;
}
/** One agent of a location: how it shares the monitors (see rendezvous.ts), and what it last said about itself. */
export interface InstanceRow {
  readonly id: string;
  readonly lastSeenAt: EpochMillis;
  readonly left: boolean;
  readonly revision: string;
  readonly wanted: boolean;
  readonly settled: boolean;
  readonly steadyFrom: EpochMillis | null;
  readonly placement: Placement;
  /** Null until its first heartbeat. */
  readonly report: InstanceReport | null;
}
export interface Instances {
  /** The locations with an agent whose own place is broken, or that is in trouble itself. */
  impaired(): Promise<readonly LocationId[]>;
  /** In the order of ids, with the version that `keep` compares. */
  of(
    location: LocationId,
  ): Promise<{ readonly version: number; readonly instances: readonly InstanceRow[] }>;
  /**
   * Keeps how some agents of a location stand, if nothing was kept since `version` was read. False: read again, reckon
   * again. A null report leaves the one that is there. Of more than `instancesMax`, those that called longest ago go.
   */
  keep(
    location: LocationId,
    version: number,
    instances: readonly InstanceRow[],
    instancesMax: number,
  ): Promise<boolean>;
  /** Null, and nothing removed: it is not there, or has called since and has not left. */
  remove(location: LocationId, id: string, seenBefore: EpochMillis): Promise<RemovedAgent | null>;
  forget(seenBefore: EpochMillis): Promise<void>;
}

export const scopes = ["read", "write"] as const;
export type Scope = (typeof scopes)[number];

export interface KeyRow {
  readonly id: KeyId;
  readonly uid: string;
  readonly name: string;
  readonly description: string;
  readonly scope: Scope;
  /** The first characters of the key, by which a person knows it again. */
  readonly prefix: string;
  readonly createdAt: EpochMillis;
  readonly expiresAt: EpochMillis | null;
  /** To the minute. */
  readonly lastUsedAt: EpochMillis | null;
}
export interface Keys {
  /** Null, and nothing made, if the name reads like that of a person: the log would not tell them apart. */
  create(made: NewKey): Promise<KeyId | null>;
  /** Null, and nothing made, if there is a key already, also one that another caller makes at the same instant. */
  createFirst(made: NewKey): Promise<KeyId | null>;
  /** Those that are not revoked, oldest first. */
  list(): Promise<readonly KeyRow[]>;
  get(id: KeyId): Promise<KeyRow | null>;
  idOfUid(uid: string): Promise<KeyId | null>;
  /** False when there is none that is not revoked already. */
  revoke(id: KeyId, at: EpochMillis): Promise<boolean>;
  /** The key with this hash that is neither revoked nor expired. */
  ofHash(hash: string, at: EpochMillis): Promise<KeyRow | null>;
  used(id: KeyId, at: EpochMillis): Promise<void>;
}
export interface NewKey {
  readonly name: string;
  readonly description: string;
  readonly scope: Scope;
  readonly prefix: string;
  readonly hash: string;
  readonly at: EpochMillis;
  readonly expiresAt: EpochMillis | null;
}

/** What the judge last said of each monitor. `memory` is the judge's, as JSON text. */
export interface States {
  of(monitors: readonly MonitorId[]): Promise<readonly StateRow[]>;
  /** What was last said of all that are not `active`, and since when. */
  notActive(): Promise<ReadonlyMap<MonitorId, Pick<StateRow, "status" | "since">>>;
  /** Monitors that are to be judged by now, the longest due first; those that are new or changed among them. */
  due(now: EpochMillis, share: JudgedShare, limit: number): Promise<readonly MonitorId[]>;
  /** Gives the monitors whose state is kept: none without the lease, and none that has become due since it was read. */
  put(lease: string, holder: string, states: readonly StateRow[]): Promise<readonly MonitorId[]>;
  /** The same of monitors that were judged to be as they were. Gives how many were left out; null without the lease. */
  keepUnturned(lease: string, holder: string, states: readonly StateRow[]): Promise<number | null>;
}
export interface StateRow {
  readonly monitor: MonitorId;
  readonly status: "active" | "degraded" | "error" | "unknown";
  readonly since: EpochMillis;
  /** When silence has the judge look again; null: never. */
  readonly judgeAt: EpochMillis | null;
  readonly memory: string;
  /** Counts up whenever the monitor becomes due: what is put back has the one that was read, before the views. */
  readonly generation: number;
}
/** The monitors whose id leaves one of `rests` when it is divided by `parts`: a replica judges those it has leases for. */
export interface JudgedShare {
  readonly parts: number;
  readonly rests: readonly number[];
}
