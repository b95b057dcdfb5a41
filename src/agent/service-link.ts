import type { Clock } from "#clock";
import type { Logger } from "#log";
import { refusesToken, type ServiceError, type ServiceReason } from "#transport/control-plane";
import type { EpochMillis } from "#units";

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

  succeeded(): void {
    if (this.#state === "up") return;
    this.#log.info(this.#state === "unknown" ? "connected to the service" : "the service is back", {
      "server.address": this.#url,
    });
    this.#move("up");
  }

  failed(error: ServiceError): void {
    // We ended the call ourselves: that says nothing of the service.
    if (error.reason === "cancelled") return;
    this.#fault = { at: this.#clock.wall(), reason: error.reason, message: error.message };
    const state = refusesToken(error) ? "refused" : "down";
    if (this.#state === state) return;
    const fields = {
      "server.address": this.#url,
      "error.type": error.reason,
      "error.message": error.message,
    };
    if (state === "refused")
      this.#log.error(
        "the service refuses the token: check PICKET_TOKEN and PICKET_TOKEN_HEADER; known monitors keep running and results are kept",
        fields,
      );
    else
      this.#log.warn(
        "the service cannot be reached: known monitors keep running and results are kept",
        fields,
      );
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
