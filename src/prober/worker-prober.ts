import os from "node:os";
import type { Worker } from "node:worker_threads";
import { startProbeThread } from "#prober/probe-thread";
import type { Prober, ProberOptions, ProbeThreadOptions } from "#prober/prober";
import type { Answer, Ask } from "#prober/probe-worker";
import { systemClock } from "#clock";
import { failure, type Failure } from "#check/failure";
import * as limits from "#limits";
import type { Logger } from "#log";
import type { Target } from "#check/monitor";
import { type Outcome, unseen } from "#check/outcome";
import { millis, type Millis, millisToNanos, nanos, type Nanos, nanosToMillis } from "#units";

/**
 * Runs probes in worker threads, so that the agent's own JSON, compression and database work never colours a timing.
 * Once the workers run, this thread steps back in the system's scheduler for the same reason. Throws when a
 * worker cannot start.
 */
export async function startWorkerProber(
  options: ProberOptions,
  workers: number,
  log: Logger,
): Promise<Prober> {
  const lanes = Array.from(
    { length: workers },
    () => new Lane({ ...options, threads: workers }, log),
  );
  try {
    await Promise.all(lanes.map((lane) => lane.ready));
  } catch (error) {
    await Promise.all(lanes.map((lane) => lane.close()));
    throw error;
  }
  yieldProcessor(log);
  let turn = 0;
  return {
    probe: (target, timeout, signal) => {
      turn = (turn + 1) % lanes.length;
      const lane = lanes[turn];
      if (lane === undefined) throw new RangeError("a prober needs at least one worker");
      return lane.probe(target, timeout, signal);
    },
    get stuckFor() {
      return millis(Math.max(...lanes.map((lane) => lane.stuckFor)));
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}

/** How much the main thread gives way to the probes; 19 would starve it on a busy machine. */
const niceness = 10;

/** On Linux, priority belongs to the thread: the workers were started before and keep theirs. */
function yieldProcessor(log: Logger): void {
  try {
    os.setPriority(niceness);
  } catch (error) {
    log.debug("could not lower the main thread's priority", { "error.message": String(error) });
  }
}

/** One worker thread and the probes that it has under way; a thread that dies is replaced. */
class Lane {
  readonly #options: ProbeThreadOptions;
  readonly #log: Logger;
  readonly #pending = new Map<number, Pending>();
  readonly #ready = Promise.withResolvers<void>();
  /** Null between the death of a thread and the start of the next. */
  #worker: Worker | null;
  /** When the thread died for which none has taken over yet. */
  #downSince: Nanos | null = null;
  #nextId = 1;
  #state: "open" | "closing" = "open";

  constructor(options: ProbeThreadOptions, log: Logger) {
    this.#options = options;
    this.#log = log;
    this.#worker = this.#start();
  }

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Since its thread died, or since the oldest of its probes should have ended: the deadline is in the thread. */
  get stuckFor(): Millis {
    const now = systemClock.monotonic();
    const dueBy = [...this.#pending.values()].map((pending) => pending.dueBy);
    return nanosToMillis(nanos(now - Math.min(now, this.#downSince ?? now, ...dueBy)));
  }

  probe(target: Target, timeout: Millis, signal: AbortSignal): Promise<Outcome> {
    if (signal.aborted || this.#state === "closing")
      return Promise.resolve(unseen(target.kind, systemClock.wall(), givenUp));
    if (this.#worker === null)
      return Promise.resolve(unseen(target.kind, systemClock.wall(), beingReplaced));
    const id = this.#nextId;
    this.#nextId += 1;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const onAbort = (): void => this.#ask({ ask: "cancel", id });
    signal.addEventListener("abort", onAbort, { once: true });
    this.#pending.set(id, {
      kind: target.kind,
      dueBy: nanos(systemClock.monotonic() + millisToNanos(timeout)),
      settle: (outcome) => {
        signal.removeEventListener("abort", onAbort);
        resolve(outcome);
      },
    });
    this.#ask({ ask: "probe", id, target, timeout });
    return promise;
  }

  async close(): Promise<void> {
    this.#state = "closing";
    await this.#worker?.terminate();
    this.#settleAll(givenUp);
  }

  #start(): Worker {
    const worker = startProbeThread(this.#options);
    worker.on("message", (answer: Answer) => this.#onAnswer(answer));
    worker.on("error", (error) => this.#onDeath(worker, error));
    worker.on("exit", (code) => this.#onDeath(worker, new Error(`exited with code ${code}`)));
    return worker;
  }

  #ask(ask: Ask): void {
    this.#worker?.postMessage(ask);
  }

  #onAnswer(answer: Answer): void {
    switch (answer.answer) {
      case "ready":
        this.#ready.resolve();
        this.#downSince = null;
        return;
      case "outcome":
        this.#pending.get(answer.id)?.settle(answer.outcome);
        this.#pending.delete(answer.id);
        // Whoever asked judges it in the microtasks that follow.
        if (answer.holds) setImmediate(() => this.#ask({ ask: "free", id: answer.id }));
    }
  }

  /**
   * A dead thread is our fault, never a target's: what it had under way says so, and a new one takes over. A thread
   * that throws dies by two events, error and exit: only the first counts.
   */
  #onDeath(worker: Worker, cause: unknown): void {
    if (this.#state === "closing" || worker !== this.#worker) return;
    this.#worker = null;
    this.#downSince ??= systemClock.monotonic();
    const reason = Error.isError(cause) ? cause.message : String(cause);
    this.#ready.reject(new Error(`The probe thread could not start: ${reason}`));
    this.#log.error("a probe thread died and is replaced", { "error.message": reason });
    this.#settleAll(failure("agent_error", "agent", `The probe thread died: ${reason}`));
    void systemClock.sleep(limits.probeThreadRestartPause).then(() => {
      if (this.#state === "open") this.#worker = this.#start();
    });
  }

  #settleAll(why: Failure): void {
    for (const { kind, settle } of this.#pending.values())
      settle(unseen(kind, systemClock.wall(), why));
    this.#pending.clear();
  }
}

interface Pending {
  readonly kind: Target["kind"];
  /** When its deadline should have ended it. */
  readonly dueBy: Nanos;
  readonly settle: (outcome: Outcome) => void;
}

const beingReplaced = failure("agent_error", "agent", "The probe thread is being replaced");
const givenUp = failure("cancelled", "agent", "The check was aborted before it ended");
