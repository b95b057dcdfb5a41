import { momentOf } from "#web/page/moment";
import { seeOther } from "#service/edge/page-answer";
import { removalView, tenMinutes } from "#service/operator/deleting/removal-view";
import { withUndo } from "#service/operator/deleting/undo-form";
import {
  framed,
  type KnownReader,
  mayChange,
  type OperatorForm,
  type OperatorPage,
} from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import {
  type ShownSubscriber,
  subscriberTitle,
} from "#service/operator/publishing/subscriber-line";
import {
  allSubscribers,
  listField,
  listIn,
  listText,
  subscribersAddress,
  type SubscribersShown,
  subscribersShownIn,
} from "#service/operator/publishing/subscribers/subscriber-query";
import { endingOf, hostOf } from "#service/status-site/news/webhook-destination";
import { noSubscriber } from "#service/status-site/page-refusals";
import type { StatusPageRow } from "#service/store/page-store";
import type { SubscriberRow } from "#service/store/subscriber-store";

const path = /^\/status-pages\/(?<id>\d{1,15})\/subscribers\/(?<part>\d{1,15})\/remove$/;

/** `/status-pages/ID/subscribers/ID/remove`: asks once. */
export const subscriberRemovalPage: OperatorPage = {
  role: "editor",
  path,
  answer: async ({ rooms }, { id, part, query, reader }) => {
    const { page, row } = await subscriberAt(rooms, id, part);
    const { title, kind } = subscriberTitle(shownSubscriber(rooms, row, reader));
    const asked = subscribersShownIn(query, true);
    const content = removalView({
      reader,
      back: {
        path: subscribersPath(page, asked),
        words: `Subscribers of ${page.definition.title}`,
      },
      title: `Remove the subscriber ${title}?`,
      facts: [
        ["Subscriber", kind],
        ["Added", momentOf(row.createdAt)],
      ],
      effects: [
        "It gets no more news of the page. Messages to it that are not sent yet are dropped.",
        ...(row.way === "webhook"
          ? ["Its signing secret is kept for 30 days."]
          : ["Its reader gets no word of that, and can subscribe again on the page."]),
      ],
      undo: tenMinutes,
      action: `${subscribersPath(page)}/${row.id}/remove`,
      names: [listField, listText(asked)],
      button: "Remove the subscriber",
    });
    return framed(
      { reader },
      {
        title: `Remove a subscriber · ${page.definition.title} · Picket`,
        section: "status pages",
        document: null,
        at: rooms.clock.wall(),
        content,
      },
    );
  },
};

export const subscriberRemovalForm: OperatorForm = {
  role: "editor",
  path,
  act: async ({ rooms }, { id, part, form }) => {
    const { page, row } = await subscriberAt(rooms, id, part);
    await rooms.readers.remove(row);
    return seeOther(withUndo(subscribersPath(page, listIn(form)), "subscriber", [row.id]));
  },
};

export const subscribersPath = (
  { id }: StatusPageRow,
  shown: SubscribersShown = allSubscribers,
): string => subscribersAddress(`/status-pages/${id}/subscribers`, shown);

export async function subscriberAt(
  { statusPages, readers }: PageRooms,
  id: string,
  part: string,
): Promise<{ readonly page: StatusPageRow; readonly row: SubscriberRow }> {
  const page = await statusPages.get(id);
  const row = await readers.get(Number(part));
  if (row?.page !== page.id) throw noSubscriber(part);
  return { page, row };
}

/** Whoever may not change the page sees neither names nor where news go. */
export function shownSubscriber(
  { readers }: PageRooms,
  row: SubscriberRow,
  reader: KnownReader,
): ShownSubscriber {
  if (!mayChange(reader)) return { row, name: "", to: "", ending: "" };
  const webhook = readers.webhookOf(row);
  const to = webhook === null ? (readers.addressOf(row) ?? "") : hostOf(webhook);
  return { row, name: row.name, to, ending: webhook === null ? "" : endingOf(webhook) };
}
