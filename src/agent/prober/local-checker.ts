import { Board } from "#agent/prober/board";
import type { Checker, CheckerStatus, CheckListener } from "#agent/prober/checker";
import { Gate } from "#agent/prober/checks/gate";
import { type CheckTools, runCheck } from "#agent/prober/checks/run-check";
import { SlotChecks } from "#agent/prober/checks/slot-checks";
import type { Prober } from "#agent/prober/prober";
import type { MissedSlots } from "#agent/prober/schedule/missed-slots";
import type { Plan } from "#agent/prober/schedule/reconcile";
import { type PlannedCheck, Scheduler } from "#agent/prober/schedule/scheduler";
import type { Standing } from "#agent/prober/schedule/standing";
import type { StartTimes } from "#agent/prober/schedule/start-groups";
import type { SecretTable } from "#agent/secrets/secret-table";
import { Secrets } from "#agent/secrets/secrets";
import * as limits from "#limits/prober-limits";
import type { Monitor, Target } from "#check/monitor";
import type { Outcome } from "#check/outcome";
import type { EndSignal } from "#base/ending";
import {
  after,
  epochMillis,
  type EpochMillis,
  type Millis,
  millisToNanos,
  nanos,
  type Nanos,
} from "#base/units";
import { reportOf } from "#wire/report";

interface LocalCheckerOptions extends CheckTools {
  /** Checks that run at the same time. */
  readonly concurrency: number;
  /** Where it shows how it stands; a board that only it sees, unless given. */
  readonly board?: Board;
  /** When checks begin; each at its slot, unless given. */
  readonly starts?: StartTimes;
  /** Called when the last check of a slot ended that ran, and its result was decided. */
  readonly idle?: () => void;
}

/** Checks monitors in the thread that asks: slots, gate, attempts and retries. It is what each thread of probes runs. */
export class LocalChecker implements Checker {
  readonly monitors: Map<string, Monitor> = new Map();
  readonly #tools: CheckTools;
  readonly #board: Board;
  readonly #gate: Gate;
  readonly #scheduler: Scheduler;
  readonly #checks: SlotChecks;
  readonly #secrets: Secrets;
  /** When each attempt that runs should have ended. */
  readonly #dueBy = new Set<{ readonly at: Nanos }>();
  #listener: CheckListener = deaf;

  constructor(options: LocalCheckerOptions) {
    const { clock, prober, concurrency, board = new Board(), starts, idle = () => {} } = options;
    this.#board = board;
    const { secrets = new Secrets(null) } = options;
    this.#secrets = secrets;
    this.#tools = {
      ...options,
      secrets,
      prober: { probe: (...what) => this.#attempt(prober, ...what) },
    };
    this.#gate = new Gate(concurrency);
    this.#scheduler = new Scheduler(
      clock,
      (slot) => {
        board.begun();
        return this.#checks.run(slot);
      },
      (missed) => this.#missed(missed),
      { show: (...what) => board.show(...what), ticked: () => this.#ticked() },
      starts,
    );
    this.#checks = new SlotChecks({
      ...this.#tools,
      gate: this.#gate,
      missed: (slot, reason) => this.#scheduler.missed(slot, reason),
      decided: (decided) => this.#listener.decided(decided),
      inFlight: (count) => {
        board.inFlight(count);
        if (count === 0) idle();
      },
    });
  }

  attend(listener: CheckListener): void {
    this.#listener = listener;
  }

  get status(): CheckerStatus {
    return this.#board.status(this.#tools.clock.monotonic());
  }

  apply(
    plan: Pick<Plan, "start" | "change" | "stop">,
    newest?: ReadonlyMap<string, EpochMillis>,
    standings?: ReadonlyMap<string, Standing>,
  ): void {
    for (const id of plan.stop) this.monitors.delete(id);
    for (const monitor of [...plan.start, ...plan.change]) this.monitors.set(monitor.id, monitor);
    this.#board.apply(plan);
    this.#scheduler.apply(plan, newest, standings);
  }

  free(monitorId: string, slot: EpochMillis): void {
    this.#scheduler.free(monitorId, slot);
  }

  hide(monitorId: string, slot: EpochMillis): void {
    this.#missed({ monitorId, slot, count: 1, reason: "vantage" });
  }

  useSecrets(table: SecretTable | null): void {
    this.#secrets.replace(table);
  }

  async checkNow(monitor: Monitor, signal: AbortSignal): Promise<Uint8Array | null> {
    using permit = await this.#gate.enter(signal);
    if (permit === null) return null;
    const until = after(this.#tools.clock.wall(), limits.checkNowRetriesWithin);
    const tools = { ...this.#tools, reportedAnswers: "of every check" } as const;
    const result = await runCheck({ monitor, at: noSlot, until }, tools, signal);
    if (result === null) return null;
    return reportOf(result, "without addresses", tools.reportedAnswers).payload;
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#scheduler.run(signal);
  }

  settled(): Promise<void> {
    return this.#checks.settled();
  }

  abort(): void {
    this.#checks.abort();
  }

  planned(): Iterable<PlannedCheck> {
    return this.#scheduler.planned();
  }

  checking(): readonly Monitor[] {
    return this.#scheduler.checking();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.abort();
    await this.settled();
  }

  async #attempt(
    prober: Pick<Prober, "probe">,
    target: Target,
    timeout: Millis,
    signal: EndSignal,
  ): Promise<Outcome> {
    const dueBy = { at: nanos(this.#tools.clock.monotonic() + millisToNanos(timeout)) };
    this.#dueBy.add(dueBy);
    try {
      return await prober.probe(target, timeout, signal);
    } finally {
      this.#dueBy.delete(dueBy);
    }
  }

  #missed(missed: MissedSlots): void {
    this.#board.missed(missed.reason, missed.count);
    this.#listener.missed(missed);
  }

  #ticked(): void {
    let oldest: Nanos | null = null;
    for (const { at } of this.#dueBy) if (oldest === null || at < oldest) oldest = at;
    this.#board.ticked(this.#tools.clock.monotonic(), oldest);
  }
}

/** No slot lies there, so the answer to a question can never be taken for the result of one. */
const noSlot = epochMillis(0);

const deaf: CheckListener = { decided: () => {}, missed: () => {} };
