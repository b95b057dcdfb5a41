import type { CertificateSpan } from "#check/certificate-ending";
import type { EchoSpread } from "#check/echo-spread";
import type { Phases } from "#check/outcome";
import type { ResultStatus } from "#check/verdict";
import type { DayDown, DayTable, SpansQuery, SumAndBefore } from "#service/store/day-table";
import type { LocationId, MonitorId } from "#service/store/ids";
import type { Stretch, StretchesQuery } from "#service/store/stretch";
import type { EpochMillis, Millis, Nanos } from "#base/units";

/**
 * Results and what is made of them. Every result belongs to a series: one monitor at one location. Nothing is
 * acknowledged before it is durable, and rollups and views are written in the transaction of their results. What
 * belongs to a monitor or a location that is deleted is out of sight at once.
 */
export interface ResultStore {
  /** Stores the results of one location; the receipts are in the order of `results`. */
  append(batch: ResultBatch): Promise<readonly Receipt[]>;
  /** Notes slots of one location of which nothing was learned; those of monitors that are not assigned are left out. */
  miss(batch: MissedBatch): Promise<void>;
  /** Stretches of one monitor in which nothing was learned, the newest first; at most `storeLimits.gapsShownMax`. */
  gaps(asked: GapsQuery): Promise<readonly Gap[]>;
  /**
   * The newest slot that came by itself, of each of these monitors that is assigned to a location and has one there;
   * without those whose database server is away.
   */
  newestSlots(
    location: LocationId,
    monitors: readonly MonitorId[],
  ): Promise<ReadonlyMap<MonitorId, EpochMillis>>;
  /** What each assigned location last saw of each of these monitors; at most `storeLimits.monitorsNamedMax` monitors. */
  views(monitors: readonly MonitorId[]): Promise<readonly View[]>;
  /** The same of those monitors whose database server is there, and which are left out. */
  seen(monitors: readonly MonitorId[]): Promise<SeenViews>;
  /** How many results each series has had since it began: of these monitors, at one location or (null) at all. */
  totals(location: LocationId | null, monitors: readonly MonitorId[]): Promise<readonly Totals[]>;
  /** The results of one monitor between two slots, `from` included and `to` not. */
  window(asked: Window): Promise<ResultPage>;
  /** One result and what is kept of its detail; null when there is none, or no longer. */
  result(key: ResultKey): Promise<ResultWithDetail | null>;
  /** Rollups whose bucket begins in `from` (included) to `to`, oldest first; of at most `storeLimits.monitorsNamedMax` monitors. */
  buckets(asked: BucketsQuery): Promise<readonly Bucket[]>;
  /** What each day (UTC) that begins in `from` (included) to `to` comes to: all locations of a monitor together. */
  days(asked: DaysQuery): Promise<DayTable>;
  /** What these days come to, and those before them, of each monitor that has some of either. */
  sums(asked: SumsQuery): Promise<ReadonlyMap<MonitorId, SumAndBefore>>;
  /** For how long a monitor was down in each of these stretches, day by day, by the checks that began in it. */
  downtimes(asked: SpansQuery): Promise<readonly (readonly DayDown[])[]>;
  /** The median latency over days as above, all locations together; of at most `storeLimits.monitorsNamedMax` monitors. */
  medians(asked: DaysQuery): Promise<ReadonlyMap<MonitorId, Millis>>;
  /** What results add up to, oldest first, of at most the newest `storeLimits.stretchedResultsMax`; empty ones are left out. */
  stretches(asked: StretchesQuery): Promise<readonly Stretch[]>;
  /** Why each of these results is not well, those that are known; at most `storeLimits.monitorsNamedMax`. */
  reasons(keys: readonly ResultKey[]): Promise<readonly Reason[]>;
  /** The newest result of a monitor that failed, or that did not, of those whose detail is kept. */
  lastDetailed(monitor: MonitorId, sort: "failed" | "passed"): Promise<ResultWithDetail | null>;
  /**
   * Forgets a portion of what began before these instants, and of monitors and locations that are deleted. True when
   * there may be more: call again after a pause.
   */
  forget(before: Retention): Promise<boolean>;
  /** Packs a portion of the hours (UTC) that ended before an instant; their results are read as before. True as above. */
  pack(before: EpochMillis): Promise<boolean>;
}

