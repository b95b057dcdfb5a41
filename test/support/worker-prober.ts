import { Worker } from "node:worker_threads";
import { unseen } from "#check/kinds/unseen";
import type { EndSignal } from "#base/ending";
import type { Prober, ProberOptions } from "#agent/prober/prober";
import { systemClock } from "#base/clock";
import { failure, type Failure } from "#check/failure";
import type { Target } from "#check/monitor";
import type { Outcome } from "#check/outcome";
import type { Logger } from "#base/log";
import { closeLeft, descriptorMemory } from "#probes/raw/descriptor-list";
import { yieldProcessor } from "#agent/prober/yield-processor";
import type { Millis } from "#base/units";
import type { DeskReply, DeskRequest, DeskStart } from "./probe-desk.ts";

/**
 * Makes attempts in one thread, each when it is asked for: for what examines the agent's way of probing, and has no
 * slots. Once the thread runs, this one gives way to it. Throws when the thread cannot start.
 */
export async function startWorkerProber(options: ProberOptions, log: Logger): Promise<Prober> {
  const prober = new WorkerProber(startDesk(options));
  await prober.ready;
  yieldProcessor(log);
  return prober;
}

function startDesk(options: ProberOptions): Worker {
  const workerData: DeskStart = {
    options: { ...options, threads: 1 },
    descriptors: descriptorMemory(),
  };
  const worker = new Worker(new URL("probe-desk.ts", import.meta.url), { workerData });
  worker.once("exit", () => closeLeft(workerData.descriptors));
  return worker;
}

class WorkerProber implements Prober {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  readonly #ready = Promise.withResolvers<void>();
  /** Why the thread makes no attempt any more; null while it does. */
  #over: Failure | null = null;
  #nextId = 1;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (answer: DeskReply) => this.#onAnswer(answer));
    worker.on("error", (error) => this.#onDeath(Error.isError(error) ? error.message : "an error"));
    worker.on("exit", (code) => this.#onDeath(`exited with code ${code}`));
  }

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  probe(target: Target, timeout: Millis, signal: EndSignal): Promise<Outcome> {
    const over = signal.aborted ? givenUp : this.#over;
    if (over !== null) return Promise.resolve(unseen(target.kind, systemClock.wall(), over));
    const id = this.#nextId;
    this.#nextId += 1;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const onAbort = (): void => this.#ask({ ask: "cancel", id });
    signal.addEventListener("abort", onAbort, { once: true });
    this.#pending.set(id, {
      kind: target.kind,
      settle: (outcome) => {
        signal.removeEventListener("abort", onAbort);
        resolve(outcome);
      },
    });
    this.#ask({ ask: "probe", id, target, timeout });
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end(givenUp);
    await this.#worker.terminate();
  }

  #ask(ask: DeskRequest): void {
    this.#worker.postMessage(ask);
  }

  #onAnswer(answer: DeskReply): void {
    if (answer.answer === "ready") this.#ready.resolve();
    if (answer.answer !== "outcome") return;
    this.#pending.get(answer.id)?.settle(answer.outcome);
    this.#pending.delete(answer.id);
  }

  /** A dead thread is our fault, never a target's. */
  #onDeath(reason: string): void {
    this.#ready.reject(new Error(`The probe thread could not start: ${reason}`));
    this.#end(failure("agent_error", "agent", `The probe thread died: ${reason}`));
  }

  #end(why: Failure): void {
    this.#over ??= why;
    for (const { kind, settle } of this.#pending.values())
      settle(unseen(kind, systemClock.wall(), why));
    this.#pending.clear();
  }
}

interface Pending {
  readonly kind: Target["kind"];
  readonly settle: (outcome: Outcome) => void;
}

const givenUp = failure("cancelled", "agent", "The check was aborted before it ended");
