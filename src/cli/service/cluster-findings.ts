import { failed, fine, type Finding, warning } from "#cli/doctor/finding";
import { counted } from "#base/text";
import { isServer } from "#service/store/open-store";
import {
  type ClusterReport,
  clusterReport,
  type ClusterServer,
  type NodeFault,
} from "#service/store/postgres/cluster-report";
import { StoreFault } from "#service/store/store-fault";

const about = "cluster";

/** What is distributed over the servers of a cluster of Citus, and how each of them is; nothing of another database. */
export async function clusterFindings(database: string): Promise<readonly Finding[]> {
  if (!isServer(database)) return [];
  try {
    const report = await clusterReport(database);
    if (report === null) return [];
    return [tablesFinding(report), ...report.servers.map((one) => serverFinding(one, report))];
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error;
    const says = `the coordinator cannot say how its servers are: ${error.message}`;
    return [failed(about, says, "correct that, and run this again")];
  }
}

function tablesFinding({ undistributed, shards }: ClusterReport): Finding {
  if (undistributed.length === 0)
    return fine(about, `the results are distributed: ${counted(shards, "shard")}`);
  const next = "add a worker if there is none, then restart the service: it distributes them";
  return warning(about, `not distributed: ${undistributed.join(", ")}`, next);
}

function serverFinding(server: ClusterServer, { shards: all }: ClusterReport): Finding {
  const { address, isCoordinator, size, shards, isSynced } = server;
  const name = `${isCoordinator ? "coordinator" : "worker"} ${address}`;
  if (typeof size === "object") return faultFinding(name, size);
  if (!isSynced)
    return warning(
      about,
      `${name} is behind: it does not know what was distributed last`,
      "run SELECT start_metadata_sync_to_all_nodes() on the coordinator",
    );
  const megabytes = `${(size / 2 ** 20).toFixed(0)} MB`;
  if (isCoordinator) return fine(about, `${name}: ${megabytes}`);
  if (shards === 0 && all > 0)
    return warning(
      about,
      `${name} has no shard of the results`,
      "run SELECT citus_rebalance_start() on the coordinator in a quiet hour",
    );
  return fine(about, `${name}: ${megabytes}, ${shards} of ${counted(all, "shard")}`);
}

function faultFinding(name: string, { is, why }: NodeFault): Finding {
  const because = why === "" ? "" : ` (${why})`;
  const then = `results of its monitors wait at their agents${because}`;
  switch (is) {
    case "away":
      return failed(
        about,
        `${name} cannot be reached: ${then}`,
        "start it, or promote its standby and give its address to citus_update_node",
      );
    case "refuses":
      return failed(
        about,
        `${name} does not let the coordinator in: ${then}`,
        "put the password of the role into .pgpass of the servers, and check pg_hba.conf and citus.node_conninfo, see docs/cluster.md",
      );
    case "behind its programs":
      return failed(
        about,
        `${name} has an extension that is older than its programs: ${then}`,
        "run ALTER EXTENSION citus UPDATE in this database on that server",
      );
  }
}
