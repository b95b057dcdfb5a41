import { lookup } from "node:dns/promises";
import type { Clock } from "#clock";
import { failure, type Failure } from "#check/failure";
import * as limits from "#limits/probes-limits";
import { dialOrder } from "#probes/dns/address-order";
import { timedOut } from "#probes/classify";
import { errorCode } from "#network/system-errors";
import type { Resolution, Resolver } from "#probes/dns/resolving";

export interface SystemResolverOptions {
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
  let running = 0;
  const waiting = new Set<() => void>();
  const startNext = (): void => {
    const [next] = waiting;
    if (next === undefined || running >= atOnceMax) return;
    waiting.delete(next);
    running += 1;
    next();
  };
  return {
    resolve: async (host, family, deadline) => {
      const { promise, resolve } = Promise.withResolvers<Resolution>();
      const look = (): void => {
        const asked = family === "any" ? 0 : family === "4" ? 4 : 6;
        void getAddresses(host, asked)
          .then(
            (addresses) => inDialOrder(addresses, family, host),
            (error: unknown): Resolution => ({ ok: false, failure: lookupFailure(host, error) }),
          )
          .then((resolution) => {
            resolve(resolution);
            running -= 1;
            startNext();
          });
      };
      const onLate = (): void => {
        waiting.delete(look);
        resolve({ ok: false, failure: timedOut(deadline, "dns", host) });
      };
      if (deadline.end.aborted) onLate();
      else {
        deadline.end.addEventListener("abort", onLate, { once: true });
        waiting.add(look);
        startNext();
      }
      return promise.finally(() => deadline.end.removeEventListener("abort", onLate));
    },
  };
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
