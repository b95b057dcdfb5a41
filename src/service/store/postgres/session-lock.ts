import { randomInt } from "node:crypto";
import { systemClock } from "#base/clock";
import { probeClient } from "#service/store/postgres/client-watch";
import type { Channel, Query } from "#service/store/postgres/connections";
import * as storeLimits from "#limits/store-limits";

/*
 * A replica is there as long as its session has an advisory lock. If its process ends, the session ends, and the lock
 * with it: others see that at once, and need not wait until its leases have ended. The lock only shortens that wait. Who
 * may judge is said by the leases alone, in the transaction that writes what was judged.
 */

/** "pick": other programs may have advisory locks in the same database. */
const lockSpace = 0x70_69_63_6b;

export const newSession = (): number => randomInt(2 ** 31);

/** Takes the lock if it is free. The server has to find out by itself if the machine of this connection is gone. */
export async function takeSession(query: Query, session: number): Promise<boolean> {
  await probeClient(query);
  return tryLock(query, session);
}

/**
 * Looks until `signal` aborts whether the connection has the lock still, and rejects if not: a pooler gave us that of
 * another session. If it was not free, because the server has not noticed yet that the connection before this one is
 * lost, it is tried again.
 */
export async function keepSession(
  query: Query,
  { session, isHeld, onSession }: HeldSession,
  signal: AbortSignal,
): Promise<void> {
  let has = isHeld;
  while (!signal.aborted) {
    await systemClock.sleep(storeLimits.sessionCheckedEvery, signal);
    if (signal.aborted) return;
    if (has && !(await isOurs(query, session)))
      throw new Error("the connection is not that of this session");
    if (!has) onSession((has = await tryLock(query, session)));
  }
}

interface HeldSession extends Pick<Channel, "session" | "onSession"> {
  readonly isHeld: boolean;
}

/** A replica has one number for as long as it runs: through a pooler, locks that it lost do not become more and more. */
const tryLock = async (query: Query, session: number): Promise<boolean> =>
  (await query("SELECT pg_try_advisory_lock($1, $2) AS taken", [lockSpace, session])).rows[0]?.[
    "taken"
  ] === true;

const isOurs = async (query: Query, session: number): Promise<boolean> =>
  (
    await query(
      `SELECT 1 FROM pg_locks WHERE ${isSessionLock} AND objid = $1 AND pid = pg_backend_pid()`,
      [session],
    )
  ).rows.length > 0;

const isSessionLock = `locktype = 'advisory' AND classid = ${lockSpace} AND objsubid = 2 AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** Whether a column has a session, and that has ended. */
export const hasEnded = (column: string): string =>
  `${column} IS NOT NULL AND ${column} NOT IN (SELECT objid::bigint FROM pg_locks WHERE ${isSessionLock})`;
