import { html } from "#web/page/html";
import { minuteOf } from "#web/page/moment";
import type { FormNotice } from "#service/operator/form-notice";
import type { KnownReader } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { subscriberTitle } from "#service/operator/publishing/subscriber-line";
import { shownSubscriber } from "#service/operator/publishing/subscriber-removal";

/** What the list's address says after someone added a reader who had left; null if it says nothing of that. */
export async function askedNotice(
  rooms: PageRooms,
  reader: KnownReader,
  page: number,
  query: URLSearchParams,
): Promise<FormNotice | null> {
  const part = query.get("subscriber") ?? "";
  if (query.get("notice") !== "asked" || !/^\d{1,15}$/.test(part)) return null;
  const row = await rooms.readers.get(Number(part));
  if (row?.page !== page || row.unsubscribedAt === null || row.askedAt === null) return null;
  const { title } = subscriberTitle(shownSubscriber(rooms, row, reader));
  const words = html`${title} unsubscribed ${minuteOf(row.unsubscribedAt)}, so it was not added. It
  was sent a mail that asks whether it wants announcements again. It gets them once its reader
  confirms that.`;
  return { words, isFault: false, isDoubtful: true };
}
