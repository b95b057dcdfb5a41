import { grouped, isoTime, nearTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { verdictMark } from "#web/page/verdict-mark";
import type { NewsTally } from "#service/store/news/news-tally";
import type { StatusPageRow } from "#service/store/page-store";
import type { EpochMillis } from "#base/units";

/** What became of news that went to a page's subscribers, as a list: a line for each time that it was announced. */
export const recipientLines = (
  tallies: readonly NewsTally[],
  page: StatusPageRow | null,
  at: EpochMillis,
): Html | null =>
  tallies.length === 0
    ? null
    : html`<ul class="messages">
        ${tallies.map((one) => recipientLine(one, page, at))}
      </ul>`;

const recipientLine = (one: NewsTally, page: StatusPageRow | null, at: EpochMillis): Html =>
  html`<li>
    ${recipientMark(one)}
    <h3>
      ${page === null ? "Subscribers" : html`<a href="/status-pages/${page.id}/subscribers">Subscribers of ${page.definition.title}</a>`}
    </h3>
    <p class="kind">
      ${saidWords[one.said ?? "announced"]}, ${timeIn(one.at, at)}${toWords(one)}:
      ${recipientWords(one, at)}
    </p>
  </li>`;

/** Which message it was. */
const saidWords = {
  announced: "Announced",
  updated: "Update",
  changed: "New times",
  reminder: "Reminder",
  begun: "It has begun",
  ended: "It is over",
  cancelled: "Cancelled",
} as const satisfies Readonly<Record<NonNullable<NewsTally["said"]>, string>>;

/** `, to 3 by e-mail and 1 by webhook`. */
function toWords({ ways }: NewsTally): string {
  if (ways === null || ways.email + ways.webhook === 0) return "";
  const all = [
    ...(ways.email === 0 ? [] : [`${grouped(ways.email)} by e-mail`]),
    ...(ways.webhook === 0 ? [] : [`${grouped(ways.webhook)} by webhook`]),
  ];
  return `, to ${all.join(" and ")}`;
}

function recipientMark({ sent, failed, waiting, retried }: NewsTally): Html {
  if (failed > 0) return verdictMark("error", "Failed");
  if (retried > 0) return verdictMark("degraded", "Retrying");
  if (waiting > 0) return verdictMark("unchecked", "Waiting");
  return sent > 0 ? verdictMark("success", "Sent") : verdictMark("unchecked", "Not sent");
}

/** How many got it and how many did not, and why: `1 sent, 1 failed. Last error, 14:03:22: …`. */
export function recipientWords(one: NewsTally, at: EpochMillis): Html {
  const counts = [
    [one.sent, "sent"],
    [one.failed, "failed"],
    [one.retried, "failed and will be tried again"],
    [one.waiting, "waiting"],
  ] as const;
  const words = counts.flatMap(([count, word]) =>
    count === 0 ? [] : [`${grouped(count)} ${word}`],
  );
  if (words.length === 0) return html`no subscriber was to get it.`;
  const isFailing = one.failed + one.retried > 0 && one.trouble !== "";
  return html`${words.join(", ")}.
  ${one.sentAt === null ? null : html`The last one was sent ${timeIn(one.sentAt, at)}.`}
  ${
    isFailing && one.troubleAt !== null
      ? html`Last error, ${timeIn(one.troubleAt, at)}: ${one.trouble}.`
      : null
  }`;
}

const timeIn = (instant: EpochMillis, at: EpochMillis): Html =>
  html`<time datetime="${isoTime(instant)}">${nearTime(instant, at)}</time>`;
