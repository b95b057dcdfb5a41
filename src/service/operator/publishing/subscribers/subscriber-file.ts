import type { PageAnswer } from "#service/edge/page-answer";
import type { OperatorPage } from "#service/operator/page-request";
import type { ShownSubscriber } from "#service/operator/publishing/subscriber-line";
import { everySubscriber } from "#service/operator/publishing/subscribers/found-subscribers";
import { subscribersCsv } from "#service/operator/publishing/subscribers/subscriber-documents";
import { subscribersShownIn } from "#service/operator/publishing/subscribers/subscriber-query";

/** `/status-pages/ID/subscribers.csv`: those that the list shows, of all its parts, with their addresses. */
export const subscriberFilePage: OperatorPage = {
  role: "editor",
  path: /^\/status-pages\/(?<id>\d{1,15})\/subscribers\.csv$/,
  answer: async ({ rooms }, { id, query, reader }): Promise<PageAnswer> => {
    const content = await rooms.statusPages.content((await rooms.statusPages.get(id)).id);
    const { page } = content;
    const shown = subscribersShownIn(query, true);
    const all: ShownSubscriber[] = [];
    for await (const one of everySubscriber(rooms, reader, page, shown)) all.push(one);
    const file = `subscribers-${page.definition.slug}.csv`;
    return {
      status: 200,
      type: "text/csv; charset=utf-8",
      body: subscribersCsv(all, content),
      headers: { "content-disposition": `attachment; filename="${file}"` },
    };
  },
};
