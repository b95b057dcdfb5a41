import { type LaneHealth, laneAtFirst } from "#service/alerting/attempts";
import { isoTime, lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { verdictMark } from "#web/page/verdict-mark";
import type { PageRooms } from "#service/operator/page-rooms";
import type { ChannelStanding } from "#service/store/alert-store";
import type { ChannelRow } from "#service/store/channel-store";
import { between, type EpochMillis } from "#base/units";

/** A channel and how it stands with its provider. */
export interface ChannelHealth {
  readonly row: ChannelRow;
  readonly lane: LaneHealth;
  readonly standing: ChannelStanding;
  /** Why it cannot send, as a sentence; empty if it can, as far as is known. */
  readonly trouble: string;
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
  }));
}

/** A shape and a word for it. */
export const channelMark = (health: ChannelHealth): Html =>
  verdictMark(health.trouble === "" ? "success" : "error", healthWord(health));

/** One word of how it stands. */
export function healthWord({ lane, trouble, standing }: ChannelHealth): string {
  if (lane.isDisabled) return "Disabled";
  if (trouble !== "") return "Failing";
  return standing.lastSentAt === null ? "Ready" : "Working";
}

/** Why it takes no messages, since when, and what to do; null if it does. */
export function healthSentence({ lane, trouble }: ChannelHealth, at: EpochMillis): Html | null {
  if (trouble === "") return null;
  const since =
    lane.failing === null
      ? null
      : html`<time datetime="${isoTime(lane.failing.since)}"
            >For ${lengthOf(between(lane.failing.since, at))}</time
          >: `;
  const next = lane.isDisabled
    ? " Nothing is tried until its data is changed or a delivery is retried."
    : null;
  return html`${since}${trouble}.${next}`;
}
