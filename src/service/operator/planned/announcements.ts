import { counted, lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { minuteOf } from "#web/page/moment";
import * as alertsLimits from "#limits/alerts-limits";
import * as limits from "#limits/pages-limits";
import { messageLines } from "#service/operator/incidents/message-lines";
import type { PageRooms } from "#service/operator/page-rooms";
import type { DeliveryRow, NamedIncident } from "#service/store/alert-store";
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
  /** Names of channels that are still there. */
  readonly channels: ReadonlyMap<number, string>;
}

/** What was sent of planned work. */
export async function announcementsOf(rooms: PageRooms, work: number): Promise<Announcements> {
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
  return announced(
    rooms,
    incidents.map(({ incident }) => incident),
  );
}

/** The same of some windows. */
export async function announced(
  { store: { alerts } }: PageRooms,
  incidents: readonly NamedIncident["incident"][],
): Promise<Announcements> {
  const any = { channel: null, state: null, limit: limits.deliveriesListed, offset: 0 };
  const all = await Promise.all(
    incidents.map(async (incident): Promise<Announcement> => {
      const sent = await alerts.deliveries.list({ ...any, incident: incident.number });
      return { incident, ...sent };
    }),
  );
  const ids = new Set(all.flatMap(({ deliveries }) => deliveries.map(({ channel }) => channel)));
  const rows = await Promise.all([...ids].map((id) => alerts.channels.get(channelId(id))));
  const names = rows.flatMap((row) => (row === null ? [] : [[row.id, row.name] as const]));
  return { all, channels: new Map(names) };
}

/** Who was notified; `coming` is said if nothing has begun. */
export function announcementsSection(
  { all, channels }: Announcements,
  at: EpochMillis,
  coming: string,
): Html {
  const [first, ...others] = all;
  return html`<section aria-labelledby="messages">
    <h2 id="messages">${first === undefined ? "Notifications" : "Who was notified"}</h2>
    ${
      first === undefined
        ? html`<p class="advice">${coming}</p>`
        : html`${others.length === 0 ? null : windowHead(first)} ${sentLines(first, channels, at)}
          ${others.map((one) => html`${windowHead(one)} ${sentLines(one, channels, at)}`)}`
    }
  </section>`;
}

const windowHead = ({ incident }: Announcement): Html =>
  html`<p class="words">The window that began ${minuteOf(incident.startedAt)}</p>`;

function sentLines(
  { incident, deliveries, total }: Announcement,
  channels: Announcements["channels"],
  at: EpochMillis,
): Html {
  if (deliveries.length === 0)
    return html`<p class="advice">${unnotifiedWords(incident.openedAt, at)}</p>`;
  const left = total - deliveries.length;
  return html`${messageLines(deliveries, channels, at)}
  ${left > 0 ? html`<p class="words">${counted(left, "older message")} not shown.</p>` : null}`;
}

const unnotifiedWords = (began: EpochMillis, at: EpochMillis): string =>
  between(began, at) < alertsLimits.deliveriesKeptFor
    ? "No one was notified: when it began, no channel that it concerns asked for planned maintenance."
    : `Messages are kept for ${lengthOf(alertsLimits.deliveriesKeptFor)}: who was notified is not known any more.`;
