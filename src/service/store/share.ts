import type { MonitorId } from "#service/store/ids";
import type { StoreFault } from "#service/store/store-fault";

/** Monitors whose results are on one database server: it can be away while the others are there. */
export interface Share {
  readonly monitors: ReadonlySet<MonitorId>;
  /** What is locked of a location while results are added to these monitors; null: the location itself. */
  readonly lanes: readonly number[] | null;
}

/** What came of work on one share. */
export type ShareOutcome<R> =
  | { readonly share: Share; readonly is: "done"; readonly value: R }
  | { readonly share: Share; readonly is: "failed"; readonly fault: StoreFault };

/** A database on one server: what fails, fails for all. */
export async function onOneServer<R>(
  monitors: readonly MonitorId[],
  work: (share: Share) => Promise<R>,
): Promise<readonly ShareOutcome<R>[]> {
  const share: Share = { monitors: new Set(monitors), lanes: null };
  return [{ share, is: "done", value: await work(share) }];
}
