import { DueHeap } from "#agent/prober/schedule/due-heap";
import {
  type MissedSlots,
  type MissedReason,
  noneMissed,
  type ScheduleCounts,
} from "#agent/prober/schedule/missed-slots";
import type { Plan } from "#agent/prober/schedule/reconcile";
import { FirstCheckPace } from "#agent/prober/schedule/first-check-pace";
import { nextSlot } from "#agent/prober/schedule/slots";
import type { SlotBoard, Standing } from "#agent/prober/schedule/standing";
import { atTheirSlots, type StartTimes } from "#agent/prober/schedule/start-groups";
import type { Clock } from "#base/clock";
import { Ending } from "#base/ending";
import { WallSteps } from "#agent/prober/schedule/wall-steps";
import * as limits from "#limits/prober-limits";
import type { Monitor } from "#check/monitor";
import {
  between,
  epochMillis,
  type EpochMillis,
  millis,
  nanos,
  type Nanos,
  nanosToMillis,
} from "#base/units";

/** What is to be checked now. `until` is the monitor's next slot. */
export interface Slot {
  readonly monitor: Monitor;
  /**
   * Names the result. It is the slot that was met, or the one that the check makes up for, or just after the slot before
   * where the clock was set back.
   */
  readonly at: EpochMillis;
  /** When the check was to begin. */
  readonly due: EpochMillis;
  readonly until: EpochMillis;
  /** Ends the check: the monitor was taken away, or all checks are aborted. */
  readonly ending: Ending;
}

/** A monitor and when it is due next. */
export interface PlannedCheck {
  readonly monitor: Monitor;
  readonly next: EpochMillis;
}

interface Runner {
  monitor: Monitor;
  /** The slot that it waits for. */
  due: EpochMillis;
  /** When the check of that slot is to begin: an entry of the heap with another instant is stale. */
  start: EpochMillis;
  /** The slot that its first check makes up for; null once that is behind it. */
  makesUp: EpochMillis | null;
  /** The newest slot that was checked, and when by the monotonic clock. */
  last: { readonly at: EpochMillis; readonly started: Nanos } | null;
  /** What ends the check that runs; null while none does. */
  ending: Ending | null;
}

const noBoard: SlotBoard = { show: () => {}, ticked: () => {} };
const noSlots: ReadonlyMap<string, EpochMillis> = new Map();
const noStandings: ReadonlyMap<string, Standing> = new Map();

/**
 * Starts each monitor's check at its slots by the wall clock: one heap and one timer for all of them. A slot that
 * cannot be met is skipped and counted, never run late in a burst; a monitor never overlaps itself; a clock that is
 * set back silences no monitor and repeats no slot.
 */
export class Scheduler {
  readonly #clock: Clock;
  /** Runs the check of a slot to its end; never rejects. */
  readonly #start: (slot: Slot) => Promise<void>;
  readonly #onMissed: (missed: MissedSlots) => void;
  readonly #board: SlotBoard;
  readonly #starts: StartTimes;
  readonly #runners = new Map<string, Runner>();
  readonly #heap = new DueHeap();
  readonly #missed: Record<MissedReason, number> = { ...noneMissed };
  readonly #steps: WallSteps;
  #started = 0;
  readonly #firstChecks = new FirstCheckPace();
  #wake = new Ending();

  constructor(
    clock: Clock,
    start: (slot: Slot) => Promise<void>,
    onMissed: (missed: MissedSlots) => void = () => {},
    board: SlotBoard = noBoard,
    starts: StartTimes = atTheirSlots,
  ) {
    this.#clock = clock;
    this.#board = board;
    this.#starts = starts;
    this.#onMissed = onMissed;
    this.#steps = new WallSteps(clock);
    this.#start = start;
  }

