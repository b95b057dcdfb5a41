import { laneAtFirst } from "#service/alerting/attempts";
import * as limits from "#limits/pages-limits";
import { Parents, roundsAfter } from "#service/alerts/parents";
import type { ParentWait } from "#service/operator/incidents/delivery-words";
import type { MessagedChannel } from "#service/operator/incidents/message-lines";
import type { PageRooms } from "#service/operator/page-rooms";
import type { DeliveryRow, Story } from "#service/store/alert-store";
import { channelId } from "#service/store/ids";

/** Who was notified of an incident, and who is to be. */
export interface IncidentMessages {
  /** The newest first. */
  readonly deliveries: readonly DeliveryRow[];
  readonly deliveriesTotal: number;
  /** What it depends on and messages of it wait for; null if none do. */
  readonly parent: ParentWait | null;
  /** Channels that are still there. */
  readonly channels: ReadonlyMap<number, MessagedChannel>;
}

export async function incidentMessages(rooms: PageRooms, story: Story): Promise<IncidentMessages> {
  const { deliveries, total } = await rooms.store.alerts.deliveries.list({
    channel: null,
    incident: story.incident.number,
    state: null,
    limit: limits.deliveriesListed,
    offset: 0,
  });
  const [channels, parent] = await Promise.all([
    channelsOf(rooms, deliveries),
    parentWait(rooms, story, deliveries),
  ]);
  return { deliveries, deliveriesTotal: total, channels, parent };
}

/** What messages of an incident wait for, as the courier looks at it; null if none of them waits for what it depends on. */
async function parentWait(
  { store, monitors, clock }: PageRooms,
  { incident, events }: Story,
  deliveries: readonly DeliveryRow[],
): Promise<ParentWait | null> {
  const held = deliveries.filter((one) => one.state === "waiting" && one.reason === "parent");
  const waiting = events.filter(({ number }) => held.some(({ event }) => event === number));
  if (waiting.length === 0) return null;
  const [queue] = await new Parents(store, monitors, clock).of([{ incident, waiting }]);
  const parent = queue?.parent ?? null;
  return parent && { name: parent.name, until: parent.until, rounds: roundsAfter({ waiting }) };
}

async function channelsOf(
  { store }: PageRooms,
  deliveries: readonly DeliveryRow[],
): Promise<ReadonlyMap<number, MessagedChannel>> {
  const ids = [...new Set(deliveries.map(({ channel }) => channel))];
  const [lanes, ...rows] = await Promise.all([
    store.alerts.deliveries.lanes(ids),
    ...ids.map((id) => store.alerts.channels.get(channelId(id))),
  ]);
  return new Map(
    rows.flatMap((row) =>
      row === null ? [] : [[row.id, { ...row, lane: lanes.get(row.id) ?? laneAtFirst }] as const],
    ),
  );
}
