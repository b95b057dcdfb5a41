import { dropReasons, type HoldReason } from "#service/alerting/queue";
import { dayAndTime, isoTime, lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import * as alertsLimits from "#limits/alerts-limits";
import { figureTable } from "#service/edge/figure-table";
import { eventWords } from "#service/alerts/incident-words";
import type { DeliveryRow } from "#service/store/alert-store";
import { between } from "#base/units";

/** A delivery beside the name of what it is listed with: its channel, or its incident. */
interface NamedDelivery {
  readonly delivery: DeliveryRow;
  readonly subject: Html;
}

/** What was sent and what was not, and why: a row each. */
export const deliveryTable = (head: string, deliveries: readonly NamedDelivery[]): Html =>
  html`${figureTable(
    "Table of messages",
    [head, "Says", "Written", "Outcome", "Tries"],
    deliveries.map(
      ({ delivery, subject }) =>
        html`<tr>
          <th scope="row">${subject}</th>
          <td>${eventWords(delivery.kind, "error").split(":")[0] ?? ""}</td>
          <td>
            <time datetime="${isoTime(delivery.createdAt)}">${dayAndTime(delivery.createdAt)}</time>
          </td>
          <td>${outcomeWords(delivery)}</td>
          <td>${delivery.attempts}</td>
        </tr>`,
    ),
    ["Says", "Written", "Outcome"],
  )}`;

/** What became of it, and how late that was. */
export function outcomeWords(delivery: DeliveryRow): string {
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
      return `not sent: ${message === "" ? (dropSentences[reason] ?? reason) : message}`;
  }
}

/** How long after it was written it was sent, where a person would call that late. */
function lateWords({ createdAt, settledAt }: DeliveryRow): string {
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
  group: "it joins others with the same cause",
  digest: "it joins others in one message",
  order: "an earlier message comes first",
  retry: "it is tried again",
  replay: "the location still sends what it kept",
  pace: "the provider takes no more at once",
};
