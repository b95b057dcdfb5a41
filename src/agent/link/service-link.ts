import type { Clock } from "#base/clock";
import type { Logger } from "#base/log";
import { serverFields } from "#network/server-fields";
import { refusesToken, type ServiceError, type ServiceReason } from "#transport/control-plane";
import { serviceTrouble } from "#transport/service-trouble";
import type { EpochMillis } from "#base/units";

export type LinkState = "unknown" | "up" | "down" | "refused";

/** What went wrong last on the way to the service, also when all is well again. */
export interface LinkFault {
  readonly at: EpochMillis;
  readonly reason: ServiceReason;
  readonly message: string;
}

/**
 * What the agent knows of its way to the service. Each change of state is said once, however often a call fails.
 * A refused token stops reports until a pull succeeds.
 */
export class ServiceLink {
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #url: string;
  #state: LinkState = "unknown";
  #since: EpochMillis;
  #fault: LinkFault | null = null;
  #tokenRefused = false;
  #successes = 0;
  #returns = 0;
  #changed = Promise.withResolvers<void>();

  constructor(log: Logger, clock: Clock, url: string) {
    this.#log = log;
    this.#clock = clock;
    this.#url = url;
    this.#since = clock.wall();
  }

  get state(): LinkState {
    return this.#state;
  }

  /** When it came into its state. */
  get since(): EpochMillis {
    return this.#since;
  }

  get fault(): LinkFault | null {
    return this.#fault;
  }

  /** Settles at the next change of state. */
  get changed(): Promise<void> {
    return this.#changed.promise;
  }

  /** Whether the token was refused, and nothing has succeeded since: also while the service is away. */
  get tokenRefused(): boolean {
    return this.#tokenRefused;
  }

  /** How often anything succeeded, and how often it was for the first time after a failure. */
  get successes(): number {
    return this.#successes;
  }

  get returns(): number {
    return this.#returns;
  }

  succeeded(): void {
    this.#successes += 1;
    this.#tokenRefused = false;
    if (this.#state === "up") return;
    this.#returns += 1;
    this.#log.info(this.#state === "unknown" ? "connected to the service" : "the service is back", {
      ...serverFields(this.#url),
    });
    this.#move("up");
  }

  failed(error: ServiceError): void {
    // We ended the call ourselves: that says nothing of the service.
    if (error.reason === "cancelled") return;
    this.#fault = { at: this.#clock.wall(), reason: error.reason, message: error.message };
    const state = refusesToken(error) ? "refused" : "down";
    if (state === "refused") this.#tokenRefused = true;
    if (this.#state === state) return;
    const fields = {
      ...serverFields(this.#url),
      "error.type": error.reason,
      "error.message": error.message,
    };
    const { fact, nextStep } = serviceTrouble(error.reason, { proxied: error.reason === "proxy" });
    const message = `${fact}: ${nextStep}; known monitors keep running and results are kept`;
    if (state === "refused") this.#log.error(message, fields);
    else this.#log.warn(message, fields);
    this.#move(state);
  }

  #move(state: LinkState): void {
    this.#state = state;
    this.#since = this.#clock.wall();
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers();
    resolve();
  }
}
