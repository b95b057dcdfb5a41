import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import type { Clock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import * as limits from "#limits/pages-limits";
import type { Logger } from "#base/log";

/** Bodies that are made while they are read: a few at once, each within its time, and no faster than the reader takes it. */
export class Streams {
  readonly #clock: Clock;
  readonly #log: Logger;
  #running = 0;

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock;
    this.#log = log;
  }

  get full(): boolean {
    return this.#running >= limits.scrapesAtOnceMax;
  }

  /** Sends the pieces and ends the response; one that goes wrong in the middle is cut off. Never rejects. */
  async send(pieces: Iterable<string>, response: ServerResponse): Promise<void> {
    this.#running += 1;
    using deadline = startDeadline(this.#clock, limits.scrapeWithin);
    try {
      const unhurried = Readable.from(this.#unhurried(pieces));
      await pipeline(unhurried, response, { signal: deadline.signal });
    } catch {
      // The reader went away or was too slow; what is our fault has been said where it was made.
      response.destroy();
    } finally {
      this.#running -= 1;
    }
  }

  /** Everything else on this thread comes between two pieces, also for a reader that always wants more. */
  async *#unhurried(pieces: Iterable<string>): AsyncGenerator<string> {
    try {
      for (const piece of pieces) {
        yield piece;
        await turnOfLoop();
      }
    } catch (error) {
      this.#log.error("the local endpoint could not answer", { error: String(error) });
      throw error;
    }
  }
}

/** A body as a text where one piece is all of it: to send that takes no time. */
export function wholeIfShort(pieces: Iterable<string>): string | Iterable<string> {
  const rest = Iterator.from(pieces);
  const first = rest.next();
  const second = rest.next();
  if (first.done === true) return "";
  if (second.done === true) return first.value;
  return inOrder([first.value, second.value], rest);
}

function* inOrder(...parts: readonly Iterable<string>[]): Generator<string> {
  for (const part of parts) yield* part;
}
