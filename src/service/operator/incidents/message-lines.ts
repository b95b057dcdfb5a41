import type { LaneHealth } from "#service/alerting/attempts";
import { counted, isoTime, nearTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import {
  deliveryMark,
  type IncidentWaits,
  outcomeWords,
  rulesOf,
  waitEnd,
} from "#service/operator/incidents/delivery-words";
import { messageWords } from "#service/alerts/incident-words";
import type { DeliveryRow } from "#service/store/alert-store";
import type { ChannelRow } from "#service/store/channel-store";
import type { EpochMillis } from "#base/units";

/** A channel that is still there. */
export interface MessagedChannel extends Pick<ChannelRow, "name" | "rules"> {
  /** How it stands with its provider; left out if that is not read. */
  readonly lane?: LaneHealth;
}

/** What an incident's channels were sent and when, what became of each message, and what it said. */
export const messageLines = (
  deliveries: readonly DeliveryRow[],
  channels: ReadonlyMap<number, MessagedChannel>,
  at: EpochMillis,
  waits?: IncidentWaits,
): Html =>
  html`<ul class="messages">
    ${deliveries.map((one) => messageLine(one, channels.get(one.channel), at, waits))}
  </ul>`;

const messageLine = (
  delivery: DeliveryRow,
  channel: MessagedChannel | undefined,
  at: EpochMillis,
  waits: IncidentWaits | undefined,
): Html => {
  const rules = rulesOf(channel, waits);
  return html`<li>
    ${deliveryMark(delivery)}
    <h3>${channelLink(delivery.channel, channel?.name)}</h3>
    <p class="kind">
      ${messageWords(delivery.kind, delivery.about)},
      <time datetime="${isoTime(saidAt(delivery))}">${nearTime(saidAt(delivery), at)}</time>:
      ${outcomeWords(delivery, rules)}${waitEnd(delivery, rules, at)}${delivery.attempts > 1 ? `, ${counted(delivery.attempts, "attempt")}` : ""}
    </p>
    ${saidDetails(delivery)}
  </li>`;
};

/** When it was sent, or came to nothing; of what still waits, when it was written. */
const saidAt = ({ createdAt, settledAt }: DeliveryRow): EpochMillis => settledAt ?? createdAt;

const channelLink = (id: number, name: string | undefined): Html =>
  name === undefined ? html`Channel ${id}, deleted` : html`<a href="/channels/${id}">${name}</a>`;

const saidDetails = ({ said }: DeliveryRow): Html | null =>
  said === ""
    ? null
    : html`<details>
        <summary>What it said</summary>
        <p class="said-text">${said}</p>
      </details>`;
