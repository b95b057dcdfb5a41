import { distributedTables, hasCitus, tablesOfCluster } from "#service/store/postgres/distribution";
import type { Query } from "#service/store/postgres/connections";
import { faultOf, isRefused } from "#service/store/postgres/postgres-fault";
import { poolOf } from "#service/store/postgres/pool";
import { integer, type Row, text } from "#service/store/sql";
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
  /** Of its database; or why the coordinator cannot connect to it. */
  readonly size: Bytes | ConnectFault;
  readonly shards: number;
  /** Whether it knows of what was distributed last. */
  readonly isSynced: boolean;
}

export interface ConnectFault {
  /** What the system or the server said; empty if nothing. */
  readonly why: string;
  /** Whether the server answers, and does not let the role in. */
  readonly isRefused: boolean;
}

/** Null of a PostgreSQL that is no cluster. Rejects with a StoreFault if Citus does not answer. */
export async function clusterReport(database: string): Promise<ClusterReport | null> {
  try {
    return await reportOf(database);
  } catch (error) {
    throw faultOf(error) ?? error;
  }
}

async function reportOf(database: string): Promise<ClusterReport | null> {
  const notices: string[] = [];
  await using pool = poolOf(database, { onNotice: (said) => notices.push(said) });
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
    const shardsOf = new Map(
      placed.rows.map((row) => [integer(row, "groupid"), integer(row, "count")]),
    );
    const sizeOf = await sizesOfNodes(query);
    // It says why as a notice.
    for (const row of nodes.rows)
      if (!sizeOf.has(integer(row, "nodeid")))
        await query("SELECT citus_check_connection_to_node($1, $2::int)", [
          text(row, "nodename"),
          integer(row, "nodeport"),
        ]);
    return {
      undistributed: distributedTables.filter((table) => !there.has(table)),
      shards: [...shardsOf.values()].reduce((sum, count) => sum + count, 0),
      servers: nodes.rows.map((row) => ({
        address: addressOf(row),
        isCoordinator: integer(row, "groupid") === 0,
        size: sizeOf.get(integer(row, "nodeid")) ?? faultIn(notices, row),
        shards: shardsOf.get(integer(row, "groupid")) ?? 0,
        isSynced: row["metadatasynced"] === true,
      })),
    };
  });
}

/** By the number of the node; without those that cannot be reached. The coordinator need not be able to connect to itself. */
async function sizesOfNodes(query: Query): Promise<ReadonlyMap<number, Bytes>> {
  const { rows } = await query(
    `SELECT nodeid, result FROM run_command_on_workers('SELECT pg_database_size(current_database())')
       JOIN pg_dist_node USING (nodename, nodeport) WHERE success
     UNION ALL SELECT nodeid, pg_database_size(current_database())::text FROM pg_dist_node WHERE groupid = 0`,
  );
  return new Map(rows.map((row) => [integer(row, "nodeid"), bytes(integer(row, "result"))]));
}

const addressOf = (row: Row): string => `${text(row, "nodename")}:${integer(row, "nodeport")}`;

function faultIn(notices: readonly string[], row: Row): ConnectFault {
  const own = notices.find((said) => said.includes(`@${addressOf(row)} `)) ?? "";
  // Its first line: the next asks whether the server runs.
  const [, why = ""] = /error: (?:FATAL: +)?(.*)/.exec(own) ?? [];
  return { why, isRefused: isRefused(why) };
}
