import type { Clock } from "#base/clock";
import * as limits from "#limits/alerts-limits";
import { because, Refusal } from "#service/edge/call-refusal";
import { type Millis, millis, type Nanos, nanos, nanosToMillis } from "#base/units";

/** A test that was sent within the last minute. */
interface SentTest {
  /** Equal for equal data of a channel. */
  readonly goal: string;
  readonly at: Nanos;
}

/**
 * How soon a person or a key may send a test again: to what took the last one in ten seconds, to what did not take it or is
 * another at once, and only so many in a minute.
 */
export class TestPace {
  readonly #clock: Clock;
  /** Every test of a caller, the newest last; those who sent one last are last. */
  readonly #sent = new Map<string, readonly SentTest[]>();
  /** What took the last test of a caller. */
  readonly #taken = new Map<string, SentTest>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a test that is about to be sent, or refuses it with the seconds until it may be. */
  enter(caller: string, goal: string): void {
    const wait = this.waitFor(caller, goal);
    if (wait > 0) throw tooSoon(wait, this.#taken.get(caller)?.goal === goal);
    const test = { goal, at: this.#clock.monotonic() };
    const before = this.#sent.get(caller) ?? [];
    this.#sent.delete(caller);
    this.#sent.set(caller, [...before.filter((one) => this.#isRecent(one)), test]);
    this.#taken.set(caller, test);
    this.#forget();
  }

  /** What did not take a test may be tested again at once: its data is corrected meanwhile, or the provider is up. */
  failed(caller: string, goal: string): void {
    if (this.#taken.get(caller)?.goal === goal) this.#taken.delete(caller);
  }

  /** How long a caller waits before this test; 0: not at all. */
  waitFor(caller: string, goal: string): Millis {
    const taken = this.#taken.get(caller);
    const ofSame =
      taken === undefined || taken.goal !== goal
        ? 0
        : limits.testNotificationEvery - this.#ageOf(taken);
    const recent = (this.#sent.get(caller) ?? []).filter((one) => this.#isRecent(one));
    const oldest = recent.at(-limits.testNotificationsMax);
    const ofAll = oldest === undefined ? 0 : limits.testNotificationsSpan - this.#ageOf(oldest);
    return millis(Math.max(0, ofSame, ofAll));
  }

  #ageOf({ at }: SentTest): Millis {
    return nanosToMillis(nanos(this.#clock.monotonic() - at));
  }

  #isRecent(test: SentTest): boolean {
    return this.#ageOf(test) < limits.testNotificationsSpan;
  }

  #forget(): void {
    for (const [caller, tests] of this.#sent) {
      if (tests.some((one) => this.#isRecent(one))) break;
      this.#sent.delete(caller);
      this.#taken.delete(caller);
    }
  }
}

function tooSoon(wait: Millis, isSame: boolean): Refusal {
  const rest = Math.ceil(wait / 1000);
  const why = isSame
    ? "the same test was sent just now"
    : `${limits.testNotificationsMax} tests were sent within a minute`;
  return new Refusal("resource_exhausted", `${why}: send it again in ${rest} s`, {
    ...because("RATE_LIMIT_EXCEEDED", {
      limit: isSame ? "1" : String(limits.testNotificationsMax),
    }),
    "retry-after": String(rest),
  });
}
