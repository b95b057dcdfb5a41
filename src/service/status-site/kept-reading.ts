import type { Clock } from "#base/clock";
import * as limits from "#limits/status-limits";
import { StoreFault } from "#service/store/store-fault";
import { type Nanos, nanos, nanosToMillis } from "#base/units";

/** Counts the changes of what is read: those that are known, and with them those that may have been missed. */
export interface Changes {
  readonly known: number;
  readonly possible: number;
}

interface LastValue<T> {
  readonly value: T;
  readonly at: Nanos;
  readonly changes: Changes;
}

/** What was read; late where the database does not give it now, so that this is the last that it gave. */
export interface Reading<T> {
  readonly value: T;
  readonly isLate: boolean;
}

interface ReadingSource<T> {
  readonly read: () => Promise<T>;
  readonly changes: () => Changes;
  readonly clock: Clock;
}

/** One thing that is read of the database for many, and kept: it is there for them also while the database is away. */
export class KeptReading<T> {
  readonly #source: ReadingSource<T>;
  #last: LastValue<T> | null = null;
  #reading: Promise<T> | null = null;
  /** Set while the database does not answer, or too late: whoever comes then need not wait for that as well. */
  #isAway = false;

  constructor(source: ReadingSource<T>) {
    this.#source = source;
  }

  /** What was read, if nothing may have changed since and it is younger than `maxAge`; else null. */
  youngerThan(maxAge: number): Reading<T> | null {
    const last = this.#last;
    if (last === null || last.changes.possible !== this.#source.changes().possible) return null;
    return this.#ageOf(last) < maxAge ? { value: last.value, isLate: false } : null;
  }

  /** Reads it; whoever asks meanwhile gets the same. */
  renew(): Promise<T> {
    return (this.#reading ??= this.#read().finally(() => (this.#reading = null)));
  }

  /** Reads it, however long that takes, or gives the last that was read if the database cannot be read. */
  async awaited(): Promise<Reading<T>> {
    try {
      return { value: await this.renew(), isLate: false };
    } catch (error) {
      const late = this.#late();
      if (late !== null && error instanceof StoreFault) return late;
      throw error;
    }
  }

  /** The same, but gives the last that was read also if the database does not answer in time. */
  async current(): Promise<Reading<T>> {
    const late = this.#late();
    const awaited = this.awaited();
    if (late === null) return awaited;
    if (!this.#isAway) return this.#inTime(awaited, late);
    awaited.catch(() => {});
    return late;
  }

  async #inTime(answer: Promise<Reading<T>>, late: Reading<T>): Promise<Reading<T>> {
    const answered = new AbortController();
    const patience = this.#source.clock.sleep(limits.statusPagePatience, answered.signal);
    const gone = patience.then(() => {
      if (!answered.signal.aborted) this.#isAway = true;
      return late;
    });
    try {
      return await Promise.race([answer, gone]);
    } finally {
      answered.abort();
    }
  }

  /** Null if it is too old, or is known to have changed: it may be for fewer people than it was. */
  #late(): Reading<T> | null {
    const last = this.#last;
    if (last === null || last.changes.known !== this.#source.changes().known) return null;
    return this.#ageOf(last) < limits.statusPageLateFor
      ? { value: last.value, isLate: true }
      : null;
  }

  #ageOf({ at }: LastValue<T>): number {
    return nanosToMillis(nanos(this.#source.clock.monotonic() - at));
  }

  async #read(): Promise<T> {
    const changes = this.#source.changes();
    const at = this.#source.clock.monotonic();
    try {
      const value = await this.#source.read();
      this.#last = { value, at, changes };
      this.#isAway = false;
      return value;
    } catch (error) {
      this.#isAway = true;
      throw error;
    }
  }
}
