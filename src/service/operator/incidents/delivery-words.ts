import { dropReasons, type HoldReason } from "#service/alerting/queue";
import { dayAndTime, isoTime, lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { minuteOf } from "#web/page/moment";
import * as alertsLimits from "#limits/alerts-limits";
import { verdictMark } from "#web/page/verdict-mark";
import { messageWords } from "#service/alerts/incident-words";
import type { DeliveryRow } from "#service/store/alert-store";
import { between } from "#base/units";

/** A delivery beside the name of what it is listed with: its channel, or its incident. */
interface NamedDelivery {
  readonly delivery: DeliveryRow;
  readonly subject: Html;
}

/** What was sent and what was not, and why: a row each, and on a phone a card each. */
export const deliveryTable = (head: string, deliveries: readonly NamedDelivery[]): Html =>
  html`<div class="wide delivered" role="region" aria-label="Table of messages" tabindex="0">
    <table class="figures words-2 words-3 words-4">
      <thead>
        <tr>
          ${[head, "Says", "Outcome", "Written", "Attempts"].map((one) => html`<th scope="col">${one}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${deliveries.map(deliveryRow)}
      </tbody>
    </table>
  </div>`;

const deliveryRow = ({ delivery, subject }: NamedDelivery): Html => {
  const { kind, about, createdAt, attempts } = delivery;
  const detail = detailWords(delivery);
  return html`<tr>
    <th scope="row">${subject}</th>
    <td class="says">${messageWords(kind, about)}</td>
    <td class="outcome">
      ${deliveryMark(delivery)}
      ${detail === "" ? null : html`<span class="note">${detail}${quietEnd(delivery)}</span>`}
    </td>
    <td><time datetime="${isoTime(createdAt)}">${dayAndTime(createdAt)}</time></td>
    <td class="attempts${attempts > 1 ? "" : " once"}">${attempts}</td>
  </tr>`;
};

/** A shape and a word for what became of it. */
export function deliveryMark({ state, message }: Pick<DeliveryRow, "state" | "message">): Html {
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

/** What its mark does not say yet; empty if that is all. */
export const detailWords = (delivery: DeliveryOutcomeRow): string =>
  outcomeWords(delivery).replace(/^(not sent|sent|waits)([,:;] )?/, "");

type DeliveryOutcomeRow = Pick<
  DeliveryRow,
  "state" | "message" | "reason" | "createdAt" | "settledAt"
>;

/** What became of it, and how late that was. */
export function outcomeWords(delivery: DeliveryOutcomeRow): string {
  const { state, message, reason } = delivery;
  switch (state) {
    case "sent":
      return `sent${lateWords(delivery)}`;
    case "accepted":
      return "taken by the provider, which says later what became of it";
    case "waiting":
      if (reason === "retry")
        return `failed${message === "" ? "" : ` (${message})`}; it is tried again`;
      return `waits${wordsOf(holdWords, reason, ": ")}${message === "" ? "" : `; last: ${message}`}`;
    case "dropped":
      return message === ""
        ? `not sent, because ${dropSentences[reason] ?? reason}`
        : `not sent: ${message}`;
  }
}

/** Until when the channel's quiet hours hold it; null of what does not wait for their end. */
export const quietEnd = ({
  state,
  reason,
  message,
  dueAt,
}: Pick<DeliveryRow, "state" | "reason" | "message" | "dueAt">): Html | null =>
  state === "waiting" && reason === "quiet_hours"
    ? html`${message === "" ? "" : "; they last"} until ${minuteOf(dueAt)}`
    : null;

/** How long after it was written it was sent, where a person would call that late. */
function lateWords({ createdAt, settledAt }: DeliveryOutcomeRow): string {
  if (settledAt === null) return "";
  const late = between(createdAt, settledAt);
  return late < alertsLimits.lateAfter ? "" : `, ${lengthOf(late)} late`;
}

const wordsOf = (table: Readonly<Record<string, string>>, word: string, before: string): string => {
  const words = table[word];
  return words === undefined ? "" : `${before}${words}`;
};

const dropSentences: Readonly<Record<string, string>> = dropReasons;

const holdWords: { readonly [R in HoldReason]: string } = {
  first_wait: "more may follow in some seconds",
  delay: "the channel's delay has not passed",
  quiet_hours: "the channel has quiet hours",
  silence: "it is silenced",
  parent: "what it depends on is down",
  pause: "monitoring is paused",
  group: "it joins others with the same cause",
  digest: "it joins others in one message",
  order: "an earlier message comes first",
  retry: "it is tried again",
  replay: "the location still sends what it kept",
  pace: "the provider takes no more at once",
};
