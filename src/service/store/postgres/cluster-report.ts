import { distributedTables, hasCitus, tablesOfCluster } from "#service/store/postgres/distribution";
import { poolOf } from "#service/store/postgres/pool";
import { integer, text } from "#service/store/sql";
import { type Bytes, bytes } from "#base/units";

/** What the coordinator of a cluster of Citus says of its servers. */
export interface ClusterReport {
  /** Tables of results that are on the coordinator alone. */
  readonly undistributed: readonly string[];
  readonly shards: number;
  readonly servers: readonly ClusterServer[];
}

export interface ClusterServer {
  readonly address: string;
  readonly isCoordinator: boolean;
  /** Of its database; null if it cannot be reached. */
  readonly size: Bytes | null;
  readonly shards: number;
  /** Whether it knows of what was distributed last. */
  readonly isSynced: boolean;
}

/** Null of a PostgreSQL that is no cluster. */
export async function clusterReport(database: string): Promise<ClusterReport | null> {
  await using pool = poolOf(database);
  return await pool.use(async (query) => {
    if (!(await hasCitus(query))) return null;
    const nodes = await query(
      "SELECT nodeid, nodename, nodeport, groupid, metadatasynced FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid",
    );
    if (nodes.rows.length === 0) return null;
    const there = await tablesOfCluster(query);
    const placed = await query(
      `SELECT groupid, COUNT(*) AS count FROM pg_dist_placement JOIN pg_dist_shard USING (shardid)
       WHERE logicalrelid = to_regclass('results') GROUP BY groupid`,
    );
    const sizes = await query(
      `SELECT nodeid, result FROM run_command_on_all_nodes('SELECT pg_database_size(current_database())',
         give_warning_for_connection_errors => true) WHERE success`,
    );
    const shardsOf = new Map(
      placed.rows.map((row) => [integer(row, "groupid"), integer(row, "count")]),
    );
    const sizeOf = new Map(
      sizes.rows.map((row) => [integer(row, "nodeid"), bytes(integer(row, "result"))]),
    );
    return {
      undistributed: distributedTables.filter((table) => !there.has(table)),
      shards: [...shardsOf.values()].reduce((sum, count) => sum + count, 0),
      servers: nodes.rows.map((row) => ({
        address: `${text(row, "nodename")}:${integer(row, "nodeport")}`,
        isCoordinator: integer(row, "groupid") === 0,
        size: sizeOf.get(integer(row, "nodeid")) ?? null,
        shards: shardsOf.get(integer(row, "groupid")) ?? 0,
        isSynced: row["metadatasynced"] === true,
      })),
    };
  });
}
