import { counted, grouped } from "#web/page/format";
import type { PageRooms } from "#service/operator/page-rooms";

/** How many subscribe to a page. Whoever has not confirmed, and what its receiver ended, gets nothing, so neither counts. */
export interface SubscriberCount {
  readonly confirmed: number;
  readonly unconfirmed: number;
  readonly ended: number;
}

/** As a list of all of them counts them. */
const subscriberCount = ({
  total,
  unconfirmed,
  ended,
}: Omit<SubscriberCount, "confirmed"> & { readonly total: number }): SubscriberCount => ({
  confirmed: total - unconfirmed - ended,
  unconfirmed,
  ended,
});

/** Those of a page now. */
export async function subscribersOf(
  { store }: Pick<PageRooms, "store">,
  page: number,
): Promise<SubscriberCount> {
  const asked = { page, withUnsubscribed: false, withEnded: true, limit: 1, offset: 0 };
  return subscriberCount(await store.readers.subscribers.list(asked));
}

/** Those of a page, and how many of them get news about some of its components. */
export interface Audience extends SubscriberCount {
  readonly concerned: number;
}

/** Those of news about some components of a page; about none: about the page as a whole. */
export async function audienceOf(
  rooms: Pick<PageRooms, "store">,
  page: number,
  components: readonly number[],
): Promise<Audience> {
  const [all, concerned] = await Promise.all([
    subscribersOf(rooms, page),
    rooms.store.readers.subscribers.concerned({ page, components }),
  ]);
  return { ...all, concerned };
}

/** `2 subscribers, 1 not confirmed yet, and 1 ended`. */
export function subscriberWords({ confirmed, unconfirmed, ended }: SubscriberCount): string {
  const rest = [
    ...(unconfirmed === 0 ? [] : [unconfirmedWords(unconfirmed)]),
    ...(ended === 0 ? [] : [`${grouped(ended)} ended`]),
  ];
  const first = counted(confirmed, "subscriber");
  const [one, two] = rest;
  if (one === undefined) return first;
  return two === undefined ? `${first}, and ${one}` : `${first}, ${one}, and ${two}`;
}

const unconfirmedWords = (count: number): string => `${grouped(count)} not confirmed yet`;

/** What a form says of them before something is sent. */
export function audienceSentence(audience: Audience): string {
  const { confirmed, unconfirmed, ended } = audience;
  if (confirmed === 0)
    return unconfirmed === 0
      ? ended === 0
        ? "No one has subscribed to the page yet."
        : `The page has no subscriber now: ${grouped(ended)} ${ended === 1 ? "has" : "have"} ended.`
      : `No subscriber of the page has confirmed yet: ${grouped(unconfirmed)} ${unconfirmed === 1 ? "has" : "have"} a mail with a link, and ${unconfirmed === 1 ? "gets" : "get"} nothing before that.`;
  const apart =
    unconfirmed === 0
      ? ""
      : ` ${grouped(unconfirmed)} ${unconfirmed === 1 ? "has" : "have"} not confirmed yet, and ${unconfirmed === 1 ? "gets" : "get"} nothing before that.`;
  return `${concernedWords(audience)}${apart}`;
}

/** Those who chose components get what is about these alone. */
function concernedWords({ concerned, confirmed }: Audience): string {
  if (concerned === confirmed)
    return `${counted(confirmed, "subscriber")} ${confirmed === 1 ? "gets" : "get"} it.`;
  if (concerned > 0)
    return `${grouped(concerned)} of ${counted(confirmed, "subscriber")} ${concerned === 1 ? "gets" : "get"} it: the others chose other components.`;
  return confirmed === 1
    ? "The subscriber does not get it: it chose other components."
    : `None of the ${counted(confirmed, "subscriber")} gets it: they chose other components.`;
}
