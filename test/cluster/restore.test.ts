import { expect, test, vi } from "vitest";
import { clusterFindings } from "#cli/service/cluster-findings";
import type { Store } from "#service/store/store";
import {
  type Assigned,
  assigned,
  openQuietly,
  period,
  slotAfter,
  someResult,
} from "../service/store/conformance/scene.ts";
import { type CitusCluster, citusPrograms, startCitus } from "./citus-cluster.ts";
import { report } from "./reporting-stores.ts";

const programs = citusPrograms();

/** Results of all rounds, as `monitor round`. */
const slots = `SELECT monitor, (slot - ${slotAfter(0)}) / ${period} AS round FROM results`;
const roundOf = (result: string): number => Number(result.split(" ")[1]);

test.skipIf(programs === null)(
  "a cluster that is restored to a restore point has the results from before it, each once, and takes the others again",
  async () => {
    await using cluster = await startCitus(programs ?? "", { isArchived: true });
    const database = await cluster.fresh();
    const ask = (statement: string): Promise<string> => cluster.ask(database, statement);
    const { before, begun, ...made } = await storeAroundPoint(cluster, database);
    const all = new Set((await ask(slots)).split("\n"));
    await cluster.restore("one");
    // What was prepared at that instant, and not committed yet.
    await ask("SELECT recover_prepared_transactions()");
    const restored = new Set((await ask(slots)).split("\n"));
    expect(before.difference(restored)).toEqual(new Set());
    expect(Math.max(...[...restored].map(roundOf))).toBeLessThanOrEqual(begun);
    expect(Math.max(...[...all].map(roundOf))).toBeGreaterThan(begun);
    const sums = [
      "SELECT COUNT(*) FROM results",
      "SELECT SUM(success) FROM series",
      "SELECT SUM(kept) FROM series",
      "SELECT SUM(success) FROM hourly",
      "SELECT SUM(success) FROM daily",
    ];
    for (const sum of sums) expect(`${sum}: ${await ask(sum)}`).toBe(`${sum}: ${restored.size}`);
    const levels = (await clusterFindings(database)).map(({ level }) => level);
    expect(new Set(levels)).toEqual(new Set(["fine"]));
    await using store = await openQuietly(database);
    const rounds = new Set([...all].map(roundOf));
    const accepted = await storeAgain(store, made, rounds);
    expect(accepted).toBe(rounds.size * made.monitors.length - restored.size);
    for (const sum of sums)
      expect(`${sum}: ${await ask(sum)}`).toBe(`${sum}: ${rounds.size * made.monitors.length}`);
  },
);

interface Stored extends Assigned {
  /** What was acknowledged when the restore point was asked for. */
  readonly before: ReadonlySet<string>;
  /** No later round had begun when it was there. */
  readonly begun: number;
}

/** Two replicas store results without a pause, while the servers are copied, before the restore point and after it. */
async function storeAroundPoint(cluster: CitusCluster, database: string): Promise<Stored> {
  await using one = await openQuietly(database);
  await using other = await openQuietly(database);
  const replicas = [one, other];
  const made = await assigned(one, 40);
  await using reporting = report(replicas, made);
  const reach = (count: number): Promise<void> =>
    vi.waitFor(() => expect(reporting.acknowledged.size).toBeGreaterThan(count), 60_000);
  await reach(400);
  await cluster.backUp();
  await reach(reporting.acknowledged.size + 1_000);
  const before = new Set(reporting.acknowledged);
  await cluster.ask(database, "SELECT citus_create_restore_point('one')");
  const begun = Math.max(...[...reporting.acknowledged].map(roundOf)) + replicas.length;
  await reach(reporting.acknowledged.size + 1_000);
  return { ...made, before, begun };
}

/** As an agent does that did not get the answers; gives how many results were new. */
async function storeAgain(
  store: Store,
  { location, monitors }: Assigned,
  rounds: ReadonlySet<number>,
): Promise<number> {
  let accepted = 0;
  for (const round of rounds) {
    const storedAt = slotAfter(round);
    const results = monitors.map((monitor) => someResult(monitor, storedAt));
    const receipts = await store.results.append({ location, storedAt, results });
    accepted += receipts.filter(({ kind }) => kind === "accepted").length;
  }
  return accepted;
}
