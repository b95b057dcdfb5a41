import type { SteadyClock } from "#steady-clock";
import * as limits from "#limits/service-limits";
import type { Store } from "#store/store";
import { nanos, type Nanos, nanosToMillis } from "#units";

/** Why nothing can be kept at present, as a sentence; null where it can. */
export type Health = () => Promise<string | null>;

/** Asks by writing, because a full disk reads well. Anybody may ask, so the answer stands for a few seconds. */
export function healthOf(store: Store, clock: SteadyClock): Health {
  let latest: { readonly fault: Promise<string | null>; readonly at: Nanos } | null = null;
  return () => {
    const now = clock.monotonic();
    if (latest !== null && nanosToMillis(nanos(now - latest.at)) < limits.serviceHealthEvery)
      return latest.fault;
    latest = { fault: faultOf(store), at: now };
    return latest.fault;
  };
}

async function faultOf(store: Store): Promise<string | null> {
  const fault = await store.health();
  return fault === null ? null : `nothing can be kept: ${fault.message}`;
}