  get counts(): ScheduleCounts {
    return { started: this.#started, missed: { ...this.#missed } };
  }

  /** Every monitor with the slot that it waits for, in the order in which they were assigned. */
  *planned(): Iterable<PlannedCheck> {
    for (const { monitor, due } of this.#runners.values()) yield { monitor, next: due };
  }

  /** The monitors whose checks run now. */
  checking(): readonly Monitor[] {
    return [...this.#runners.values()].flatMap(({ ending, monitor }) =>
      ending === null ? [] : [monitor],
    );
  }

  /**
   * `newest` has the newest slot of each monitor that the location has a result of: a monitor that starts continues from
   * there. One with a standing continues from that, as if it had run all the while.
   */
  apply(
    { start, change, stop }: Pick<Plan, "start" | "change" | "stop">,
    newest: ReadonlyMap<string, EpochMillis> = noSlots,
    standings: ReadonlyMap<string, Standing> = noStandings,
  ): void {
    const now = this.#clock.wall();
    for (const id of stop) this.#stop(id);
    for (const monitor of start) this.#firstChecks.joined(monitor);
    for (const monitor of start) {
      const standing = standings.get(monitor.id) ?? null;
      const runner =
        standing === null
          ? this.#opened(monitor, now, newest.get(monitor.id) ?? null)
          : this.#resumed(monitor, standing);
      this.#runners.set(monitor.id, runner);
      this.#heap.push(monitor.id, runner.start);
      this.#show(runner);
    }
    for (const monitor of change) this.#change(monitor, now);
    this.#starts.arrange(this.#runners.values().map((runner) => runner.monitor));
    this.#wake.abort();
  }

  /**
   * The service did not take the result of this slot, so its name is free again. A service refuses what lies ahead of
   * its clock: after our clock was ahead, names would otherwise stay ahead, and each result would be refused.
   */
  free(monitorId: string, slot: EpochMillis): void {
    const runner = this.#runners.get(monitorId);
    if (runner === undefined || runner.last === null || runner.last.at > slot) return;
    runner.last = { at: epochMillis(0), started: runner.last.started };
    this.#show(runner);
  }

  /** A slot whose check could not be started in time after all, or was not finished. */
  missed({ monitor, due }: Pick<Slot, "monitor" | "due">, reason: MissedReason, count = 1): void {
    if (count === 0) return;
    this.#missed[reason] += count;
    this.#onMissed({ monitorId: monitor.id, slot: due, count, reason });
  }

  /** Ends when `signal` aborts; checks that run continue. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.#wake.abort(), { once: true });
    while (!signal.aborted) {
      if (this.#wake.aborted) this.#wake = new Ending();
      const step = this.#steps.look();
      const now = this.#clock.wall();
      this.#board.ticked();
      if (step < 0) this.#awaitAgain(now);
      this.#startDue(now, step > 0 ? "clock" : "late");
      const earliest = this.#heap.earliest ?? now + limits.scheduleLookEvery;
      // Looked at again before long, in case that the wall clock is set meanwhile.
      const pause = Math.min(Math.max(0, earliest - this.#clock.wall()), limits.scheduleLookEvery);
      await this.#clock.sleep(millis(pause), this.#wake);
    }
    this.#leave(this.#clock.wall());
  }

  /** Slots that have passed, and whose checks were to begin after this, are missed. */
  #leave(now: EpochMillis): void {
    for (const runner of this.#runners.values()) {
      const { monitor, due } = runner;
      if (due > now) continue;
      this.missed({ monitor, due }, "drained");
      this.#await(runner, nextSlot(monitor.id, monitor.periodicity, now));
    }
  }

  #stop(monitorId: string): void {
    const runner = this.#runners.get(monitorId);
    if (runner === undefined) return;
    runner.ending?.abort();
    this.#firstChecks.left(runner.monitor);
    this.#runners.delete(monitorId);
  }

  #opened(monitor: Monitor, now: EpochMillis, newest: EpochMillis | null): Runner {
    const { due, at } = this.#firstChecks.of(monitor, now, newest);
    // The clock was set back since: names up to there are taken.
    const isAhead = newest !== null && newest > now;
    const last = isAhead ? { at: newest, started: this.#clock.monotonic() } : null;
    return { monitor, due, start: due, makesUp: at === due ? null : at, last, ending: null };
  }

