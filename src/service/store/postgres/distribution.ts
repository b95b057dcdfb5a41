import type { Query } from "#service/store/postgres/connections";
import { integer } from "#service/store/sql";

/*
 * On a cluster of Citus, what is kept of results lies on all nodes, by monitor: what one monitor has is on one node, so a
 * result is stored once by a primary key, as on one server. All else is on the coordinator.
 */
const byMonitor = ["results", "result_details", "hourly", "daily", "series", "gaps"] as const;

/** Distributes the tables of results if this is the coordinator of a cluster, and says so. What is distributed stays so. */
export async function distribute(query: Query, say: (sentence: string) => void): Promise<void> {
  if ((await query("SELECT 1 FROM pg_extension WHERE extname = 'citus'")).rows.length === 0) return;
  const [nodes] = (
    await query("SELECT COUNT(*) AS count FROM pg_dist_node WHERE shouldhaveshards AND isactive")
  ).rows;
  if (integer(nodes, "count") === 0) return;
  const { rows } = await query(
    "SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'results'::regclass",
  );
  if (rows.length > 0) return;
  say("the results are distributed over the nodes of the cluster");
  await query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
  await query("SELECT create_reference_table('failures')");
  for (const table of byMonitor)
    await query(
      table === "results"
        ? "SELECT create_distributed_table('results', 'monitor')"
        : `SELECT create_distributed_table('${table}', 'monitor', colocate_with => 'results')`,
    );
}