export interface ResultBatch {
  readonly location: LocationId;
  readonly storedAt: EpochMillis;
  readonly results: readonly NewResult[];
}

/** What was broken at the location itself, so that nothing was learned of the monitor. */
export interface Excuse {
  /** The same for all monitors that it hides. */
  readonly causeId: string;
  /** One plain sentence, without the full stop. */
  readonly sentence: string;
}

export interface MissedSlot {
  readonly monitor: MonitorId;
  readonly slot: EpochMillis;
  /** Of the monitor: a slot that follows within it lies in the same gap. */
  readonly period: Millis;
  readonly excuse: Excuse;
}
export interface MissedBatch {
  readonly location: LocationId;
  readonly storedAt: EpochMillis;
  readonly missed: readonly MissedSlot[];
}
export interface GapsQuery {
  readonly monitor: MonitorId;
  /** Null: every location. */
  readonly location: LocationId | null;
  readonly from: EpochMillis;
  readonly to: EpochMillis;
}
/** Slots in a row of which nothing was learned, for one reason. */
export interface Gap {
  readonly location: LocationId;
  /** The first of the slots and the last. */
  readonly from: EpochMillis;
  readonly to: EpochMillis;
  readonly slots: number;
  readonly excuse: Excuse;
}
export interface ResultKey {
  readonly monitor: MonitorId;
  readonly location: LocationId;
  readonly slot: EpochMillis;
}

interface ResultFacts {
  readonly slot: EpochMillis;
  readonly status: ResultStatus;
  readonly latency: Millis;
  readonly startedAt: EpochMillis;
  /** 0 is none. */
  readonly statusCode: number;
  /** Null when nothing failed, or when the agent did not say what. */
  readonly failure: { readonly code: string; readonly phase: string } | null;
  /** Kept in whole microseconds. */
  readonly phases: Phases;
  /** The agent's own work between packets, kept likewise; null if it did not say, and then part of the phases. */
  readonly own: Nanos | null;
  /** What the echoes of a ping came to, kept in whole microseconds; null of every other kind. */
  readonly echoes: EchoSpread | null;
  /** 0 when the agent did not say. */
  readonly attempts: number;
  /** Its slot came, or a person asked for it. */
  readonly trigger: "cron" | "api";
}

export interface NewResult extends ResultFacts {
  /** A success that is no proof that a slow target has become fast: see check/slowness.ts. */
  readonly perhapsSlow: boolean;
  /** Where the location itself was broken: then the result says nothing of the target. */
  readonly excuse: Excuse | null;
  /** The one that the target showed; null if it showed none, or the agent did not say. */
  readonly certificate: CertificateSpan | null;
  readonly monitor: MonitorId;
  /** What one result stands for in the calculation of uptime: the monitor's period. */
  readonly period: Millis;
  readonly detail: Detail;
}

/** Kept of results that are error or degraded, of the first good one after, and of one in a hundred. */
export interface Detail {
  /** One sentence; empty when the agent had none. */
  readonly message: string;
  /** The whole result as it came (a BatchResult of the wire). */
  readonly payload: Uint8Array;
}

export interface StoredResult extends ResultFacts {
  readonly monitor: MonitorId;
  readonly location: LocationId;
  readonly storedAt: EpochMillis;
}
/** A result as pages list it. */
export interface ListedResult extends StoredResult {
  /** Empty if no detail is kept, or none was given. */
  readonly message: string;
}
export interface ResultWithDetail extends StoredResult {
  readonly detail: Detail | null;
}

export type Receipt =
  | StoreReceipt
  /** The database server of its monitor is away: nothing of it was stored, and it is to come again. */
  | { readonly kind: "later" };

