import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import type { NewResult } from "#service/store/result-store";
import type { Store } from "#service/store/store";
import { StoreFault } from "#service/store/store-fault";
import {
  type Assigned,
  period,
  slotAfter,
  someResult,
} from "../service/store/conformance/scene.ts";
import type { CitusCluster } from "./citus-cluster.ts";

/**
 * What two replicas report without a pause until they are ended. A batch is sent until all of it is acknowledged, and
 * once more, as an agent does that did not get the last answer.
 */
export interface Reporting extends AsyncDisposable {
  /** Acknowledged results of each round, all monitors together. */
  readonly acknowledged: Set<string>;
  /** Results that were said to be new, and were acknowledged before. */
  readonly twice: string[];
  readonly faults: number;
}

export function report(stores: readonly Store[], { location, monitors }: Assigned): Reporting {
  const ended = new AbortController();
  const acknowledged = new Set<string>();
  const twice: string[] = [];
  let [round, faults] = [0, 0];
  const append = async (store: Store, own: number, results: readonly NewResult[]) => {
    try {
      const receipts = await store.results.append({ location, storedAt: slotAfter(own), results });
      faults += receipts.filter(({ kind }) => kind === "later").length;
      return receipts;
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      faults += 1;
      return null;
    }
  };
  const send = async (store: Store, own: number): Promise<boolean> => {
    const results = monitors
      .filter((monitor) => !acknowledged.has(`${monitor} ${own}`))
      .map((monitor) => someResult(monitor, slotAfter(own)));
    const receipts = (await append(store, own, results)) ?? [{ kind: "later" }];
    for (const [index, { kind }] of receipts.entries())
      if (kind !== "later") acknowledged.add(`${results[index]?.monitor} ${own}`);
    return receipts.every(({ kind }) => kind !== "later");
  };
  const sendAgain = async (store: Store, own: number): Promise<void> => {
    const results = monitors.map((monitor) => someResult(monitor, slotAfter(own)));
    for (const [index, { kind }] of ((await append(store, own, results)) ?? []).entries())
      if (kind === "accepted") twice.push(`${results[index]?.monitor} ${own}`);
  };
  const running = stores.map(async (store) => {
    while (!ended.signal.aborted) {
      const own = (round += 1);
      while (!(await send(store, own))) await wait(100);
      await sendAgain(store, own);
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
