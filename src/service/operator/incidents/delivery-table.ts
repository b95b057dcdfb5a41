import * as limits from "#limits/lines-limits";
import { counted } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { messageWords } from "#service/alerts/incident-words";
import {
  deliveryMark,
  type DeliveryRules,
  detailWords,
  triedAt,
  waitEnd,
  whenWords,
} from "#service/operator/incidents/delivery-words";
import type { DeliveryRow } from "#service/store/alert-store";
import type { EpochMillis } from "#base/units";

/** What a channel was sent and what was not, and why: a row for each message, and on a phone a card, the newest by its time first. */
export const deliveryTable = (
  deliveries: readonly DeliveryRow[],
  rules: DeliveryRules,
  at: EpochMillis,
): Html =>
  html`<div class="wide delivered" role="region" aria-label="Table of messages" tabindex="0">
    <table class="figures words-2 words-3 words-4">
      <thead>
        <tr>
          ${["Incident", "Says", "Outcome", "When", "Attempts"].map((one) => html`<th scope="col">${one}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${lettersOf(deliveries).map((one) => letterRow(one, rules, at))}
      </tbody>
    </table>
  </div>`;

/** What went as one message, with the delivery that waited longest for it. */
interface SentLetter {
  readonly lead: DeliveryRow;
  readonly all: readonly DeliveryRow[];
}

export function lettersOf(deliveries: readonly DeliveryRow[]): readonly SentLetter[] {
  const letters = Map.groupBy(deliveries, togetherAs);
  return [...letters.values()]
    .flatMap((all): readonly SentLetter[] => {
      const [lead] = all.toSorted((a, b) => a.createdAt - b.createdAt || a.id - b.id);
      return lead === undefined ? [] : [{ lead, all }];
    })
    .toSorted((a, b) => triedAt(b.lead) - triedAt(a.lead) || b.lead.id - a.lead.id);
}

/**
 * The same for those that one row is true of. What was not tried yet is a message by itself, for it may still join others;
 * and what was tried with others and waits now may wait for another reason than they do.
 */
function togetherAs(delivery: DeliveryRow): string {
  const { id, letter, state, reason, message, createdAt, firstTriedAt, settledAt } = delivery;
  if (letter === null) return `alone ${id}`;
  const waits = state === "waiting" ? [createdAt, firstTriedAt, delivery.retryAt] : [];
  return JSON.stringify([letter, state, reason, message, settledAt, ...waits]);
}

const letterRow = ({ lead, all }: SentLetter, rules: DeliveryRules, at: EpochMillis): Html => {
  const detail = detailWords(lead, rules);
  const says = new Set(all.map(({ kind, about }) => messageWords(kind, about)));
  return html`<tr>
    <th scope="row">${incidentsOf(all)}</th>
    <td class="says">${[...says].join(", ")}</td>
    <td class="outcome">
      ${deliveryMark(lead)}
      ${detail === "" ? null : html`<span class="note">${detail}${waitEnd(lead, rules, at)}</span>`}
    </td>
    <td>${whenWords(lead)}</td>
    <td class="attempts${lead.attempts > 1 ? "" : " once"}">${lead.attempts}</td>
  </tr>`;
};

/** The first few, and the others of a long message folded. */
function incidentsOf(all: readonly DeliveryRow[]): Html {
  const links = [...new Map(all.map((one) => [one.incident, one.name]))].map(
    ([number, name]) => html`<a href="/incidents/${number}">${number} ${name}</a>`,
  );
  const { incidentsNamedOfMessage: shown } = limits;
  if (links.length <= shown + 1) return lines(links);
  return html`${lines(links.slice(0, shown))}
    <details id="message-${all[0]?.id ?? 0}">
      <summary>${counted(links.length - shown, "more incident")}</summary>
      ${lines(links.slice(shown))}
    </details>`;
}

const lines = (links: readonly Html[]): Html =>
  html`${links.map((one, index) => (index === 0 ? one : html`<br />${one}`))}`;
