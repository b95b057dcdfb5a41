import type { Query } from "#service/store/postgres/connections";
import * as storeLimits from "#limits/store-limits";
import { seconds } from "#base/units";

/** Has the server find out by itself if the machine of this connection is gone. */
export async function probeClient(query: Query): Promise<void> {
  await query(
    `SELECT set_config('tcp_keepalives_idle', $1, false), set_config('tcp_keepalives_interval', $1, false),
       set_config('tcp_keepalives_count', $2, false)`,
    [String(storeLimits.sessionProbedEvery / seconds(1)), String(storeLimits.sessionProbesMissed)],
  );
}

/** The same in the middle of a statement: else one that takes long continues, and keeps its locks. */
export async function watchClient(query: Query): Promise<void> {
  await probeClient(query);
  // Some systems of a server have no such thing, and refuse it.
  await query("SELECT set_config('client_connection_check_interval', $1, false)", [
    String(storeLimits.clientLookedForEvery),
  ]).catch(() => {});
}
