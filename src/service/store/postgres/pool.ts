import { Client, type ClientConfig, Pool } from "pg";
import type { Channel, Connections, Query } from "#service/store/postgres/connections";
import type { Millis } from "#base/units";
import { watchClient } from "#service/store/postgres/client-watch";
import { keepSession, takeSession } from "#service/store/postgres/session-lock";
import * as storeLimits from "#limits/store-limits";

interface PoolOptions {
  /** Is given what the server says of a statement next to its answer. */
  readonly onNotice?: (said: string) => void;
  /** How long a statement of a call may take. */
  readonly statementMax?: Millis;
}

/** Connections to a PostgreSQL over the network. */
export function poolOf(
  url: string,
  { onNotice = () => {}, statementMax = storeLimits.postgresQueryTimeout }: PoolOptions = {},
): Connections {
  const settings = settingsOf(url);
  const pool = new Pool({
    ...settings,
    max: storeLimits.postgresConnectionsMax,
    query_timeout: statementMax,
    statement_timeout: statementMax,
  });
  // Of a connection that waits in the pool; the next call finds out for itself.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("notice", ({ message = "" }) => onNotice(message)));
  return {
    use: async (work) => {
      const client = await pool.connect();
      let isLost = false;
      const lost = (): void => void (isLost = true);
      client.on("error", lost);
      try {
        return await work(queryOn(client));
      } finally {
        client.off("error", lost);
        client.release(isLost);
      }
    },
    useLong: (work, signal) => useAlone(settings, work, signal),
    listen: (channel, signal) =>
      listen({ ...settings, query_timeout: statementMax }, channel, signal),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

/** Its statements have no end but that of the connection. Locks are waited for no longer than by others. */
async function useAlone<R>(
  settings: ClientConfig,
  work: (query: Query) => Promise<R>,
  signal: AbortSignal,
): Promise<R> {
  const client = new Client(settings);
  // The statement that was under way says it.
  client.on("error", () => {});
  await client.connect();
  const cutOff = (): void => void client.end();
  signal.addEventListener("abort", cutOff);
  try {
    signal.throwIfAborted();
    const query = queryOn(client);
    await watchClient(query);
    return await work(query);
  } finally {
    signal.removeEventListener("abort", cutOff);
    await client.end();
  }
}

const queryOn =
  (client: Pick<Client, "query">): Query =>
  async (text, values = []) => {
    const { rows, rowCount } = await client.query<Record<string, unknown>>(text, [...values]);
    return { rows, changed: rowCount ?? 0 };
  };

/** No call waits for a connection or a lock without end, and the server lets go of what a replica held that fell silent. */
const settingsOf = (url: string): ClientConfig => ({
  connectionString: url,
  application_name: "picket",
  connectionTimeoutMillis: storeLimits.postgresConnectTimeout,
  lock_timeout: storeLimits.postgresLockTimeout,
  idle_in_transaction_session_timeout: storeLimits.postgresIdleTimeout,
  keepAlive: true,
  keepAliveInitialDelayMillis: storeLimits.serverProbedAfter,
});

async function listen(
  settings: ClientConfig,
  { name, session, onSession, began, onNotice }: Channel,
  signal: AbortSignal,
): Promise<void> {
  const client = new Client(settings);
  const lost = Promise.withResolvers<void>();
  // It may be lost before anyone waits for that: then the call that was under way says so, and this is no second fault.
  lost.promise.catch(() => {});
  client.on("error", lost.reject);
  client.on("end", () => lost.resolve());
  client.on("notification", ({ payload = "" }) => onNotice(payload));
  try {
    await client.connect();
    const query = queryOn(client);
    const isHeld = await takeSession(query, session);
    onSession(isHeld);
    await query(`LISTEN ${name}`);
    began();
    const ended = new AbortController();
    const until = AbortSignal.any([signal, ended.signal]);
    try {
      await Promise.race([lost.promise, keepSession(query, { session, isHeld, onSession }, until)]);
    } finally {
      ended.abort();
    }
  } finally {
    await client.end();
  }
}
