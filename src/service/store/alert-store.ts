import type { Maintenances } from "#service/store/maintenance-store";
import type { MaintenanceUpdates } from "#service/store/maintenance-update-store";
import type { LaneHealth, Fate } from "#service/alerting/attempts";
import type { EventKind, Incident, Severity, SubjectKind } from "#service/alerting/incident";
import type { UnnumberedIncident } from "#service/alerting/incident-step";
import type { RecentLetter } from "#service/alerting/letters";
import type { DropReason, HoldReason, Queue } from "#service/alerting/queue";
import type { Snapshot } from "#service/alerting/snapshot";
import type { OpenIncident } from "#service/alerting/surroundings";
import type { Pace } from "#service/notify/provider";
import type { Channels } from "#service/store/channel-store";
import type { Comments } from "#service/store/comment-store";
import type { Evidence } from "#service/store/evidence-store";
import type { LocationId } from "#service/store/ids";
import type { SentRow } from "#service/store/sent-row";
import type { Silences } from "#service/store/silence-store";
import type { Page, StateRow } from "#service/store/state-store";
import type { EpochMillis, Millis } from "#base/units";

/** Incidents, what is said of them to whom, and what silences them. */
export interface AlertStore {
  readonly incidents: Incidents;
  readonly comments: Comments;
  readonly deliveries: Deliveries;
  readonly channels: Channels;
  readonly silences: Silences;
  readonly maintenances: Maintenances;
  readonly maintenanceUpdates: MaintenanceUpdates;
  readonly evidence: Evidence;
}
export interface Incidents {
  /**
   * Keeps what the judge says, and what that does to incidents, with the deliveries: all of it or nothing. Only while
   * `holder` has the lease, so that a replica that was cut off overwrites nothing. A monitor that has become due since its
   * state was read is left out, its incident too: it is judged again. Gives how many were; null without the lease.
   */
  keep(lease: string, holder: string, judged: JudgeChange): Promise<number | null>;
  /** The newest incident of each of these subjects that has had one. */
  newest(kind: SubjectKind, subjects: readonly number[]): Promise<readonly Incident[]>;
  /** The same without a lease: for a subject that the caller has alone by other means. */
  note(change: IncidentChange): Promise<void>;
  /** Those of some monitors, or of what else is named, that were open at an instant or since, oldest first: all of them. */
  since(
    subjects: readonly number[],
    instant: EpochMillis,
    kind?: SubjectKind,
  ): Promise<readonly Incident[]>;
  /** The open ones that have each of these causes, as many as one press acknowledges. */
  causes(causes: readonly string[]): Promise<ReadonlyMap<string, readonly OpenIncident[]>>;
  list(
    asked: IncidentsQuery,
  ): Promise<{ readonly incidents: readonly NamedIncident[]; readonly total: number }>;
  /** The numbers alone of what `list` lists: thousands cost little. */
  numbers(asked: IncidentsQuery): Promise<readonly number[]>;
  /** Those of these numbers, in any order. */
  named(numbers: readonly number[]): Promise<readonly NamedIncident[]>;
  /** How many are open, without planned work. */
  openCount(): Promise<OpenCount>;
  story(number: number): Promise<Story | null>;
  /** What was known as each of these opened, and as each ended last. */
  openings(numbers: readonly number[]): Promise<ReadonlyMap<number, Snapshot>>;
  endings(numbers: readonly number[]): Promise<ReadonlyMap<number, Snapshot>>;
  /** When each of these opened, became worse or eased, oldest first; of very many turns not the last. */
  turns(numbers: readonly number[]): Promise<ReadonlyMap<number, readonly IncidentTurn[]>>;
  /** Open ones of these kinds, oldest first, with what was last said of each. */
  ongoing(kinds: readonly SubjectKind[], limit: number): Promise<readonly OngoingIncident[]>;
  /** Null when there is none that is open; one that is acknowledged already keeps its first. */
  acknowledge(number: number, at: EpochMillis, by: string): Promise<Incident | null>;
  /** The same of several at once; gives how many no one had acknowledged. */
  acknowledgeEach(numbers: readonly number[], at: EpochMillis, by: string): Promise<number>;
  /** Undoes that one is acknowledged: reminders follow again. Null when there is none that is open. */
  takeBack(number: number, at: EpochMillis, by: string): Promise<Incident | null>;
  /** The same of those that one act acknowledged: gives how many. What someone acknowledged since stays. */
  takeBackEach(
    numbers: readonly number[],
    made: Pick<NonNullable<Incident["acknowledged"]>, "at" | "by">,
    at: EpochMillis,
    by: string,
  ): Promise<number>;
  /** Open ones whose monitor or location is there no more. */
  orphans(limit: number): Promise<readonly NamedIncident[]>;
}
export interface OpenCount {
  readonly open: number;
  /** Those of them of which a person has said that they look at it. */
  readonly acknowledged: number;
}
export interface JudgeChange {
  readonly states: readonly StateRow[];
  readonly incidents: readonly IncidentChange[];
}
export interface IncidentChange {
  readonly incident: Incident | UnnumberedIncident;
  readonly name: string;
  /** Empty if nothing is known. */
  readonly cause: string;
  readonly at: EpochMillis;
  readonly snapshot: Snapshot;
  readonly events: readonly NewEvent[];
}
export interface NewEvent {
  readonly kind: EventKind;
  readonly to: Recipients;
}
/** Channels that get an event: these, or all that were notified of the incident before. */
export type Recipients =
  | { readonly are: "channels"; readonly channels: readonly number[] }
  | { readonly are: "notified"; readonly except: readonly number[] };
