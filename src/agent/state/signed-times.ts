import { parsedJson } from "#base/json";
import { thrownText } from "#base/text";
import type { Logger } from "#base/log";
import * as limits from "#limits/signing-limits";
import { keepText, keptText } from "#machine/kept-text";

/** In the state directory. */
export const timesFileName = "signed-times.json";

/** When the newest signature was made that an agent has run of each monitor: an older one is not run any more. */
export class SignedTimes {
  readonly #file: string | null;
  readonly #log: Logger;
  readonly #times = new Map<string, number>();

  /**
   * Null keeps them for as long as the process runs. Those of `others` count as well: an agent may have had another place
   * in its state directory before.
   */
  constructor(file: string | null, log: Logger, others: readonly string[] = []) {
    this.#file = file;
    this.#log = log;
    for (const one of new Set([...(file === null ? [] : [file]), ...others])) this.#load(one);
  }

  /** Epoch milliseconds; null of a monitor that is not known. */
  of(monitor: string): number | null {
    return this.#times.get(monitor) ?? null;
  }

  /** Takes newer ones in, and keeps them before anything runs by them. Past so many, those that were signed first are forgotten. */
  note(newest: ReadonlyMap<string, number>): void {
    let changed = false;
    for (const [monitor, at] of newest) {
      if (at <= (this.#times.get(monitor) ?? -1)) continue;
      this.#times.set(monitor, at);
      changed = true;
    }
    if (!changed) return;
    const over = this.#times.size - limits.signedTimesMax;
    if (over > 0)
      for (const [monitor] of [...this.#times]
        .filter(([one]) => !newest.has(one))
        .toSorted(([, a], [, b]) => a - b)
        .slice(0, over))
        this.#times.delete(monitor);
    this.#save();
  }

  #load(file: string): void {
    try {
      const text = keptText(file);
      const read: unknown = text === null ? [] : parsedJson(text);
      if (!Array.isArray(read)) throw new Error(`${file} is damaged`);
      for (const one of read)
        if (Array.isArray(one) && typeof one[0] === "string" && typeof one[1] === "number")
          this.#times.set(one[0], Math.max(one[1], this.of(one[0]) ?? one[1]));
    } catch (error) {
      this.#log.warn(
        "the times of signatures cannot be read: until monitors are signed again, older signatures of them are accepted",
        { "error.message": thrownText(error) },
      );
    }
  }

  #save(): void {
    if (this.#file === null) return;
    try {
      keepText(this.#file, JSON.stringify([...this.#times]));
    } catch (error) {
      this.#log.warn(
        "the times of signatures cannot be kept: after a restart older signatures are accepted",
        { "error.message": thrownText(error) },
      );
    }
  }
}
