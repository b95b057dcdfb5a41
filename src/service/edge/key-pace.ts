import type { Clock } from "#base/clock";
import type { EndSignal } from "#base/ending";
import * as limits from "#limits/service-limits";
import { because, Refusal } from "#service/edge/call-refusal";
import { type Millis, type Nanos, nanos, nanosToMillis, seconds } from "#base/units";

/** The calls of one key: a bucket of tokens that fills by the second, and who waits for the next one, in order. */
interface Line {
  tokens: number;
  filledAt: Nanos;
  readonly waiting: Set<() => void>;
  isServed: boolean;
}

/**
 * How often each API key may call. A call beyond the pace waits for its turn, because the tools of the contract repeat no
 * refused call. Keys do not wait for each other, and agents are not counted. Each replica counts for itself.
 */
export class KeyPace {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #lines = new Map<string, Line>();
  #waiting = 0;

  constructor(clock: Clock, perSecond: number = limits.keyCallsPerSecondDefault) {
    this.#clock = clock;
    this.#perSecond = perSecond;
  }

  /**
   * Ends when it is the call's turn, and says whether that took a while. Refuses a call that would wait too long. A
   * client that hangs up leaves its turn to the next.
   */
  async turn(keyId: string, signal: EndSignal): Promise<{ readonly hasWaited: boolean }> {
    const line = this.#lineOf(keyId);
    this.#fill(line);
    if (line.waiting.size === 0 && line.tokens >= 1) {
      line.tokens -= 1;
      return { hasWaited: false };
    }
    const isFull = line.waiting.size >= this.#callsIn(limits.keyTurnWait);
    if (isFull || this.#waiting >= limits.keyCallsWaitingMax) throw this.#tooOften();
    await this.#wait(line, signal);
    return { hasWaited: true };
  }

  async #wait(line: Line, signal: EndSignal): Promise<void> {
    if (signal.aborted) throw gone();
    const { promise, resolve } = Promise.withResolvers<void>();
    const leave = (): void => {
      line.waiting.delete(resolve);
      resolve();
    };
    line.waiting.add(resolve);
    this.#waiting += 1;
    signal.addEventListener("abort", leave);
    if (!line.isServed) void this.#serve(line);
    await promise;
    signal.removeEventListener("abort", leave);
    this.#waiting -= 1;
    if (signal.aborted) throw gone();
  }

  /** Lets those who wait go on, one for each token, until none is left. */
  async #serve(line: Line): Promise<void> {
    line.isServed = true;
    for (;;) {
      const [next] = line.waiting;
      if (next === undefined) break;
      this.#fill(line);
      if (line.tokens < 1) {
        await this.#clock.sleep(seconds((1 - line.tokens) / this.#perSecond));
        continue;
      }
      line.tokens -= 1;
      line.waiting.delete(next);
      next();
    }
    line.isServed = false;
  }

  #fill(line: Line): void {
    const now = this.#clock.monotonic();
    const passed = nanosToMillis(nanos(now - line.filledAt));
    line.tokens = Math.min(this.#callsIn(limits.keyBurst), line.tokens + this.#callsIn(passed));
    line.filledAt = now;
  }

  #callsIn(duration: Millis): number {
    return (duration / seconds(1)) * this.#perSecond;
  }

  #lineOf(keyId: string): Line {
    const line = this.#lines.getOrInsertComputed(keyId, () => ({
      tokens: this.#callsIn(limits.keyBurst),
      filledAt: this.#clock.monotonic(),
      waiting: new Set<() => void>(),
      isServed: false,
    }));
    this.#forgetOne(keyId);
    return line;
  }

  /** A key that is revoked leaves its line; there are never more of them than keys may be. */
  #forgetOne(but: string): void {
    if (this.#lines.size <= limits.serviceApiKeysMax) return;
    for (const [id, { isServed }] of this.#lines)
      if (id !== but && !isServed) return void this.#lines.delete(id);
  }

  #tooOften(): Refusal {
    const most = this.#perSecond;
    return new Refusal(
      "resource_exhausted",
      `the API key calls more often than ${most} times a second, and its calls wait for ${limits.keyTurnWait / seconds(1)} s already: wait a second and continue`,
      { ...because("RATE_LIMIT_EXCEEDED", { limit: String(most) }), "retry-after": "1" },
    );
  }
}

/** No one reads this: it ends a call whose client hung up. */
const gone = (): Refusal =>
  new Refusal("unavailable", "the client hung up before it was the call's turn");
