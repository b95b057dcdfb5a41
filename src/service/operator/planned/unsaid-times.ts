import { html, type Html } from "#web/page/html";
import { undoBar } from "#service/operator/deleting/undo-bar";
import type { PageRooms } from "#service/operator/page-rooms";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { pathOfWork } from "#service/operator/planned/work-acts";
import type { PlannedStory } from "#service/operator/planned/planned-story";
import { expecting, subscribersNamed } from "#service/operator/planned/work-cancellation";

/* Planned work that was changed to other times, which its subscribers were not sent. */

/** An address that says so, so that the page there offers to tell them. */
export const withNewTimes = (path: string): string => `${path}&times=new`;

/** What leads to an update for whoever was sent the times before; null if no one was. */
export async function newTimesOffer(
  rooms: PageRooms,
  query: URLSearchParams,
  reader: KnownReader,
  { row, page, window }: PlannedStory,
): Promise<Html | null> {
  if (query.get("times") !== "new" || !mayChange(reader)) return null;
  const subscribers = page === null || window === null ? 0 : await expecting(rooms, row, page);
  if (subscribers === 0) return null;
  const path = pathOfWork(row);
  return undoBar({
    label: "Its times were changed",
    words: html`Subscribers have the times from before.`,
    undo: html`<a class="button" href="${path}/updates?fill=times"
      >Tell ${subscribersNamed(subscribers)} of the new times</a
    >`,
    close: path,
  });
}
