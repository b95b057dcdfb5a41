import type { Clock } from "#clock";
import * as limits from "#limits/service-limits";
import { because, Refusal } from "#service/calls/call-refusal";
import { type Nanos, nanos, nanosToMillis } from "#units";

/** How often each API key may call: a bucket of tokens that fills by the second. Agents are not counted. */
export class KeyPace {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, { tokens: number; at: Nanos }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a call of a key; refuses it where the bucket is empty. */
  take(keyId: string): void {
    const now = this.#clock.monotonic();
    const bucket = this.#buckets.getOrInsertComputed(keyId, () => ({
      tokens: limits.keyCallsAtOnce,
      at: now,
    }));
    const filled = (nanosToMillis(nanos(now - bucket.at)) / 1000) * limits.keyCallsPerSecond;
    bucket.tokens = Math.min(limits.keyCallsAtOnce, bucket.tokens + filled);
    bucket.at = now;
    if (bucket.tokens < 1) throw tooOften();
    bucket.tokens -= 1;
    this.#forgetOne();
  }

  /** A key that is revoked leaves its bucket; there are never more of them than keys may be. */
  #forgetOne(): void {
    if (this.#buckets.size <= limits.serviceApiKeysMax) return;
    for (const id of this.#buckets.keys()) return void this.#buckets.delete(id);
  }
}

const tooOften = (): Refusal =>
  new Refusal(
    "resource_exhausted",
    `the API key calls more often than ${limits.keyCallsPerSecond} times a second: wait a second and continue`,
    {
      ...because("RATE_LIMIT_EXCEEDED", { limit: String(limits.keyCallsPerSecond) }),
      "retry-after": "1",
    },
  );
