import type { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { systemClock } from "#base/clock";
import * as storeLimits from "#limits/store-limits";
import { millisToNanos } from "#base/units";

/** A verb that waits for its turn. */
interface QueuedVerb {
  readonly work: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Does verbs on one connection, one after the other. Those that write share a transaction, and so one wait for the
 * disk, with what has come meanwhile; each is undone alone where it fails, and none is answered before all are durable.
 */
export class VerbQueue {
  readonly #sqlite: DatabaseSync;
  readonly #does: "writes" | "reads";
  readonly #mustBeInPlace: () => void;
  #waiting: QueuedVerb[] = [];
  #works = false;
  #end: (() => void) | null = null;

  constructor(sqlite: DatabaseSync, does: "writes" | "reads", mustBeInPlace: () => void) {
    this.#sqlite = sqlite;
    this.#does = does;
    this.#mustBeInPlace = mustBeInPlace;
  }

  add(waiting: QueuedVerb): void {
    this.#waiting.push(waiting);
    if (!this.#works) void this.#workOff();
  }

  /** Calls `end` once nothing waits any more. */
  finish(end: () => void): void {
    if (this.#works) this.#end = end;
    else end();
  }

  async #workOff(): Promise<void> {
    this.#works = true;
    while (this.#waiting.length > 0) {
      // What was sent while the last ones were done is taken in first.
      await nextTurn();
      await this.#transaction();
    }
    this.#works = false;
    this.#end?.();
  }

  /** As many as are done within a moment. */
  async #transaction(): Promise<void> {
    const done: (() => void)[] = [];
    const begun: QueuedVerb[] = [];
    try {
      this.#mustBeInPlace();
      this.#sqlite.exec(this.#does === "writes" ? "BEGIN IMMEDIATE" : "BEGIN");
      const until = systemClock.monotonic() + millisToNanos(storeLimits.storeTransactionMax);
      do {
        const next = this.#waiting.shift();
        if (next === undefined) break;
        begun.push(next);
        done.push(await this.#one(next));
      } while (systemClock.monotonic() < until);
      this.#mustBeInPlace();
      this.#sqlite.exec("COMMIT");
    } catch (error) {
      if (this.#sqlite.isTransaction) this.#sqlite.exec("ROLLBACK");
      // Where nothing could begin, whatever waits is answered: the next one would only wait as long again.
      const failed = begun.length === 0 ? this.#waiting.splice(0) : begun;
      for (const { reject } of failed) reject(error);
      return;
    }
    for (const answer of done) answer();
  }

  /** Gives how it is answered once all is durable. Throws what undid the whole transaction. */
  async #one({ work, resolve, reject }: QueuedVerb): Promise<() => void> {
    if (this.#does === "writes") this.#sqlite.exec("SAVEPOINT one");
    try {
      const value = await work();
      if (this.#does === "writes") this.#sqlite.exec("RELEASE one");
      return () => resolve(value);
    } catch (error) {
      // A disk that is full or fails has undone everything.
      if (!this.#sqlite.isTransaction) throw error;
      if (this.#does === "writes") this.#sqlite.exec("ROLLBACK TO one; RELEASE one");
      return () => reject(error);
    }
  }
}
