import { randomUUIDv7 } from "node:crypto";
import type { Connections, Query } from "#service/store/postgres/connections";
import { text } from "#service/store/sql";
import { StoreFault } from "#service/store/store-fault";

/** What to do if a pooler gives each transaction another session. */
export const sharedSession = {
  says: "a pooler gives each transaction of the service another session of PostgreSQL: its locks, limits and notices would be another's",
  next: "set pool_mode = session in PgBouncer, or connect to PostgreSQL directly",
} as const;

type Others = Pick<Connections, "use">;

/** Rejects if a connection is not one session of the server; `others` gives another connection. */
export async function refuseSharedSession(first: Query, others: Others): Promise<void> {
  if (await isShared(first, others))
    throw new StoreFault("unsupported", `${sharedSession.says}: ${sharedSession.next}`);
}

/** It marks its session. While the other one is in a transaction, each of the two says which mark it has. */
const isShared = (first: Query, others: Others): Promise<boolean> =>
  others.use(async (second) => {
    const mark = randomUUIDv7();
    await first("SELECT set_config('picket.session', $1, false)", [mark]);
    await second("BEGIN");
    try {
      const other = await markOf(second);
      return other === mark || (await markOf(first)) !== mark;
    } finally {
      await second("ROLLBACK");
    }
  });

async function markOf(query: Query): Promise<string> {
  const { rows } = await query(
    "SELECT COALESCE(current_setting('picket.session', true), '') AS mark",
  );
  return text(rows[0], "mark");
}