export interface NamedIncident {
  readonly incident: Incident;
  readonly name: string;
  /** How and where it failed first, as causeKey writes it; empty if nothing is known. */
  readonly cause: string;
}
export interface OngoingIncident {
  readonly incident: Incident;
  readonly last: Snapshot;
  readonly isReminded: boolean;
}
export interface IncidentsQuery extends Page {
  readonly isOpen: boolean | null;
  /** Whether those of what was deleted and can be put back are among those that are over; else they are left out. */
  readonly withDeleted?: boolean;
  /** Whether those that someone has acknowledged are left out. */
  readonly waiting?: boolean;
  /** Whether those that no one has acknowledged come first, and in each part what fails before what is slow; else the newest do. */
  readonly urgentFirst?: boolean;
  readonly kind: SubjectKind | null;
  readonly subject: number | null;
  /** Those of a location and of the monitors that it runs; null: of all. */
  readonly location: LocationId | null;
  /** Null: of every cause. */
  readonly cause: string | null;
  /** Those of these numbers, both ends included; left out: of all. */
  readonly ranges?: readonly { readonly from: number; readonly to: number }[];
  /** Those of a smaller number, which opened earlier; null: all. */
  readonly before: number | null;
}
/** What an incident became, and when that was noticed. */
export type IncidentTurn = Pick<StoryEvent, "kind" | "severity" | "at">;
export interface Story extends NamedIncident {
  readonly events: readonly StoryEvent[];
}
export interface StoryEvent {
  readonly number: number;
  readonly kind: EventKind;
  readonly severity: Severity;
  readonly at: EpochMillis;
  readonly snapshot: Snapshot;
  /** The person or key that did it; empty if no one did, or an older version did not keep it. */
  readonly by: string;
}

