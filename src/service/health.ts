import type { SteadyClock } from "#steady-clock";
import * as limits from "#limits/service-limits";
import type { Store } from "#store/store";
import { type Nanos, nanos, nanosToMillis } from "#units";

/** Why nothing can be kept at present, as a sentence; null where it can. */
export type Health = () => Promise<string | null>;

/**
 * Asks by writing, because a full disk reads well. Everyone may ask, so an answer stands for a few seconds. A write may
 * wait behind others: then the last answer stands a little longer, so that the asker need not wait as well.
 */
export function healthOf(store: Pick<Store, "health">, clock: SteadyClock): Health {
  let latest: { readonly fault: string | null; readonly at: Nanos } | null = null;
  let asking: Asking | null = null;
  const sinceOf = (at: Nanos): number => nanosToMillis(nanos(clock.monotonic() - at));
  const ask = async (at: Nanos): Promise<string | null> => {
    try {
      const fault = await faultOf(store);
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

async function faultOf(store: Pick<Store, "health">): Promise<string | null> {
  const fault = await store.health();
  return fault === null ? null : `nothing can be kept: ${fault.message}`;
}