  #resumed(monitor: Monitor, { due, newest }: Standing): Runner {
    const last = newest === null ? null : { at: newest, started: this.#clock.monotonic() };
    return {
      monitor,
      due,
      start: this.#starts.startOf(monitor, due),
      makesUp: null,
      last,
      ending: null,
    };
  }

  #show(runner: Runner): void {
    const { monitor, due, ending, last } = runner;
    // A check may outlive its monitor's time here, and the same monitor may have come back meanwhile.
    if (this.#runners.get(monitor.id) !== runner) return;
    const newest = last?.at ?? null;
    this.#board.show(monitor.id, { due, checking: ending === null ? null : newest, newest });
  }

  #change(monitor: Monitor, now: EpochMillis): void {
    const runner = this.#runners.get(monitor.id);
    if (runner === undefined) return;
    const samePeriod = runner.monitor.periodicity === monitor.periodicity;
    this.#firstChecks.left(runner.monitor);
    this.#firstChecks.joined(monitor);
    runner.monitor = monitor;
    // A slot that has passed is checked yet: its start was put off.
    if (!samePeriod && runner.due > now)
      this.#await(runner, nextSlot(monitor.id, monitor.periodicity, now));
  }

  #await(runner: Runner, slot: EpochMillis): void {
    runner.due = slot;
    runner.start = this.#starts.startOf(runner.monitor, slot);
    runner.makesUp = null;
    this.#heap.push(runner.monitor.id, runner.start);
    this.#show(runner);
  }

  /**
   * The clock was set back: what was due lies as far ahead as it was set. Each monitor continues by the new clock, at the
   * first slot that leaves at least half a period after its last check.
   */
  #awaitAgain(now: EpochMillis): void {
    const monotonic = this.#clock.monotonic();
    for (const runner of this.#runners.values()) {
      const { monitor, last } = runner;
      const rested = last === null ? 0 : nanosToMillis(nanos(monotonic - last.started));
      const rest = last === null ? 0 : Math.max(0, monitor.periodicity / 2 - rested);
      const slot = nextSlot(monitor.id, monitor.periodicity, epochMillis(now + Math.ceil(rest)));
      if (slot < runner.due) this.#await(runner, slot);
    }
  }

  /** `behind` is why slots are missed that lie too far back. */
  #startDue(now: EpochMillis, behind: MissedReason): void {
    for (
      let start = this.#heap.earliest;
      start !== null && start <= now;
      start = this.#heap.earliest
    )
      for (const monitorId of this.#heap.pop()) {
        const runner = this.#runners.get(monitorId);
        if (runner !== undefined && runner.start === start) this.#meet(runner, now, behind);
      }
  }

  #meet(runner: Runner, now: EpochMillis, behind: MissedReason): void {
    const { due: slot, start } = runner;
    const { id, periodicity } = runner.monitor;
    const until = nextSlot(id, periodicity, now);
    // After a long pause several slots lie behind: only the newest can still be met.
    const newest = Math.max(slot, until - periodicity);
    const { monitor, makesUp } = runner;
    this.missed({ monitor, due: slot }, behind, Math.ceil((newest - slot) / periodicity));
    this.#await(runner, until);
    const met = epochMillis(newest);
    const due = met === slot ? start : this.#starts.startOf(monitor, met);
    if (between(due, now) > limits.slotLatenessMax)
      return this.missed({ monitor, due: met }, behind);
    if (runner.ending !== null) return this.missed({ monitor, due: met }, "overlap");
    // Behind the newest slot that was used, every name up to it is taken.
    const at = makesUp ?? epochMillis(Math.max(met, (runner.last?.at ?? 0) + 1));
    runner.last = { at, started: this.#clock.monotonic() };
    this.#started += 1;
    const ending = (runner.ending = new Ending());
    this.#show(runner);
    void this.#start({ monitor, at, due, until, ending }).finally(() => {
      runner.ending = null;
      this.#show(runner);
    });
  }
}
