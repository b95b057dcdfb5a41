import { capital } from "#base/text";
import { isoTime, lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { minuteOf } from "#web/page/moment";
import { verdictMark } from "#web/page/verdict-mark";
import { unconfirmedKeptFor, unsubscribedKeptFor } from "#limits/status-limits";
import { ownForm } from "#service/operator/form-fields";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import {
  listField,
  listText,
  subscribersAddress,
  type SubscribersShown,
} from "#service/operator/publishing/subscribers/subscriber-query";
import { subscriptionWords } from "#service/store/audit/subscriber-event";
import { subscriberState } from "#service/store/news/subscriber-state";
import type { PageContent } from "#service/store/page-store";
import type { SubscriberRow } from "#service/store/subscriber-store";
import { after, between, type EpochMillis } from "#base/units";

/** A subscriber with what may be shown of where its news go. */
export interface ShownSubscriber {
  readonly row: SubscriberRow;
  /** Empty if the reader may not see it, and so is where it goes. */
  readonly name: string;
  /** An address, or the host of a webhook. */
  readonly to: string;
  /** The last characters of a webhook's URL; empty if it is too short for that. */
  readonly ending: string;
}

interface ListOfSubscribers {
  readonly content: PageContent;
  readonly reader: KnownReader;
  readonly at: EpochMillis;
  /** The list that it is in, to which a person comes back. */
  readonly asked: SubscribersShown;
}

/** What a subscriber is called, and its number, by which two of one host differ, with how its news go. */
export function subscriberTitle({ row, name, to, ending }: ShownSubscriber): {
  readonly title: string;
  readonly kind: string;
} {
  const where = ending === "" ? to : `${to} …${ending}`;
  const named = [name, where].filter((one) => one !== "");
  return {
    title: named.join(", ") || `Subscriber ${row.id}`,
    kind: capital(subscriptionWords(row)),
  };
}

/** One subscriber in the list: a line, unless its news do not arrive. */
export function subscriberLine(one: ShownSubscriber, view: ListOfSubscribers): Html {
  const { content, reader, asked } = view;
  const { row } = one;
  const path = `/status-pages/${row.page}/subscribers/${row.id}`;
  const { title, kind } = subscriberTitle(one);
  const sentences = [healthSentence(row, view.at), unreceivedSentence(row)].filter(
    (said) => said !== null,
  );
  const what = `${title} (${kind.toLowerCase()})`;
  return html`<li class="incident subscriber">
    ${subscriberMark(row)}
    <h3>${title}</h3>
    <p class="kind">${capital(wayWords(one, content))}, ${newestMoment(row)}</p>
    ${sentences.length === 0 ? null : html`<div class="why">${sentences}</div>`}
    ${
      mayChange(reader) && subscriberState(row) !== "unsubscribed"
        ? html`<div class="acts next">
            ${firstAct(row, path, view, what)}
            ${
              row.acceptedAt === null
                ? null
                : html`<a
                    class="button small"
                    href="${subscribersAddress(`${path}/edit`, asked)}"
                    aria-label="Change: ${what}"
                    >Change</a
                  >`
            }
            <a
              class="button small"
              href="${subscribersAddress(`${path}/remove`, asked)}"
              aria-label="Remove: ${what}"
              >Remove…</a
            >
          </div>`
        : null
    }
  </li>`;
}

/** How its news go, and which. Two webhooks of one host differ by their endings, or by their numbers if those are not shown. */
function wayWords({ row, to, ending }: ShownSubscriber, content: PageContent): string {
  const isNamed = row.way === "email" ? to !== "" : ending !== "";
  const way = isNamed ? wordsOfWay[row.way] : subscriptionWords(row);
  return row.components === null ? way : `${way}: ${partWords(row.components, content)}`;
}

const wordsOfWay = { email: "by e-mail", webhook: "by webhook" } as const;

/** When it got news last, or was added if none was sent to it since. */
const newestMoment = ({ lastSent, createdAt }: SubscriberRow): Html =>
  lastSent !== null && lastSent.trouble === ""
    ? html`last sent ${minuteOf(lastSent.at)}`
    : html`added ${minuteOf(createdAt)}`;

/** What a subscriber is about. */
export function partWords(
  parts: SubscriberRow["components"],
  { components }: Pick<PageContent, "components">,
): string {
  if (parts === null) return "the whole page";
  const names = components.flatMap(({ id, name }) => (parts.includes(id) ? [name] : []));
  return names.join(", ") || "nothing that is left";
}

function subscriberMark(row: SubscriberRow): Html {
  const { trouble, refusals } = row;
  const state = subscriberState(row);
  if (state === "ended") return verdictMark("error", "Ended");
  if (state === "unsubscribed") return verdictMark("unchecked", "Unsubscribed");
  if (state === "unconfirmed") return verdictMark("unchecked", "Not confirmed");
  if (trouble === "") return verdictMark("success", "Subscribed");
  return verdictMark(refusals > 0 ? "error" : "degraded", "Failing");
}

function firstAct(
  row: SubscriberRow,
  path: string,
  view: ListOfSubscribers,
  what: string,
): Html | null {
  if (row.isEndedByReceiver) return listForm(`${path}/resume`, view, "Resume", what);
  if (row.way !== "webhook") return null;
  return listForm(`${path}/test`, view, "Send a test", what);
}

/** A button after which the same list is shown. */
const listForm = (
  action: string,
  { reader, asked }: ListOfSubscribers,
  words: string,
  what: string,
): Html =>
  ownForm(
    action,
    reader,
    html`<input type="hidden" name="${listField}" value="${listText(asked)}" />
      <button type="submit" aria-label="${words}: ${what}">${words}</button>`,
  );

function healthSentence(row: SubscriberRow, at: EpochMillis): Html | null {
  const { trouble, failingSince, isEndedByReceiver, unsubscribedAt, acceptedAt } = row;
  if (!isEndedByReceiver && unsubscribedAt !== null)
    return html`<p>
      Unsubscribed ${minuteOf(unsubscribedAt)}. It gets no news, and is deleted after
      ${minuteOf(after(unsubscribedAt, unsubscribedKeptFor))}.
      ${row.askedAt === null ? null : html`A mail asked it ${minuteOf(row.askedAt)} whether it wants news again.`}
    </p>`;
  if (acceptedAt === null)
    return html`<p>
      Waiting for confirmation since ${minuteOf(row.askedAt ?? row.createdAt)}. It gets no news
      before that. If it is not confirmed, it is deleted after
      ${minuteOf(after(row.updatedAt, unconfirmedKeptFor))}.
      ${trouble === "" ? null : `Its mail is not taken: ${trouble}.`}
    </p>`;
  if (isEndedByReceiver && unsubscribedAt !== null)
    return html`<p>
      Ended by the receiver, ${minuteOf(unsubscribedAt)}: ${trouble}. It gets no news. If it is not
      resumed, it is deleted after ${minuteOf(after(unsubscribedAt, unsubscribedKeptFor))}.
    </p>`;
  return trouble === "" || failingSince === null
    ? null
    : html`<p>
        Takes no news since
        <time datetime="${isoTime(failingSince)}">${lengthOf(between(failingSince, at))}</time>:
        ${trouble}.
      </p>`;
}

/** Of the newest news, if it was not received. Why is said once. */
function unreceivedSentence({ lastSent, trouble }: SubscriberRow): Html | null {
  if (lastSent === null || lastSent.trouble === "") return null;
  const why = lastSent.trouble === trouble ? "" : `: ${lastSent.trouble}`;
  return html`<p>Last update sent ${minuteOf(lastSent.at)}, but not received${why}.</p>`;
}
