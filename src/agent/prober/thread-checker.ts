import { aborted } from "#base/aborted";
import type { Checker, CheckerStatus, CheckListener } from "#agent/prober/checker";
import { CheckLane, type LaneOptions } from "#agent/prober/check-lane";
import { missedReasons, noneMissed } from "#agent/prober/schedule/missed-slots";
import type { Plan } from "#agent/prober/schedule/reconcile";
import type { PlannedCheck } from "#agent/prober/schedule/scheduler";
import type { SecretTable } from "#agent/secrets/secret-table";
import { yieldProcessor } from "#agent/prober/yield-processor";
import type { LatencyEnd } from "#check/outcome";
import type { Logger } from "#base/log";
import type { Monitor } from "#check/monitor";
import type { TargetRules } from "#network/target-rules";
import type { ProberOptions } from "#agent/prober/prober";
import { type EpochMillis, type Millis, millis } from "#base/units";

interface ThreadCheckerOptions {
  readonly probing: ProberOptions;
  readonly workers: number;
  /** Checks that run at the same time, over all threads. */
  readonly concurrency: number;
  readonly latencyEnd: LatencyEnd;
  /** The location's secrets; none, unless given. */
  readonly secrets?: SecretTable | null;
  readonly log: Logger;
}

/**
 * Checks monitors in threads that own their slots, so that the agent's own JSON, compression and database work never
 * colours a timing, and no check wakes this thread by itself. Once the threads run, this one steps back in the system's
 * scheduler for the same reason. Throws when a thread cannot start.
 */
export async function startThreadChecker(options: ThreadCheckerOptions): Promise<GuardedChecker> {
  const { workers, log } = options;
  const lanes = Array.from({ length: workers }, (_, n) => new CheckLane(laneOptions(options, n)));
  try {
    await Promise.all(lanes.map((lane) => lane.ready));
  } catch (error) {
    await Promise.all(lanes.map((lane) => lane.close()));
    throw error;
  }
  yieldProcessor(log);
  return new ThreadChecker(lanes);
}

/** The threads share the places for checks; each has one at least. */
function laneOptions(
  { probing, workers, concurrency, latencyEnd, secrets = null, log }: ThreadCheckerOptions,
  index: number,
): LaneOptions {
  const share = Math.floor(concurrency / workers) + (index < concurrency % workers ? 1 : 0);
  const probes = { ...probing, threads: workers };
  return { probes, concurrency: Math.max(1, share), latencyEnd, secrets, log };
}

/** A checker whose rules for targets may change while it runs. */
interface GuardedChecker extends Checker {
  /** What targets may be from now on. */
  useTargets(rules: TargetRules): void;
}

class ThreadChecker implements GuardedChecker {
  readonly #lanes: readonly CheckLane[];
  readonly #laneOf = new Map<string, CheckLane>();
  /** In the order in which they were assigned. */
  readonly #monitors = new Map<string, Monitor>();

  constructor(lanes: readonly CheckLane[]) {
    this.#lanes = lanes;
  }

  attend(listener: CheckListener): void {
    for (const lane of this.#lanes) lane.attend(listener);
  }

  get monitors(): ReadonlyMap<string, Monitor> {
    return this.#monitors;
  }

  /** A monitor stays in its thread for as long as it runs; a new one goes where the fewest are. */
  apply({ start, change, stop, kept }: Plan, newest: ReadonlyMap<string, EpochMillis>): void {
    for (const id of stop) this.#monitors.delete(id);
    for (const monitor of [...change, ...start]) this.#monitors.set(monitor.id, monitor);
    const counts = new Map(this.#lanes.map((lane) => [lane, lane.size]));
    for (const { id } of start) {
      const [[lane] = []] = [...counts].toSorted(([, a], [, b]) => a - b);
      if (lane === undefined) throw new RangeError("a checker needs at least one thread");
      counts.set(lane, (counts.get(lane) ?? 0) + 1);
      this.#laneOf.set(id, lane);
    }
    for (const lane of this.#lanes) {
      const isHere = (id: string): boolean => this.#laneOf.get(id) === lane;
      const of = (monitors: readonly Monitor[]): readonly Monitor[] =>
        monitors.filter(({ id }) => isHere(id));
      lane.apply({ start: of(start), change: of(change), stop: stop.filter(isHere), kept }, newest);
    }
    for (const id of stop) this.#laneOf.delete(id);
  }

  free(monitorId: string, slot: EpochMillis): void {
    this.#laneOf.get(monitorId)?.free(monitorId, slot);
  }

  /** A monitor that was taken away while its check was judged has no thread any more, and its slot is still counted. */
  hide(monitorId: string, slot: EpochMillis): void {
    const lane = this.#laneOf.get(monitorId) ?? this.#lanes[0];
    lane?.hide(monitorId, slot);
  }

  checkNow(monitor: Monitor, signal: AbortSignal): Promise<Uint8Array | null> {
    // A monitor that is only tried is in no thread.
    const lane = this.#laneOf.get(monitor.id) ?? this.#lanes[0];
    return lane === undefined ? Promise.resolve(null) : lane.checkNow(monitor, signal);
  }

  useSecrets(table: SecretTable | null): void {
    for (const lane of this.#lanes) lane.useSecrets(table);
  }

  useTargets(rules: TargetRules): void {
    for (const lane of this.#lanes) lane.useTargets(rules);
  }

  async run(signal: AbortSignal): Promise<void> {
    for (const lane of this.#lanes) lane.takeSlots();
    await aborted(signal);
    for (const lane of this.#lanes) lane.leaveSlots();
  }

  async settled(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.settled()));
  }

  abort(): void {
    for (const lane of this.#lanes) lane.abort();
  }

  *planned(): Iterable<PlannedCheck> {
    for (const monitor of this.#monitors.values()) {
      const next = this.#laneOf.get(monitor.id)?.nextOf(monitor.id) ?? null;
      if (next !== null) yield { monitor, next };
    }
  }

  checking(): readonly Monitor[] {
    return [...this.#monitors.values()].filter(
      ({ id }) => this.#laneOf.get(id)?.isChecking(id) === true,
    );
  }

  get status(): CheckerStatus {
    return this.#lanes.map((lane) => lane.status).reduce(together);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }
}

/** The sums of two threads, and what is worse in either. */
function together(one: CheckerStatus, other: CheckerStatus): CheckerStatus {
  const missed = { ...noneMissed };
  for (const { schedule } of [one, other])
    for (const reason of missedReasons) missed[reason] += schedule.missed[reason];
  return {
    schedule: { started: one.schedule.started + other.schedule.started, missed },
    checksInFlight: one.checksInFlight + other.checksInFlight,
    sinceTick: longer(one.sinceTick, other.sinceTick),
    stuckFor: millis(Math.max(one.stuckFor, other.stuckFor)),
  };
}

const longer = (one: Millis | null, other: Millis | null): Millis | null =>
  one === null || other === null ? (one ?? other) : millis(Math.max(one, other));
