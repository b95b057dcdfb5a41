import { openSqlite } from "#store/sqlite/sqlite-engine";
import { storeOn } from "#store/store-calls";
import type { Store } from "#store/store";

export interface StorePlace {
  /** A file, or `postgres://…`. */
  readonly database: string;
  /** A service has its file alone; a command beside it does not ask for that. */
  readonly use: "service" | "command";
}

/** Opens a store, and brings it to the newest shape. Rejects with a StoreFault when it cannot be used. */
export async function openStore({ database, use }: StorePlace): Promise<Store> {
  return storeOn(await openSqlite(database, use === "service"));
}
