import type { Connections } from "#service/store/postgres/connections";
import { faultOf } from "#service/store/postgres/postgres-fault";
import * as storeLimits from "#limits/store-limits";

/** Unknown: the coordinator does not answer itself, knows of no such worker, or may not ask it for us. */
type WorkerAnswer = "answers" | "silent" | "unknown";

/** Has the coordinator ask a worker for a word, and waits a moment for it. */
export async function askWorker(connections: Connections, group: number): Promise<WorkerAnswer> {
  const within = storeLimits.workerAnswersWithin;
  try {
    return await connections.use(async (query) => {
      await query("BEGIN");
      await query(`SET LOCAL statement_timeout = ${within}`);
      await query(`SET LOCAL citus.node_connection_timeout = ${within}`);
      try {
        const { rows } = await query(
          "SELECT citus_check_connection_to_node(nodename, nodeport) AS answers FROM pg_dist_node WHERE groupid = $1 AND noderole = 'primary'",
          [group],
        );
        if (rows.length === 0) return "unknown";
        return rows.every(({ answers }) => answers === true) ? "answers" : "silent";
      } catch (error) {
        return faultOf(error)?.code === "store_busy" ? "silent" : "unknown";
      } finally {
        await query("ROLLBACK");
      }
    });
  } catch {
    return "unknown";
  }
}
