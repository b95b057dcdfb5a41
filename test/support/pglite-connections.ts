import { PGlite } from "@electric-sql/pglite";
import type { Connections, Query } from "#service/store/postgres/connections";
import { takeSession } from "#service/store/postgres/session-lock";

/** PostgreSQL in this process, for machines without one: one connection, which everybody has in turn. */
export async function pgliteConnections(): Promise<Connections> {
  const database = await PGlite.create();
  const query: Query = async (text, values = []) => {
    const { rows, affectedRows } = await database.query<Record<string, unknown>>(text, [...values]);
    return { rows, changed: affectedRows ?? 0 };
  };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <R>(work: (query: Query) => Promise<R>): Promise<R> => {
    const turn = last.then(() => work(query));
    last = turn.catch(() => {});
    return turn;
  };
  return {
    use: inTurn,
    useLong: inTurn,
    listen: async ({ name, session, onSession, began, onNotice }, signal) => {
      onSession(await takeSession(query, session));
      const stop = await database.listen(name, onNotice);
      began();
      const ended = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => ended.resolve());
      if (!signal.aborted) await ended.promise;
      await stop();
    },
    [Symbol.asyncDispose]: async () => {
      await last;
      await database.close();
    },
  };
}
