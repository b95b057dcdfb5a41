import { poolOf } from "#service/store/postgres/pool";
import { openPostgres } from "#service/store/postgres/postgres-engine";
import type { StoreWorker } from "#service/store/sqlite/store-thread";
import type { ThreadRole } from "#service/store/sqlite/thread-messages";
import { openSqlite } from "#service/store/sqlite/sqlite-engine";
import * as storeLimits from "#limits/store-limits";
import { storeOn } from "#service/store/store-calls";
import type { Store } from "#service/store/store";

interface StorePlace {
  /** A file, or `postgres://…`. */
  readonly database: string;
  /** A service has its file alone; a command next to it does not ask for that. */
  readonly use: "service" | "command";
  /** Says how far it is when an old database has to be given its new shape, which may take minutes. */
  readonly onProgress: (sentence: string) => void;
  /** Is given a sentence for each row that cannot be read, once. */
  readonly onDamage?: (sentence: string) => void;
  /** Ends the opening when it aborts. Nothing is half done by that. */
  readonly signal?: AbortSignal;
  /** How the threads of a file begin: tests have something else in their place. */
  readonly startsWorker?: (role: ThreadRole) => StoreWorker;
}

/**
 * Opens a store, and brings it to the newest shape. Rejects with a StoreFault when it cannot be used, and with the
 * signal's reason when that aborted.
 */
export async function openStore({
  database,
  use,
  onProgress,
  onDamage = () => {},
  signal = new AbortController().signal,
  ...how
}: StorePlace): Promise<Store> {
  const says = { onProgress, onDamage: saidOnce(onDamage) };
  const store = storeOn(
    await (
      isServer(database)
        ? openPostgres(poolOf(database), onProgress, says.onDamage, use === "service", signal)
        : openSqlite(database, use === "service", { ...says, signal, ...how })
    ).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : error;
    }),
  );
  if (!signal.aborted) return store;
  await store[Symbol.asyncDispose]();
  throw signal.reason;
}

/** Each question that meets a damaged row says it. */
function saidOnce(say: (sentence: string) => void): (sentence: string) => void {
  const said = new Set<string>();
  return (sentence) => {
    if (said.has(sentence) || said.size >= storeLimits.damagedRowsSaidMax) return;
    said.add(sentence);
    say(sentence);
  };
}

export const isServer = (database: string): boolean => /^postgres(ql)?:\/\//.test(database);
