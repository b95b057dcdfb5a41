import type { DecidedCheck } from "#agent/prober/checks/decided-check";
import type { Plan } from "#agent/prober/schedule/reconcile";
import type { MissedSlots, ScheduleCounts } from "#agent/prober/schedule/missed-slots";
import type { PlannedCheck } from "#agent/prober/schedule/scheduler";
import type { SecretTable } from "#agent/secrets/secret-table";
import type { Monitor } from "#check/monitor";
import type { EpochMillis, Millis } from "#base/units";

/** Whoever hears what came of the slots: each ends once, in one of these. */
export interface CheckListener {
  decided(decided: DecidedCheck): void;
  missed(missed: MissedSlots): void;
}

/** How a checker does at one moment. */
export interface CheckerStatus {
  readonly schedule: ScheduleCounts;
  readonly checksInFlight: number;
  /** How long ago the schedule last looked at the clock; null before it began. */
  readonly sinceTick: Millis | null;
  /** How long attempts have not been made although they should have been: a thread is down, or one does not end. */
  readonly stuckFor: Millis;
}

/** Checks monitors at their slots: in the thread that asks, or in separate threads. */
export interface Checker extends AsyncDisposable {
  /** From now on, reports to this listener alone. */
  attend(listener: CheckListener): void;
  /** The monitors that run, by id. */
  readonly monitors: ReadonlyMap<string, Monitor>;
  /** `newest` has the newest slot of each monitor that the location has a result of: it continues from there. */
  apply(plan: Plan, newest: ReadonlyMap<string, EpochMillis>): void;
  /** The service did not take the result of this slot, so its name is free again. */
  free(monitorId: string, slot: EpochMillis): void;
  /** The result of this slot says nothing of its target: the slot counts as missed. */
  hide(monitorId: string, slot: EpochMillis): void;
  /** The location's secrets are these from now on; null if it keeps none. */
  useSecrets(table: SecretTable | null): void;
  /** One check in addition to the slots: its result as the wire has it. Null when `signal` ended it, or a thread did. */
  checkNow(monitor: Monitor, signal: AbortSignal): Promise<Uint8Array | null>;
  /** Takes slots until `signal` aborts; checks that run then continue. */
  run(signal: AbortSignal): Promise<void>;
  /** Settles when all checks that run now have ended, and the listener has their results. */
  settled(): Promise<void>;
  /** Aborts what runs, and whatever would still begin. */
  abort(): void;
  /** Every monitor with the slot that it waits for, in the order in which they were assigned. */
  planned(): Iterable<PlannedCheck>;
  /** The monitors whose checks run now. */
  checking(): readonly Monitor[];
  readonly status: CheckerStatus;
}
