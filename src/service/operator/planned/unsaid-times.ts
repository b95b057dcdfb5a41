import { html, type Html } from "#web/page/html";
import { undoBar } from "#service/operator/deleting/undo-bar";
import type { PageRooms } from "#service/operator/page-rooms";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { pathOfWork } from "#service/operator/planned/work-acts";
import type { PlannedStory } from "#service/operator/planned/planned-story";
import { expecting, subscribersNamed } from "#service/operator/planned/work-cancellation";
import { finalWindow, nextWindow } from "#service/operator/planned/work-under-way";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import { repeatTexts } from "#service/status-page/texts/repeat-texts";
import { seriesOf } from "#service/status-site/planned-series";
import { repeatLines, repeatsOf } from "#service/status-site/view/repeat-rule";
import { type PageWords, periodInZone } from "#service/status-site/view/words";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { EpochMillis } from "#base/units";

/* Planned work that was changed to other times, which its subscribers were not sent. */

/** An address that says so, so that the page there offers to tell them. */
export const withNewTimes = (path: string): string => `${path}&times=new`;

/** A link to an update for whoever was sent the times before; null if no one was. */
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
    words: html`Subscribers have the times from before.
      <a href="${path}/updates?fill=times"
        >Tell ${subscribersNamed(subscribers)} of the new times</a
      >`,
    undo: null,
    close: path,
  });
}

/** What the update says at first, in the language of the page and by the clock by which the work is planned. */
export function newTimesMessage(row: MaintenanceRow, words: PageWords, at: EpochMillis): string {
  const window = nextWindow(row, at) ?? finalWindow(row);
  if (window === null) return "";
  const { from, to } = window;
  const period = periodInZone(words.locale, row.timeZone, new Date(from), new Date(to));
  const { colon, news } = words.texts;
  return [`${news.newTimes}${colon}${period}`, ...repeatLines(words, repeatsOf(row))].join("\n\n");
}

/** The same of the time that is under way, which ends later. */
export function laterMessage(row: MaintenanceRow, words: PageWords, at: EpochMillis): string {
  const window = nextWindow(row, at);
  if (window === null) return "";
  const { from, to } = window;
  const period = periodInZone(words.locale, row.timeZone, new Date(from), new Date(to));
  return `${words.texts.news.endsLater}${words.texts.colon}${period}`;
}

/** The same of work that began earlier than planned; nothing if it is not under way. */
export function begunMessage(row: MaintenanceRow, words: PageWords, at: EpochMillis): string {
  const window = nextWindow(row, at);
  if (window === null || window.from > at) return "";
  const { from, to } = window;
  const period = periodInZone(words.locale, row.timeZone, new Date(from), new Date(to));
  return `${words.texts.news.begun}${words.texts.colon}${period}`;
}

/** The same of a date on which it does not take place. */
export function skippedMessage(row: MaintenanceRow, words: PageWords, from: EpochMillis): string {
  const [one] = maintenanceOf(row).flatMap((plan) =>
    (seriesOf(plan)?.skipped ?? []).filter((time) => time.from === from),
  );
  if (one === undefined) return "";
  const period = periodInZone(words.locale, row.timeZone, new Date(one.from), new Date(one.to));
  return `${repeatTexts[words.locale].skipped}${words.texts.colon}${period}`;
}
