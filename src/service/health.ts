import type { SteadyClock } from "#steady-clock";
import * as limits from "#limits";
import type { Database } from "#service/database";
import { nanos, type Nanos, nanosToMillis } from "#units";

/** Why nothing can be kept at present, as a sentence; null where it can. */
export type Health = () => string | null;

/** Asks by writing, because a full disk reads well. Anybody may ask, so the answer stands for a few seconds. */
export function healthOf({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: SteadyClock;
}): Health {
  let known: { readonly fault: string | null; readonly at: Nanos } | null = null;
  return () => {
    const now = clock.monotonic();
    if (known !== null && nanosToMillis(nanos(now - known.at)) < limits.serviceHealthEvery)
      return known.fault;
    known = { fault: faultOf(database), at: now };
    return known.fault;
  };
}

function faultOf(database: Database): string | null {
  try {
    database.prove();
    return null;
  } catch (error) {
    const why = Error.isError(error) ? error.message : String(error);
    return `nothing can be kept: ${why}`;
  }
}
