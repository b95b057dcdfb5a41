import { totalmem } from "node:os";
import { failure, type Failure } from "#check/failure";
import { ownFaults } from "#check/own-faults";
import type { EndSignal } from "#base/ending";
import * as limits from "#limits/probes-limits";
import { bytes, type Bytes } from "#base/units";

/** Memory that a body was granted; it is given back by `shrink`, down to nothing. */
export interface BodyClaim {
  /** Keeps this much of it, and leaves the rest to others. */
  shrink(to: number): void;
}

/**
 * The memory that the bodies of one thread share: each is bounded, and all of them together too. Whoever finds no room
 * waits in turn. A claim for more than there is waits for all of it, so that the largest body can be read alone.
 */
export class BodyMemory {
  readonly #total: Bytes;
  readonly #kept = new WeakMap<Uint8Array, BodyClaim>();
  readonly #waiting: { readonly wants: number; readonly grant: () => void }[] = [];
  #used = 0;

  constructor(total: Bytes) {
    this.#total = total;
  }

  get used(): number {
    return this.#used;
  }

  /** Null when `signal` aborted before there was room. */
  take(wanted: number, signal: EndSignal): BodyClaim | Promise<BodyClaim | null> {
    const wants = Math.min(wanted, this.#total);
    if (this.#waiting.length === 0 && this.#used + wants <= this.#total) return this.#claim(wants);
    return new Promise((resolve) => {
      const waiter = {
        wants,
        grant: () => {
          signal.removeEventListener("abort", leave);
          resolve(this.#claim(wants));
        },
      };
      const leave = (): void => {
        const at = this.#waiting.indexOf(waiter);
        if (at !== -1) this.#waiting.splice(at, 1);
        resolve(null);
        this.#grant();
      };
      if (signal.aborted) return resolve(null);
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(waiter);
    });
  }

  /** Remembers what a body holds while it is passed on. */
  keep(body: Uint8Array, claim: BodyClaim): void {
    this.#kept.set(body, claim);
  }

  /** What this very body holds; null when it is too short to hold any. */
  claimOf(body: Uint8Array): BodyClaim | null {
    return this.#kept.get(body) ?? null;
  }

  #claim(wants: number): BodyClaim {
    let holds = wants;
    this.#used += holds;
    return {
      shrink: (to) => {
        const left = Math.min(holds, to);
        this.#used -= holds - left;
        holds = left;
        this.#grant();
      },
    };
  }

  #grant(): void {
    for (;;) {
      const [first] = this.#waiting;
      if (first === undefined || this.#used + first.wants > this.#total) return;
      this.#waiting.shift();
      first.grant();
    }
  }
}

/** What the bodies of each of `threads` threads may take, of what the container or the machine has. */
export function bodyMemoryOf(threads: number): Bytes {
  const limit = process.constrainedMemory();
  const whole = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return bytes(Math.floor((whole * limits.bodyMemoryShare) / threads));
}

/** Too many large bodies at one time are no fault of the target that sent one. */
export const noBodyMemory = (where: string): Failure =>
  failure(
    "agent_error",
    "agent",
    `${ownFaults["body memory"]} ${where}: give it more, or lower PICKET_MAX_BODY`,
  );

/** Frees the memory of a body at once: the collector would find it long after others needed it. */
export function freeBody({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
