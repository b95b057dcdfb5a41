import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import type { Store } from "#service/store/store";
import { StoreFault } from "#service/store/store-fault";
import {
  type Assigned,
  period,
  slotAfter,
  someResult,
} from "../service/store/conformance/scene.ts";
import type { CitusCluster } from "./citus-cluster.ts";

/** What two replicas report without a pause until they are ended: a batch is sent until all of it is acknowledged. */
export interface Reporting extends AsyncDisposable {
  /** Acknowledged results of each round, all monitors together. */
  readonly acknowledged: Set<string>;
  /** Results that were said to be stored, and were acknowledged before. */
  readonly twice: string[];
  readonly faults: number;
}

export function report(stores: readonly Store[], { location, monitors }: Assigned): Reporting {
  const ended = new AbortController();
  const acknowledged = new Set<string>();
  const twice: string[] = [];
  let [round, faults] = [0, 0];
  const send = async (store: Store, own: number): Promise<boolean> => {
    const results = monitors
      .filter((monitor) => !acknowledged.has(`${monitor} ${own}`))
      .map((monitor) => someResult(monitor, slotAfter(own)));
    try {
      const receipts = await store.results.append({ location, storedAt: slotAfter(own), results });
      for (const [index, { kind }] of receipts.entries()) {
        const key = `${results[index]?.monitor} ${own}`;
        if (kind === "later") faults += 1;
        else if (acknowledged.has(key)) twice.push(key);
        else acknowledged.add(key);
      }
      return receipts.every(({ kind }) => kind !== "later");
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      faults += 1;
      return false;
    }
  };
  const running = stores.map(async (store) => {
    while (!ended.signal.aborted) {
      const own = (round += 1);
      while (!(await send(store, own))) await wait(100);
    }
  });
  return {
    acknowledged,
    twice,
    get faults() {
      return faults;
    },
    [Symbol.asyncDispose]: async () => {
      ended.abort();
      await Promise.all(running);
    },
  };
}

/** Every acknowledged result is there, once, and is counted once in all that is made of results. */
export async function expectEachOnce(
  cluster: CitusCluster,
  database: string,
  reporting: Reporting,
): Promise<void> {
  const count = reporting.acknowledged.size;
  const ask = (statement: string): Promise<string> => cluster.ask(database, statement);
  // What a worker has prepared and was not told to commit is committed within a minute.
  await ask("SELECT recover_prepared_transactions()");
  const stored = await ask(
    `SELECT monitor, (slot - ${slotAfter(0)}) / ${period} AS round FROM results`,
  );
  expect(new Set(stored.split("\n")).symmetricDifference(reporting.acknowledged)).toEqual(
    new Set(),
  );
  expect(reporting.twice).toEqual([]);
  expect(await ask("SELECT COUNT(*) FROM results")).toBe(String(count));
  expect(await ask("SELECT SUM(success) AS a, SUM(kept) AS b FROM series")).toBe(
    `${count} ${count}`,
  );
  for (const table of ["hourly", "daily"])
    expect(await ask(`SELECT SUM(success) FROM ${table}`)).toBe(String(count));
}
