import { failed, fine, type Finding, warning } from "#cli/doctor/finding";
import { counted } from "#base/text";
import { isUnreachable } from "#cli/service/database-findings";
import { isServer } from "#service/store/open-store";
import {
  type ClusterReport,
  clusterReport,
  type ClusterServer,
  type ConnectFault,
} from "#service/store/postgres/cluster-report";

const about = "cluster";

/** What is distributed over the servers of a cluster of Citus, and how each of them is; nothing of another database. */
export async function clusterFindings(database: string): Promise<readonly Finding[]> {
  const report = isServer(database) ? await reportOf(database) : null;
  if (report === null) return [];
  return [tablesFinding(report), ...report.servers.map((one) => serverFinding(one, report))];
}

/** Null also of a server that cannot be reached, which is a finding about the database. */
async function reportOf(database: string): Promise<ClusterReport | null> {
  try {
    return await clusterReport(database);
  } catch (error) {
    if (isUnreachable(error)) return null;
    throw error;
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

function faultFinding(name: string, { why, isRefused }: ConnectFault): Finding {
  const because = why === "" ? "" : ` (${why})`;
  const then = "results of its monitors wait at their agents";
  return isRefused
    ? failed(
        about,
        `${name} does not let the coordinator in: ${then}${because}`,
        "put the password of the role into .pgpass of the servers, and check pg_hba.conf and citus.node_conninfo, see docs/cluster.md",
      )
    : failed(
        about,
        `${name} cannot be reached: ${then}${because}`,
        "start it, or promote its standby and give its address to citus_update_node",
      );
}
