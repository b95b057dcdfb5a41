import { failureCodes, failurePhases } from "#check/failure";
import * as storeLimits from "#limits/store-limits";
import type { Query } from "#service/store/postgres/connections";
import { integer, text } from "#service/store/sql";

/*
 * On a cluster of Citus, what is kept of results lies on all nodes, by monitor: what one monitor has is on one node, so a
 * result is stored once by a primary key, as on one server. All else is on the coordinator.
 */
export const distributedTables = [
  "results",
  "packed_results",
  "result_details",
  "packed_details",
  "hourly",
  "daily",
  "series",
  "gaps",
] as const;

export const hasCitus = async (query: Query): Promise<boolean> =>
  (await query("SELECT 1 FROM pg_extension WHERE extname = 'citus'")).rows.length > 0;

/** Rejects if Citus refuses all that it is asked, as between an update of its programs and that of its extension. */
export async function checkCluster(query: Query): Promise<void> {
  // It asks no worker, and waits for no lock.
  if (await hasCitus(query)) await query("SELECT citus_is_coordinator()");
}

/** The tables that the cluster has distributed, of those that there are. */
export async function tablesOfCluster(query: Query): Promise<ReadonlySet<string>> {
  const { rows } = await query("SELECT logicalrelid::text AS name FROM pg_dist_partition");
  return new Set(rows.map((row) => text(row, "name")));
}

/** Distributes the tables of results if this is the coordinator of a cluster, and says so. What is distributed stays so. */
export async function distribute(query: Query, say: (sentence: string) => void): Promise<void> {
  if (!(await hasCitus(query))) return;
  const [nodes] = (
    await query("SELECT COUNT(*) AS count FROM pg_dist_node WHERE shouldhaveshards AND isactive")
  ).rows;
  const workers = integer(nodes, "count");
  if (workers === 0) return;
  const there = await tablesOfCluster(query);
  const missing = distributedTables.filter((table) => !there.has(table));
  if (missing.length === 0) return;
  say("the results are distributed over the nodes of the cluster");
  await query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
  await chooseShards(query, workers);
  if (!there.has("failures")) await distributeFailures(query);
  for (const table of missing)
    await query(
      table === "results"
        ? "SELECT create_distributed_table('results', 'monitor')"
        : `SELECT create_distributed_table('${table}', 'monitor', colocate_with => 'results')`,
    );
}

/** Each statement of a batch goes to each shard, so their number is what a result costs. Whoever set it knows better. */
async function chooseShards(query: Query, workers: number): Promise<void> {
  const { rows } = await query(
    "SELECT 1 FROM pg_settings WHERE name = 'citus.shard_count' AND source <> 'default'",
  );
  if (rows.length > 0) return;
  const least = Math.max(storeLimits.shardsMin, workers * storeLimits.shardsPerWorker);
  // A power of two: then lanes lie within shards.
  await query(`SET LOCAL citus.shard_count = ${2 ** Math.ceil(Math.log2(least))}`);
}

/** Every node has all failures. A new one has to be written on each, so those that agents name are there before. */
async function distributeFailures(query: Query): Promise<void> {
  const words = Object.keys(failureCodes).flatMap((code) =>
    failurePhases.map((phase) => `('${code} ${phase}')`),
  );
  await query(`INSERT INTO failures (word) VALUES ${words.join(", ")} ON CONFLICT DO NOTHING`);
  await query("SELECT create_reference_table('failures')");
}
