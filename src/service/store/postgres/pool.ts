import { Client, type ClientConfig, Pool } from "pg";
import type { Channel, Connections, Query } from "#service/store/postgres/connections";
import { type Millis, millis } from "#base/units";
import { watchClient } from "#service/store/postgres/client-watch";
import { keepSession, takeSession } from "#service/store/postgres/session-lock";
import { refuseSharedSession } from "#service/store/postgres/shared-session";
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
  });
  const prepared = new WeakSet<object>();
  // Of a connection that waits in the pool; the next call finds out for itself.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("notice", ({ message = "" }) => onNotice(message)));
  const connections: Connections = {
    use: (work) => usePooled(pool, prepared, work, statementMax),
    useLong: (work, signal) =>
      useAlone(
        settings,
        async (query) => {
          await refuseSharedSession(query, connections);
          return work(query);
        },
        signal,
      ),
    listen: (channel, signal) =>
      listen({ ...settings, query_timeout: statementMax }, channel, signal, statementMax),
    [Symbol.asyncDispose]: () => pool.end(),
  };
  return connections;
}

/** What is set on a connection stays, so it is set once. */
async function usePooled<R>(
  pool: Pool,
  prepared: WeakSet<object>,
  work: (query: Query) => Promise<R>,
  statementMax: Millis,
): Promise<R> {
  const client = await pool.connect();
  let isLost = false;
  const lost = (): void => void (isLost = true);
  client.on("error", lost);
  try {
    const query = queryOn(client);
    if (!prepared.has(client)) {
      await setLimits(query, statementMax);
      await giveWorkersUp(query);
    }
    prepared.add(client);
    return await work(query);
  } finally {
    client.off("error", lost);
    client.release(isLost);
  }
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
    await setLimits(query, millis(0));
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

/**
 * No call waits for a lock without end, and the server lets go of what a replica held that fell silent. A statement sets
 * it: with other settings than its own at its start, a pooler refuses a connection.
 */
async function setLimits(query: Query, statementMax: Millis): Promise<void> {
  await query(
    `SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
       set_config('idle_in_transaction_session_timeout', $3, false)`,
    [statementMax, storeLimits.postgresLockTimeout, storeLimits.postgresIdleTimeout].map(String),
  );
}

/** Else a call ends before Citus says which worker is silent. A server without Citus does nothing with it. */
async function giveWorkersUp(query: Query): Promise<void> {
  await query("SELECT set_config('citus.node_connection_timeout', $1, false)", [
    String(storeLimits.workerAnswersWithin),
  ]);
}

/** No call waits for a connection without end. */
const settingsOf = (url: string): ClientConfig => ({
  connectionString: url,
  application_name: "picket",
  connectionTimeoutMillis: storeLimits.postgresConnectTimeout,
  keepAlive: true,
  keepAliveInitialDelayMillis: storeLimits.serverProbedAfter,
});

async function listen(
  settings: ClientConfig,
  { name, session, onSession, began, onNotice }: Channel,
  signal: AbortSignal,
  statementMax: Millis,
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
    await setLimits(query, statementMax);
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