/** Of a result whose server was there. */
export type StoreReceipt =
  | { readonly kind: "accepted" }
  /** The same monitor, location and slot are there: nothing changed. */
  | { readonly kind: "duplicate" }
  /** The monitor is not assigned to the location. */
  | { readonly kind: "unassigned" };

/** What a location last saw of a monitor, by slot: only a strictly newer slot moves it. */
export interface View {
  readonly monitor: MonitorId;
  readonly location: LocationId;
  /** Of what came by itself, whatever it says; 0 if nothing did. */
  readonly newestSlot: EpochMillis;
  /** The newest of which nothing was learned, because the location itself was broken; null if there is none. */
  readonly blindSlot: EpochMillis | null;
  readonly certificate: CertificateSpan | null;
  /** Of the newest result that says something of the target; null until there is one. */
  readonly seen: {
    readonly slot: EpochMillis;
    readonly status: ResultStatus;
    /** The slot of the first result in a row that says this status. */
    readonly since: EpochMillis;
    /** The newest statuses that moved it, newest first. */
    readonly recent: readonly ResultStatus[];
    readonly startedAt: EpochMillis;
    readonly latency: Millis;
  } | null;
}

export interface SeenViews {
  readonly views: readonly View[];
  /** Monitors whose results cannot be read, because their database server is away. */
  readonly unread: ReadonlySet<MonitorId>;
}

export interface Totals {
  readonly monitor: MonitorId;
  readonly location: LocationId;
  readonly success: number;
  readonly degraded: number;
  readonly error: number;
}

export interface Window {
  readonly monitor: MonitorId;
  /** Null: every location. */
  readonly location: LocationId | null;
  readonly from: EpochMillis;
  readonly to: EpochMillis;
  readonly order: "oldest first" | "newest first";
  /** Where the page before ended; null begins. */
  readonly cursor: Cursor | null;
  /** Results left out after the cursor; at most `storeLimits.resultsSkippedMax`. */
  readonly skip: number;
  readonly limit: number;
}
export interface Cursor {
  readonly slot: EpochMillis;
  readonly location: LocationId;
}
export interface ResultPage {
  readonly results: readonly ListedResult[];
  /** Null when the window has no more. */
  readonly next: Cursor | null;
}

export interface Reason {
  readonly key: ResultKey;
  /** Empty if the agent did not say. */
  readonly code: string;
  readonly phase: string;
  readonly message: string;
  /** 0 is none. */
  readonly statusCode: number;
}

export const grains = ["hour", "day"] as const;
export type Grain = (typeof grains)[number];

export interface BucketsQuery {
  readonly monitors: readonly MonitorId[];
  /** Null: every location, each in buckets apart; merge with rollup.ts. */
  readonly location: LocationId | null;
  readonly grain: Grain;
  readonly from: EpochMillis;
  readonly to: EpochMillis;
}

/** An hour or a day (UTC) of a series. Buckets can be added up: see rollup.ts. */
export interface DaysQuery {
  readonly monitors: readonly MonitorId[];
  readonly from: EpochMillis;
  readonly to: EpochMillis;
}
export interface SumsQuery extends DaysQuery {
  /** Days from here to `from` are added up apart; `from` itself: none are. */
  readonly since: EpochMillis;
}
export interface Bucket extends Rollup {
  readonly monitor: MonitorId;
  readonly location: LocationId;
  readonly begin: EpochMillis;
}
export interface Rollup {
  readonly success: number;
  readonly degraded: number;
  readonly error: number;
  /** Results that say nothing of the target: faults of configuration, policy or the agent. */
  readonly unknown: number;
  /** Each result of the schedule that says something stands until the next one, for one period of its monitor at most; uptime by duration is 1 − down / known. */
  readonly known: Millis;
  readonly down: Millis;
  /** Latencies of results that are success or degraded. */
  readonly latencySum: Millis;
  readonly latencyMax: Millis;
  /** See histogram.ts. */
  readonly latencies: Uint8Array;
}

/** What begins before each of these instants is forgotten. */
export interface Retention {
  readonly details: EpochMillis;
  readonly results: EpochMillis;
  readonly hours: EpochMillis;
  readonly days: EpochMillis;
}
