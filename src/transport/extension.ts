import type { Clock } from "#base/clock";
import * as limits from "#limits/wire-limits";
import { ServiceError } from "#transport/control-plane";
import { type Millis, type Nanos, nanos, nanosToMillis } from "#base/units";

/** A call that older services do not have: asked once, then not for an hour. */
export class Extension {
  readonly #clock: Clock;
  /** Answers in a row that there is no such call. */
  #denials = 0;
  #missingSince: Nanos | null = null;
  #shown = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The answer, or null if the service does not know the call. */
  async use<T>(call: () => Promise<T>): Promise<T | null> {
    if (this.#missing()) return null;
    try {
      const answer = await call();
      this.#missingSince = null;
      this.#shown = true;
      this.#denials = 0;
      return answer;
    } catch (error) {
      if (!(error instanceof ServiceError) || !["unsupported", "not_found"].includes(error.reason))
        throw error;
      this.#denials += 1;
      // What stands before a service that restarts says so too.
      if (this.#shown && this.#denials < limits.extensionDenialsMax)
        throw new ServiceError("unavailable", error.message);
      this.#shown = false;
      this.#missingSince = this.#clock.monotonic();
      return null;
    }
  }

  /** Whoever said that it is missing was not the service. */
  askAgain(): void {
    this.#missingSince = null;
  }

  /** Whether the service has answered it, the last time it was asked. */
  get shown(): boolean {
    return this.#shown;
  }

  #missing(): boolean {
    if (this.#missingSince === null) return false;
    const since: Millis = nanosToMillis(nanos(this.#clock.monotonic() - this.#missingSince));
    return since < limits.extensionAskAgainAfter;
  }
}
