import { subscribersListed } from "#limits/pages-limits";
import { subscribersReadAtOnce } from "#limits/status-limits";
import type { KnownReader } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { type SubscriberCount, subscribersOf } from "#service/operator/publishing/subscriber-count";
import type { ShownSubscriber } from "#service/operator/publishing/subscriber-line";
import { shownSubscriber } from "#service/operator/publishing/subscriber-removal";
import type { SubscribersShown } from "#service/operator/publishing/subscribers/subscriber-query";
import { urlOf } from "#service/status-site/news/webhook-destination";
import { type SubscriberState, subscriberState } from "#service/store/news/subscriber-state";
import type { StatusPageRow } from "#service/store/page-store";

/** How many are in each state, of those that a search and a way leave. */
export type StateCounts = { readonly [S in SubscriberState]: number };

export interface FoundSubscribers {
  readonly subscribers: readonly ShownSubscriber[];
  /** Those of all parts of the list. */
  readonly matched: number;
  readonly states: StateCounts;
  /** Of the whole page, whatever is asked for. */
  readonly count: SubscriberCount;
}

/** One part of a page's list. */
export async function foundSubscribers(
  rooms: PageRooms,
  reader: KnownReader,
  page: StatusPageRow,
  shown: SubscribersShown,
): Promise<FoundSubscribers> {
  const [found, count] = await Promise.all([
    shown.search === ""
      ? listedSubscribers(rooms, reader, page, shown)
      : searchedSubscribers(rooms, reader, page, shown),
    subscribersOf(rooms, page.id),
  ]);
  return { ...found, count };
}

/** What is found without what is counted of the whole page. */
type ListPart = Omit<FoundSubscribers, "count">;

async function listedSubscribers(
  rooms: PageRooms,
  reader: KnownReader,
  page: StatusPageRow,
  { state, way, offset }: SubscribersShown,
): Promise<ListPart> {
  const { subscribers } = rooms.store.readers;
  const asked = { page: page.id, ...(way === null ? {} : { way }) };
  const [list, all] = await Promise.all([
    subscribers.list({
      ...asked,
      ...(state === null ? {} : { state }),
      withUnsubscribed: false,
      withEnded: true,
      limit: subscribersListed,
      offset,
    }),
    subscribers.list({ ...asked, withUnsubscribed: true, limit: 1, offset: 0 }),
  ]);
  const { total, unconfirmed, ended, unsubscribed } = all;
  return {
    subscribers: list.subscribers.map((row) => shownSubscriber(rooms, row, reader)),
    matched: list.total,
    states: {
      confirmed: total - unconfirmed - ended - unsubscribed,
      unconfirmed,
      ended,
      unsubscribed,
    },
  };
}

/** Addresses are sealed where they are kept, so no question of the database finds a part of one. */
async function searchedSubscribers(
  rooms: PageRooms,
  reader: KnownReader,
  page: StatusPageRow,
  shown: SubscribersShown,
): Promise<ListPart> {
  const states = { confirmed: 0, unconfirmed: 0, ended: 0, unsubscribed: 0 };
  const matched: ShownSubscriber[] = [];
  const all = everySubscriber(rooms, reader, page, { ...shown, state: null, withLeft: true });
  for await (const one of all) {
    const state = subscriberState(one.row);
    states[state] += 1;
    if (isWanted(state, shown)) matched.push(one);
  }
  const { offset } = shown;
  return {
    subscribers: matched.slice(offset, offset + subscribersListed),
    matched: matched.length,
    states,
  };
}

const isWanted = (state: SubscriberState, wanted: SubscribersShown): boolean =>
  wanted.state === null ? state !== "unsubscribed" : state === wanted.state;

/** All parts of the list, one after another. */
export async function* everySubscriber(
  rooms: PageRooms,
  reader: KnownReader,
  page: StatusPageRow,
  { search, state, way, withLeft = false }: SubscribersShown & { readonly withLeft?: boolean },
): AsyncGenerator<ShownSubscriber> {
  const limit = subscribersReadAtOnce;
  const asked = {
    page: page.id,
    withUnsubscribed: withLeft,
    withEnded: true,
    limit,
    ...(state === null ? {} : { state }),
    ...(way === null ? {} : { way }),
  };
  for (let offset = 0; ; offset += limit) {
    const list = await rooms.store.readers.subscribers.list({ ...asked, offset });
    for (const row of list.subscribers) {
      const one = shownSubscriber(rooms, row, reader);
      if (isFound(rooms, one, search)) yield one;
    }
    if (list.subscribers.length < limit) return;
  }
}

/** By a part of what the list shows of it, or by the whole URL of a webhook. */
function isFound(rooms: PageRooms, { row, name, to }: ShownSubscriber, search: string): boolean {
  if (search === "") return true;
  const wanted = search.toLowerCase();
  if ([name, to].some((text) => text.toLowerCase().includes(wanted))) return true;
  const webhook = search.includes("://") ? rooms.readers.webhookOf(row) : null;
  return webhook !== null && urlOf(webhook.configuration) === search;
}
