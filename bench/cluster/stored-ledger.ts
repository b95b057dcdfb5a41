import type { CitusCluster } from "../../test/cluster/citus-cluster.ts";
import type { Sender } from "./sender.ts";

/** What the database has of all that was acknowledged. */
export interface StoredLedger {
  readonly acknowledged: number;
  /** Acknowledged, and not there. */
  readonly lost: number;
  /** There, and never acknowledged. */
  readonly strange: number;
  /** Counted more than once in what is made of results, by what: all are to be 0. */
  readonly twice: Readonly<Record<string, number>>;
}

export async function storedLedger(
  cluster: CitusCluster,
  database: string,
  senders: readonly { readonly location: number; readonly sender: Sender }[],
): Promise<StoredLedger> {
  const ask = (statement: string): Promise<string> => cluster.ask(database, statement);
  // What a worker has prepared and was not told to commit is committed within a minute.
  await ask("SELECT recover_prepared_transactions()");
  let [acknowledged, lost, strange] = [0, 0, 0];
  for (const { location, sender } of senders) {
    const expected = new Set(
      [...sender.acknowledged].map((one) => `${sender.monitorOf(one)} ${sender.slotOf(one)}`),
    );
    const rows = await ask(`SELECT monitor, slot FROM results WHERE location = ${location}`);
    const stored = new Set(rows.split("\n").filter((row) => row !== ""));
    acknowledged += expected.size;
    lost += expected.difference(stored).size;
    strange += stored.difference(expected).size;
  }
  const sums: Readonly<Record<string, string>> = {
    rows: "SELECT COUNT(*) FROM results",
    series: "SELECT SUM(success + degraded + error) FROM series",
    "kept of series": "SELECT SUM(kept) FROM series",
    hours: "SELECT SUM(success + degraded + error) FROM hourly",
    days: "SELECT SUM(success + degraded + error) FROM daily",
  };
  const twice: Record<string, number> = {
    acknowledgements: senders.reduce((sum, { sender }) => sum + sender.twice, 0),
  };
  for (const [what, statement] of Object.entries(sums))
    twice[what] = Number(await ask(statement)) - acknowledged;
  return { acknowledged, lost, strange, twice };
}
