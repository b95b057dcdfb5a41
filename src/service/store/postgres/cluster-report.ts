import { distributedTables, hasCitus, tablesOfCluster } from "#service/store/postgres/distribution";
import type { Query } from "#service/store/postgres/connections";
import { faultOf, isExtensionOld, isRefused } from "#service/store/postgres/postgres-fault";
import { poolOf } from "#service/store/postgres/pool";
import { integer, type Row, text } from "#service/store/sql";
import * as storeLimits from "#limits/store-limits";
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
  /** Of its database; or why it does not say that. */
  readonly size: Bytes | NodeFault;
  readonly shards: number;
  /** Whether it knows of what was distributed last. */
  readonly isSynced: boolean;
}

export interface NodeFault {
  /** It does not answer, does not let the role in, or has an extension that is older than its programs. */
  readonly is: "away" | "refuses" | "behind its programs";
  /** What the system or the server said; empty if nothing. */
  readonly why: string;
}

/** Null of a PostgreSQL that is no cluster, or cannot be reached. Rejects with a StoreFault if Citus does not answer. */
export async function clusterReport(database: string): Promise<ClusterReport | null> {
  const notices: string[] = [];
  await using pool = poolOf(database, { onNotice: (said) => notices.push(said) });
  try {
    if (!(await pool.use(hasCitus))) return null;
  } catch (error) {
    if (faultOf(error)?.code === "store_unreachable") return null;
    throw error;
  }
  try {
    return await pool.use((query) => inTransaction(query, () => reportOf(query, notices)));
  } catch (error) {
    throw faultOf(error) ?? error;
  }
}

/** What it sets is that of these questions alone. */
async function inTransaction<R>(query: Query, work: () => Promise<R>): Promise<R> {
  await query("BEGIN");
  try {
    return await work();
  } finally {
    await query("ROLLBACK");
  }
}

async function reportOf(query: Query, notices: readonly string[]): Promise<ClusterReport | null> {
  // Else Citus waits for a worker that is silent for longer than a statement may take.
  await query(`SET LOCAL citus.node_connection_timeout = ${storeLimits.workerAnswersWithin}`);
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
  const answers = await answersOfNodes(query);
  // It says as a notice why it cannot connect.
  for (const row of nodes.rows)
    if (answers.get(integer(row, "nodeid"))?.isSize !== true)
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
      size: sizeIn(answers.get(integer(row, "nodeid")), notices, row),
      shards: shardsOf.get(integer(row, "groupid")) ?? 0,
      isSynced: row["metadatasynced"] === true,
    })),
  };
}

interface NodeAnswer {
  readonly isSize: boolean;
  /** The size, or what the node said instead. */
  readonly said: string;
}

/** By the number of the node. The coordinator need not be able to connect to itself; a worker may be asked as well. */
async function answersOfNodes(query: Query): Promise<ReadonlyMap<number, NodeAnswer>> {
  // Only a node whose extension is as new as its programs can say what it is.
  const size = "SELECT pg_database_size(current_database()) FROM citus_is_coordinator()";
  const [own] = (await query("SELECT citus_is_coordinator() AS coordinates")).rows;
  const coordinator =
    own?.["coordinates"] === true
      ? "SELECT nodeid, 1, pg_database_size(current_database())::text FROM pg_dist_node WHERE groupid = 0"
      : `SELECT nodeid, CASE WHEN success THEN 1 ELSE 0 END, result FROM run_command_on_coordinator('${size}')`;
  const { rows } = await query(
    `SELECT nodeid, CASE WHEN success THEN 1 ELSE 0 END AS is_size, result
       FROM run_command_on_workers('${size}') JOIN pg_dist_node USING (nodename, nodeport)
     UNION ALL ${coordinator}`,
  );
  return new Map(
    rows.map((row) => [
      integer(row, "nodeid"),
      { isSize: integer(row, "is_size") === 1, said: text(row, "result") },
    ]),
  );
}

const addressOf = (row: Row): string => `${text(row, "nodename")}:${integer(row, "nodeport")}`;

function sizeIn(
  answer: NodeAnswer | undefined,
  notices: readonly string[],
  row: Row,
): Bytes | NodeFault {
  if (answer?.isSize === true) return bytes(Number(answer.said));
  const said = answer?.said ?? "";
  if (isExtensionOld(said)) return { is: "behind its programs", why: "" };
  const own = notices.find((one) => one.includes(`@${addressOf(row)} `)) ?? "";
  // Its first line: the next asks whether the server runs.
  const [, why = ""] = /error: (?:FATAL: +)?(.*)/.exec(own) ?? [];
  return { is: isRefused(why) ? "refuses" : "away", why };
}
