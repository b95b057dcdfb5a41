import { type Due, DueHeap } from "#agent/due-heap";
import type { Plan } from "#agent/reconcile";
import { firstSlot, nextSlot } from "#agent/schedule";
import type { Clock } from "#clock";
import * as limits from "#limits";
import type { Monitor } from "#monitor";
import { between, epochMillis, type EpochMillis, millis, type Millis } from "#units";

/** Why a slot was not checked. */
export type MissedReason = "late" | "overlap" | "busy" | "drained";

export interface ScheduleCounts {
  readonly started: number;
  readonly missed: Readonly<Record<MissedReason, number>>;
  /** The latest that a check was started after its slot. */
  readonly latenessMax: Millis;
}

/** What is to be checked now. `until` is the monitor's next slot; `signal` aborts when the monitor is taken away. */
export interface Slot {
  readonly monitor: Monitor;
  readonly at: EpochMillis;
  readonly until: EpochMillis;
  readonly signal: AbortSignal;
}

interface Runner {
  monitor: Monitor;
  /** The slot that waits in the heap; an entry with another one is stale. */
  due: EpochMillis;
  busy: boolean;
  readonly taken: AbortController;
}

/**
 * Starts each monitor's check at its slots by the wall clock: one heap and one timer for all of them. A slot that
 * cannot be met is skipped and counted, never run late in a burst; a monitor never overlaps itself; a clock that is
 * set back repeats no slot.
 */
export class Scheduler {
  readonly #clock: Clock;
  /** Runs the check of a slot to its end; never rejects. */
  readonly #start: (slot: Slot) => Promise<void>;
  readonly #runners = new Map<string, Runner>();
  readonly #heap = new DueHeap();
  readonly #missed: Record<MissedReason, number> = { late: 0, overlap: 0, busy: 0, drained: 0 };
  #started = 0;
  #latenessMax = millis(0);
  #wake = new AbortController();
  #tickedAt: EpochMillis | null = null;

  constructor(clock: Clock, start: (slot: Slot) => Promise<void>) {
    this.#clock = clock;
    this.#start = start;
  }

  /** The monitors that run, by id. */
  get monitors(): ReadonlyMap<string, Monitor> {
    return new Map([...this.#runners].map(([id, { monitor }]) => [id, monitor]));
  }

  get counts(): ScheduleCounts {
    return { started: this.#started, missed: { ...this.#missed }, latenessMax: this.#latenessMax };
  }

  /** When the loop last looked at the clock; null before it began. */
  get tickedAt(): EpochMillis | null {
    return this.#tickedAt;
  }

  apply({ start, change, stop }: Plan): void {
    const now = this.#clock.wall();
    for (const id of stop) {
      this.#runners.get(id)?.taken.abort();
      this.#runners.delete(id);
    }
    for (const monitor of start) {
      const due = firstSlot(monitor.id, monitor.periodicity, now);
      this.#runners.set(monitor.id, { monitor, due, busy: false, taken: new AbortController() });
      this.#heap.push({ id: monitor.id, slot: due });
    }
    for (const monitor of change) this.#change(monitor, now);
    this.#wake.abort();
  }

  /** A slot whose check could not be started in time after all, or was not finished. */
  missed(reason: MissedReason, count = 1): void {
    this.#missed[reason] += count;
  }

  /** Ends when `signal` aborts; checks that run go on. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const now = this.#clock.wall();
      this.#tickedAt = now;
      this.#startDue(now);
      this.#wake = new AbortController();
      const earliest = this.#heap.earliest?.slot ?? now + limits.scheduleLookEvery;
      // Looked at again before long, in case that the wall clock is set meanwhile.
      const pause = Math.min(Math.max(0, earliest - this.#clock.wall()), limits.scheduleLookEvery);
      await this.#clock.sleep(millis(pause), AbortSignal.any([signal, this.#wake.signal]));
    }
  }

  #change(monitor: Monitor, now: EpochMillis): void {
    const runner = this.#runners.get(monitor.id);
    if (runner === undefined) return;
    const samePeriod = runner.monitor.periodicity === monitor.periodicity;
    runner.monitor = monitor;
    if (!samePeriod) this.#await(runner, nextSlot(monitor.id, monitor.periodicity, now));
  }

  #await(runner: Runner, slot: EpochMillis): void {
    runner.due = slot;
    this.#heap.push({ id: runner.monitor.id, slot });
  }

  #startDue(now: EpochMillis): void {
    for (
      let due = this.#heap.earliest;
      due !== null && due.slot <= now;
      due = this.#heap.earliest
    ) {
      this.#heap.pop();
      const runner = this.#runners.get(due.id);
      if (runner !== undefined && runner.due === due.slot) this.#meet(runner, due, now);
    }
  }

  #meet(runner: Runner, due: Due, now: EpochMillis): void {
    const { id, periodicity } = runner.monitor;
    const until = nextSlot(id, periodicity, now);
    // After a long pause several slots lie behind: only the newest can still be met.
    const newest = Math.max(due.slot, until - periodicity);
    this.missed("late", Math.ceil((newest - due.slot) / periodicity));
    this.#await(runner, until);
    const at = epochMillis(newest);
    const lateness = between(at, now);
    if (lateness > limits.slotLatenessMax) return this.missed("late");
    if (runner.busy) return this.missed("overlap");
    this.#latenessMax = millis(Math.max(this.#latenessMax, lateness));
    this.#started += 1;
    runner.busy = true;
    void this.#start({ monitor: runner.monitor, at, until, signal: runner.taken.signal }).finally(
      () => {
        runner.busy = false;
      },
    );
  }
}
