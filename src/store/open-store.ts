import { poolOf } from "#store/postgres/pool";
import { openPostgres } from "#store/postgres/postgres-engine";
import { openSqlite } from "#store/sqlite/sqlite-engine";
import { storeOn } from "#store/store-calls";
import type { Store } from "#store/store";

export interface StorePlace {
  /** A file, or `postgres://…`. */
  readonly database: string;
  /** A service has its file alone; a command beside it does not ask for that. */
  readonly use: "service" | "command";
  /** Says how far it is when an old database has to be given its new shape, which may take minutes. */
  readonly onProgress: (sentence: string) => void;
}

/** Opens a store, and brings it to the newest shape. Rejects with a StoreFault when it cannot be used. */
export async function openStore({ database, use, onProgress }: StorePlace): Promise<Store> {
  const engine = isServer(database)
    ? await openPostgres(poolOf(database))
    : await openSqlite(database, use === "service", onProgress);
  return storeOn(engine);
}

export const isServer = (database: string): boolean => /^postgres(ql)?:\/\//.test(database);
