import type { SteadyClock } from "#base/steady-clock";
import * as limits from "#limits/service-limits";
import type { Logger } from "#base/log";
import type { Store } from "#service/store/store";
import { publicSentences, type StoreFaultCode } from "#service/store/store-fault";
import { type Nanos, nanos, nanosToMillis } from "#base/units";

/** Why nothing can be kept at present, as a sentence; null if it can. */
export type Health = () => Promise<string | null>;

/**
 * Asks by writing, because a full disk reads well. Everyone may ask, so an answer stands for a few seconds. A write may
 * wait behind others: then the last answer stands a little longer, so that the asker need not wait as well.
 */
export function healthOf(
  store: Pick<Store, "health">,
  { clock, log }: { readonly clock: SteadyClock; readonly log: Logger },
): Health {
  const faultOf = faultsOf(store, log);
  let latest: { readonly fault: string | null; readonly at: Nanos } | null = null;
  let asking: Asking | null = null;
  const sinceOf = (at: Nanos): number => nanosToMillis(nanos(clock.monotonic() - at));
  const ask = async (at: Nanos): Promise<string | null> => {
    try {
      const fault = await faultOf();
      latest = { fault, at };
      return fault;
    } finally {
      asking = null;
    }
  };
  return async () => {
    if (latest !== null && sinceOf(latest.at) < limits.serviceHealthEvery) return latest.fault;
    const at = clock.monotonic();
    const { answer, at: askedAt } = (asking ??= { answer: ask(at), at });
    const patience = latest === null ? limits.serviceHealthLate : limits.serviceHealthPatience;
    const waited = new AbortController();
    const late = clock.sleep(patience, waited.signal).then(() => {
      const isLate = sinceOf(askedAt) >= limits.serviceHealthLate;
      return latest === null || isLate ? noAnswer : latest.fault;
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      waited.abort();
    }
  };
}

const noAnswer = "nothing can be kept: the database does not answer";

interface Asking {
  readonly answer: Promise<string | null>;
  readonly at: Nanos;
}

/** Everyone may ask, and so gets a sentence without a path or an address; the log has the whole of it, once. */
function faultsOf(store: Pick<Store, "health">, log: Logger): () => Promise<string | null> {
  let last: StoreFaultCode | null = null;
  return async () => {
    const fault = await store.health();
    const code = fault?.code ?? null;
    if (fault !== null && code !== last)
      log.error("nothing can be kept", {
        "error.type": fault.code,
        "error.message": fault.message,
      });
    if (code === null && last !== null) log.info("the database can be used again");
    last = code;
    return code === null ? null : `nothing can be kept: ${publicSentences[code]}`;
  };
}
