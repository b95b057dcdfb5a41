import { type LaneHealth, laneAtFirst } from "#service/alerting/attempts";
import { isAlwaysQuiet } from "#service/alerting/quiet-hours";
import { capital } from "#base/text";
import type { Html } from "#web/page/html";
import { verdictMark } from "#web/page/verdict-mark";
import { savedArguments } from "#service/operator/channels/channel-draft";
import { destinationOf } from "#service/operator/channels/destination";
import type { PageRooms } from "#service/operator/page-rooms";
import type { ChannelStanding } from "#service/store/alert-store";
import type { ChannelRow } from "#service/store/channel-store";

/** A channel and how it stands with its provider. */
export interface ChannelHealth {
  readonly row: ChannelRow;
  readonly lane: LaneHealth;
  readonly standing: ChannelStanding;
  /** Why it cannot send, as a sentence; empty if it can, as far as is known. */
  readonly trouble: string;
  /** Where its messages arrive, as far as it is no secret; empty if nothing of that is known. */
  readonly destination: string;
}

/** Reads how each of these stands. */
export async function healthOfChannels(
  { store, channels }: PageRooms,
  rows: readonly ChannelRow[],
): Promise<readonly ChannelHealth[]> {
  const ids = rows.map(({ id }) => id);
  const { deliveries } = store.alerts;
  const [lanes, standing, troubles] = await Promise.all([
    deliveries.lanes(ids),
    deliveries.standing(ids),
    channels.troubles(rows),
  ]);
  return rows.map((row) => ({
    row,
    lane: lanes.get(row.id) ?? laneAtFirst,
    standing: standing.get(row.id) ?? { waiting: 0, lastSentAt: null, lastTest: null },
    trouble: troubles.get(row.id) ?? "",
    destination: destinationOf(row.provider, savedArguments(channels.opened(row))),
  }));
}

/** How a channel stands, by what it was last to send. */
type Condition =
  | "working"
  | "ready"
  | "notifies no one yet"
  | "always quiet"
  | "retrying"
  | "test failed"
  | "failing"
  | "disabled";

function conditionOf({
  row,
  lane,
  trouble,
  standing: { lastSentAt, lastTest },
}: ChannelHealth): Condition {
  if (lane.isDisabled) return "disabled";
  if (trouble !== "") return "failing";
  // What failed once is tried again, and is not known to fail.
  if (lane.failures > 0) return "retrying";
  if (lastTest !== null && lastTest.trouble !== "" && lastTest.at > (lastSentAt ?? 0))
    return "test failed";
  if (row.monitors.length === 0 && !row.rules.allMonitors) return "notifies no one yet";
  if (isAlwaysQuiet(row.rules.quietHours)) return "always quiet";
  return lastSentAt === null ? "ready" : "working";
}

/** Whether the last thing that it was to send did not arrive. */
export const isFailing = (health: ChannelHealth): boolean =>
  !["working", "ready", ...unused].includes(conditionOf(health));

/** It is to send nothing. */
const unused: readonly string[] = ["notifies no one yet", "always quiet"];

/** A shape and a word for it. */
export function channelMark(health: ChannelHealth): Html {
  const isUnused = unused.includes(conditionOf(health));
  const standing = isFailing(health) ? "error" : isUnused ? "unchecked" : "success";
  return verdictMark(standing, healthWord(health));
}

/** A word or two of how it stands. */
export const healthWord = (health: ChannelHealth): string => capital(conditionOf(health));
