import { counted, isoTime, nearTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { verdictMark } from "#web/page/verdict-mark";
import { outcomeWords } from "#service/operator/incidents/delivery-words";
import { eventWords } from "#service/alerts/incident-words";
import type { DeliveryRow } from "#service/store/alert-store";
import type { EpochMillis } from "#base/units";

/** What an incident's channels were sent and when, what became of each message, and what it said. */
export const messageLines = (
  deliveries: readonly DeliveryRow[],
  channels: ReadonlyMap<number, string>,
  at: EpochMillis,
): Html =>
  html`<ul class="messages">
    ${deliveries.map((one) => messageLine(one, channels.get(one.channel), at))}
  </ul>`;

const messageLine = (delivery: DeliveryRow, channel: string | undefined, at: EpochMillis): Html =>
  html`<li>
    ${stateMark(delivery)}
    <h3>${channelLink(delivery.channel, channel)}</h3>
    <p class="kind">
      ${eventWords(delivery.kind, "error").split(":")[0] ?? ""},
      <time datetime="${isoTime(saidAt(delivery))}">${nearTime(saidAt(delivery), at)}</time>:
      ${outcomeWords(delivery)}${delivery.attempts > 1 ? `, ${counted(delivery.attempts, "attempt")}` : ""}
    </p>
    ${saidDetails(delivery)}
  </li>`;

/** When it was sent, or came to nothing; of what still waits, when it was written. */
const saidAt = ({ createdAt, settledAt }: DeliveryRow): EpochMillis => settledAt ?? createdAt;

function stateMark({ state, message }: DeliveryRow): Html {
  switch (state) {
    case "sent":
      return verdictMark("success", "Sent");
    case "accepted":
      return verdictMark("success", "Accepted");
    case "waiting":
      return message === ""
        ? verdictMark("unchecked", "Waiting")
        : verdictMark("degraded", "Retrying");
    case "dropped":
      return message === "" ? verdictMark("unchecked", "Not sent") : verdictMark("error", "Failed");
  }
}

const channelLink = (id: number, name: string | undefined): Html =>
  name === undefined ? html`Channel ${id}, deleted` : html`<a href="/channels/${id}">${name}</a>`;

const saidDetails = ({ said }: DeliveryRow): Html | null =>
  said === ""
    ? null
    : html`<details>
        <summary>What it said</summary>
        <p class="said-text">${said}</p>
      </details>`;