/** The outbox: one delivery for each channel and event. */
export interface Deliveries {
  /** Channels that have something to look at, and that no one has and that do not rest; the longest due first. */
  due(now: EpochMillis): Promise<readonly number[]>;
  /** Takes a channel for `length`; null when another replica has it. Lengths are measured by the database's clock. */
  claim(holder: string, channel: number, length: Millis): Promise<Claim | null>;
  /** Takes a token of a bucket that channels and replicas share; else gives the instant at which there is one. */
  token(key: string, pace: Pace, now: EpochMillis): Promise<EpochMillis | null>;
  /**
   * Notes that an attempt begins, and what it says: what a crash or a broken connection leaves of it is in doubt. False
   * when the claim was lost, and then nothing may be sent.
   */
  begin(holder: string, channel: number, ids: readonly number[], said: string): Promise<boolean>;
  /** What became of deliveries; those that are settled already stay as they are. False when the claim was lost. */
  settle(holder: string, settlement: Settlement): Promise<boolean>;
  release(holder: string, channel: number): Promise<void>;
  list(
    asked: DeliveriesQuery,
  ): Promise<{ readonly deliveries: readonly DeliveryRow[]; readonly total: number }>;
  /**
   * Has a delivery that was dropped, or that waits, tried now; with it what was dropped after it of the same incident.
   * Null when there is none.
   */
  retry(id: number, now: EpochMillis): Promise<DeliveryRetry | null>;
  /**
   * When each channel was last sent something about each open incident that it was notified of, if nothing waits
   * and no one has acknowledged it.
   */
  sent(limit: number): Promise<readonly SentRow[]>;
  lanes(channels: readonly number[]): Promise<ReadonlyMap<number, LaneHealth>>;
  /** How many messages of each of these channels wait, when it last took one, and what became of its last test. */
  standing(channels: readonly number[]): Promise<ReadonlyMap<number, ChannelStanding>>;
  /** Keeps what became of a test of a channel, instead of the one before. */
  tested(channel: number, test: ChannelTest): Promise<void>;
  /** When the one was written that its provider keeps waiting the longest; null when none waits for that. */
  oldestWaiting(): Promise<EpochMillis | null>;
  /** Messages that phones got in a month, e.g. 2026-08. */
  phonesUsed(month: string): Promise<number>;
  usePhone(month: string): Promise<void>;
  /** Forgets a portion of what was settled before; true when there may be more. */
  forget(before: EpochMillis): Promise<boolean>;
}
export interface ChannelStanding {
  readonly waiting: number;
  /** Null if none was sent, or is kept no longer. */
  readonly lastSentAt: EpochMillis | null;
  /** Null if it was never tested, or that is kept no longer. */
  readonly lastTest: ChannelTest | null;
}
export interface ChannelTest {
  readonly at: EpochMillis;
  /** Why it was not delivered, as a sentence; empty if it was. */
  readonly trouble: string;
}
export interface Claim {
  readonly lane: LaneHealth;
  readonly recent: readonly RecentLetter[];
  /** Without what they depend on. */
  readonly queues: readonly Omit<Queue, "parent">[];
  /** The provider's name of each incident's first message. */
  readonly references: ReadonlyMap<number, string>;
  /** What the provider has accepted, and is to be asked about. */
  readonly accepted: readonly AcceptedDelivery[];
}
export interface AcceptedDelivery {
  readonly id: number;
  readonly receipt: string;
  readonly askAt: EpochMillis;
}
export interface Settlement {
  readonly channel: number;
  readonly now: EpochMillis;
  /** Null leaves it as it is. */
  readonly lane: LaneHealth | null;
  readonly recent: readonly RecentLetter[] | null;
  readonly attempted: readonly DeliveryAttempt[];
  readonly dropped: readonly { readonly id: number; readonly reason: DropReason }[];
  readonly held: readonly {
    readonly id: number;
    readonly reason: HoldReason;
    readonly dueAt: EpochMillis;
  }[];
}
export interface DeliveryAttempt {
  /** The first is the one whose id the message has. */
  readonly ids: readonly number[];
  readonly triedAt: EpochMillis;
  readonly fate: Fate;
}
/** What came of asking for another attempt: `overtaken` when the channel has taken something newer of the incident. */
export type DeliveryRetry = "due" | "taken" | "overtaken";
export const deliveryStates = ["waiting", "accepted", "sent", "dropped"] as const;
type DeliveryState = (typeof deliveryStates)[number];
export interface DeliveryRow {
  readonly id: number;
  readonly channel: number;
  readonly incident: number;
  readonly event: number;
  readonly kind: EventKind;
  readonly about: SubjectKind;
  readonly name: string;
  readonly state: DeliveryState;
  /** A word of dropReasons or holdReasons; empty if there is none. */
  readonly reason: string;
  readonly message: string;
  /** What the newest message of it says, without links; empty if none was tried. */
  readonly said: string;
  readonly createdAt: EpochMillis;
  readonly attempts: number;
  readonly firstTriedAt: EpochMillis | null;
  readonly settledAt: EpochMillis | null;
  /** The id of the first delivery of the message that it was in, when it was tried last; null if it was not tried. */
  readonly letter: number | null;
  /** When an attempt that failed is followed by another; null if none failed. */
  readonly retryAt: EpochMillis | null;
  /** What the message before it said of the incident on this channel; null if it was the first. */
  readonly saidBefore: EventKind | null;
}
export interface DeliveriesQuery extends Page {
  readonly channel: number | null;
  readonly incident: number | null;
  readonly state: DeliveryState | null;
}
