import * as storeLimits from "#limits/store-limits";
import {
  type VerbRequest,
  closeVerb,
  type ThreadReply,
  type ThreadRole,
  threadBegins,
} from "#service/store/sqlite/thread-messages";
import type { Authorship } from "#service/store/audit/actor";
import { StoreFault } from "#service/store/store-fault";
import { startThread } from "#machine/start-thread";

/** As much of a thread as is needed of it. */
export interface StoreWorker {
  on(event: "message", listener: (reply: ThreadReply<never>) => void): unknown;
  on(event: "error", listener: (error: unknown) => void): unknown;
  on(event: "exit", listener: () => void): unknown;
  postMessage(request: VerbRequest<unknown>): void;
  terminate(): Promise<unknown>;
}

interface PendingRequest {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** Until a thread serves: how far it is, and whether it is still wanted. */
export interface StartOptions {
  readonly onDamage: (sentence: string) => void;
  readonly onProgress: (sentence: string) => void;
  readonly signal: AbortSignal;
  readonly startsWorker?: (role: ThreadRole) => StoreWorker;
}

const startWorker = (role: ThreadRole): StoreWorker =>
  startThread(
    { source: new URL("store-worker.ts", import.meta.url), bundled: "store-worker.mjs" },
    role,
  );

/** A thread of the store as the service asks it: one answer to each question, whatever becomes of the thread. */
export class StoreThread {
  readonly #worker: StoreWorker;
  readonly #exited = Promise.withResolvers<void>();
  readonly #says: Pick<StartOptions, "onProgress" | "onDamage">;
  readonly #waiting = new Map<number, PendingRequest>();
  /** Set once the thread can do nothing more. */
  #ended: StoreFault | null = null;
  #lastId = threadBegins;

  private constructor(worker: StoreWorker, says: Pick<StartOptions, "onProgress" | "onDamage">) {
    this.#says = says;
    this.#worker = worker;
    this.#worker.on("message", (reply: ThreadReply<never>) => this.#onReply(reply));
    this.#worker.on("error", (error) =>
      this.#end(new StoreFault("store_broken", `a thread of the store failed: ${String(error)}`)),
    );
    this.#worker.on("exit", () => {
      this.#end(closed());
      this.#exited.resolve();
    });
  }

  /** Rejects with a StoreFault when the file cannot be used, and with the signal's reason when that aborts. */
  static async start(
    role: ThreadRole,
    { signal, startsWorker = startWorker, ...says }: StartOptions,
  ): Promise<StoreThread> {
    signal.throwIfAborted();
    const thread = new StoreThread(startsWorker(role), says);
    const ready = Promise.withResolvers<null>();
    thread.#waiting.set(threadBegins, ready);
    const onAbort = (): void => ready.reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await ready.promise;
      return thread;
    } catch (error) {
      await thread.#worker.terminate();
      throw error;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** What comes back is what the verb gives. */
  ask<R>(verb: string, args: readonly unknown[], authorship: Authorship | null = null): Promise<R> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    if (this.#waiting.size >= storeLimits.storeCallsWaitingMax)
      return Promise.reject(
        new StoreFault("store_busy", `${this.#waiting.size} calls wait for the store already`),
      );
    this.#lastId += 1;
    const answer = Promise.withResolvers<R>();
    this.#waiting.set(this.#lastId, answer);
    const request: VerbRequest<unknown> = { id: this.#lastId, verb, args, authorship };
    this.#worker.postMessage(request);
    return answer.promise;
  }

  /** What is under way is finished first, as the thread takes one thing after the other. */
  async close(): Promise<void> {
    this.#ended ??= closed();
    this.#worker.postMessage({
      id: threadBegins,
      verb: closeVerb,
      args: [],
      authorship: null,
    });
    await this.#exited.promise;
  }

  #onReply(reply: ThreadReply<never>): void {
    if (reply.kind === "progress") return this.#says.onProgress(reply.sentence);
    if (reply.kind === "damage") return this.#says.onDamage(reply.sentence);
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    switch (reply.kind) {
      case "done":
        return waiting?.resolve(reply.value);
      case "fault":
        return waiting?.reject(new StoreFault(reply.code, reply.message));
      case "threw":
        return waiting?.reject(new Error(reply.message));
    }
  }

  #end(fault: StoreFault): void {
    this.#ended ??= fault;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(fault);
  }
}

const closed = (): StoreFault => new StoreFault("store_closed", "the store is closed");
