import { counted, lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { minuteOf } from "#web/page/moment";
import * as alertsLimits from "#limits/alerts-limits";
import * as limits from "#limits/pages-limits";
import { type MessagedChannel, messageLines } from "#service/operator/incidents/message-lines";
import { recipientLines } from "#service/operator/publishing/recipient-lines";
import type { PageRooms } from "#service/operator/page-rooms";
import type { DeliveryRow, NamedIncident } from "#service/store/alert-store";
import type { NewsTally } from "#service/store/news/news-tally";
import type { StatusPageRow } from "#service/store/page-store";
import { channelId } from "#service/store/ids";
import { between, type EpochMillis } from "#base/units";

/** What channels were sent of one window of planned work. The store keeps it as an incident, which is how messages name it. */
export interface Announcement {
  readonly incident: NamedIncident["incident"];
  /** The newest first. */
  readonly deliveries: readonly DeliveryRow[];
  readonly total: number;
}

export interface Announcements {
  /** Of the newest windows that have begun, the newest first. */
  readonly all: readonly Announcement[];
  /** Channels that are still there. */
  readonly channels: ReadonlyMap<number, MessagedChannel>;
  /** What became of what the subscribers of its status page were sent, the newest first. */
  readonly tallies: readonly NewsTally[];
  /** The status page; null if it is on none, or that is not known any more. */
  readonly page: StatusPageRow | null;
}

/** What was sent of planned work, and to the subscribers of its page. */
export async function announcementsOf(
  rooms: PageRooms,
  work: number,
  page: StatusPageRow | null,
): Promise<Announcements> {
  const { incidents } = await rooms.store.alerts.incidents.list({
    isOpen: null,
    kind: "maintenance",
    subject: work,
    location: null,
    cause: null,
    before: null,
    limit: limits.windowsShown,
    offset: 0,
  });
  const all = incidents.map(({ incident }) => incident);
  return announced(rooms, { work, page }, all);
}

/** The same of some windows of it. */
export async function announced(
  { store: { alerts, readers } }: PageRooms,
  { work, page }: { readonly work: number; readonly page: StatusPageRow | null },
  incidents: readonly NamedIncident["incident"][],
): Promise<Announcements> {
  const any = { channel: null, state: null, limit: limits.deliveriesListed, offset: 0 };
  const tallies = await readers.letters.tallies({ kind: "maintenance", about: [work] });
  const all = await Promise.all(
    incidents.map(async (incident): Promise<Announcement> => {
      const sent = await alerts.deliveries.list({ ...any, incident: incident.number });
      return { incident, ...sent };
    }),
  );
  const ids = new Set(all.flatMap(({ deliveries }) => deliveries.map(({ channel }) => channel)));
  const rows = await Promise.all([...ids].map((id) => alerts.channels.get(channelId(id))));
  const channels = rows.flatMap((row) => (row === null ? [] : [[row.id, row] as const]));
  return { all, channels: new Map(channels), tallies, page };
}

/** Who was notified; `coming` is said if nothing has begun, and `byItself` of what subscribers are still sent. */
export function announcementsSection(
  { all, channels, tallies, page }: Announcements,
  at: EpochMillis,
  { coming, byItself }: { readonly coming: string; readonly byItself: string | null },
): Html {
  const [first, ...others] = all;
  const subscribers = recipientLines(tallies, page, at);
  const unsent = subscribers === null ? "No one was notified" : "No channel was notified";
  return html`<section aria-labelledby="messages">
    <h2 id="messages">
      ${first === undefined && subscribers === null ? "Notifications" : "Who was notified"}
    </h2>
    ${subscribers} ${byItself === null ? null : html`<p class="words">${byItself}</p>`}
    ${
      first === undefined
        ? html`<p class="advice">${coming}</p>`
        : html`${others.length === 0 ? null : windowHead(first)}
          ${sentLines(first, channels, unsent, at)}
          ${others.map((one) => html`${windowHead(one)} ${sentLines(one, channels, unsent, at)}`)}`
    }
  </section>`;
}

const windowHead = ({ incident }: Announcement): Html =>
  html`<p class="words">The window that began ${minuteOf(incident.startedAt)}</p>`;

function sentLines(
  { incident, deliveries, total }: Announcement,
  channels: Announcements["channels"],
  unsent: string,
  at: EpochMillis,
): Html {
  if (deliveries.length === 0)
    return html`<p class="advice">${unnotifiedWords(incident.openedAt, unsent, at)}</p>`;
  const left = total - deliveries.length;
  return html`${messageLines(deliveries, channels, at)}
  ${left > 0 ? html`<p class="words">${counted(left, "older message")} not shown.</p>` : null}`;
}

const unnotifiedWords = (began: EpochMillis, unsent: string, at: EpochMillis): string =>
  between(began, at) < alertsLimits.deliveriesKeptFor
    ? `${unsent}: when it began, no channel that it concerns asked for planned maintenance.`
    : `Messages are kept for ${lengthOf(alertsLimits.deliveriesKeptFor)}: who was notified is not known any more.`;
