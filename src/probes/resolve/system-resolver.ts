import { lookup } from "node:dns/promises";
import type { Clock } from "#base/clock";
import { failure, type Failure } from "#check/failure";
import * as limits from "#limits/probes-limits";
import { dialOrder } from "#probes/resolve/address-order";
import { timedOut } from "#probes/socket/classify";
import { errorCode } from "#network/system-errors";
import type { Resolution, Resolver } from "#probes/resolve/resolving";

interface SystemResolverOptions {
  readonly clock: Clock;
  /** All addresses of a host, of one family or of both (0). */
  readonly getAddresses?: (host: string, family: 0 | 4 | 6) => Promise<readonly string[]>;
  readonly atOnceMax?: number;
}

/**
 * The system's getaddrinfo, for hosts whose names come from NSS plug-ins. A look-up cannot be taken back once it has
 * begun: at the deadline it is left to itself and its answer unheard. Only so many run at once; one whose deadline
 * ends before its turn never begins.
 */
export function systemResolver({
  clock,
  getAddresses = getaddrinfo,
  atOnceMax = limits.systemLookupsAtOnceMax,
}: SystemResolverOptions): Resolver {
  const inDialOrder = dialOrder(clock);
  const lookups = new Lookups(atOnceMax);
  return {
    resolve: async (host, family, deadline) => {
      const { promise, resolve } = Promise.withResolvers<Resolution>();
      const look = (): Promise<void> =>
        getAddresses(host, family === "any" ? 0 : family === "4" ? 4 : 6)
          .then(
            (addresses) => inDialOrder(addresses, family, host),
            (error: unknown): Resolution => ({ ok: false, failure: lookupFailure(host, error) }),
          )
          .then(resolve);
      const onLate = (): void => {
        lookups.forget(look);
        resolve({ ok: false, failure: timedOut(deadline, "dns", host) });
      };
      if (deadline.end.aborted) onLate();
      else {
        deadline.end.addEventListener("abort", onLate, { once: true });
        lookups.begin(look);
      }
      return promise.finally(() => deadline.end.removeEventListener("abort", onLate));
    },
  };
}

type Lookup = () => Promise<void>;

/** So many at once; the rest wait in the order in which they came. */
class Lookups {
  readonly #max: number;
  readonly #waiting = new Set<Lookup>();
  #running = 0;

  constructor(max: number) {
    this.#max = max;
  }

  begin(look: Lookup): void {
    this.#waiting.add(look);
    this.#startNext();
  }

  /** One that runs already runs on. */
  forget(look: Lookup): void {
    this.#waiting.delete(look);
  }

  #startNext(): void {
    const [next] = this.#waiting;
    if (next === undefined || this.#running >= this.#max) return;
    this.#waiting.delete(next);
    this.#running += 1;
    void next().then(() => {
      this.#running -= 1;
      this.#startNext();
    });
  }
}

const getaddrinfo = async (host: string, family: 0 | 4 | 6): Promise<readonly string[]> =>
  (await lookup(host, { all: true, family })).map(({ address }) => address);

function lookupFailure(host: string, error: unknown): Failure {
  const code = errorCode(error);
  if (code === "ENOTFOUND" || code === "ENODATA")
    return failure("dns_nxdomain", "dns", `name does not exist: ${host} (getaddrinfo)`);
  return failure(
    "dns_servfail",
    "dns",
    `the system could not resolve ${host} (getaddrinfo ${code})`,
  );
}
