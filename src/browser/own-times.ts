import { groupByOwnDays } from "#browser/own-days";
import { readerZone as timeZone, withZoneName } from "#browser/reader-zone";

/*
 * Times in the zone of the reader, with the zone named; UTC is under the pointer. Without this script they are UTC, and
 * say so. If a person chose a zone, the service has shown them in it already.
 */

/** What the service wrote: a time of day, with its day unless that is today. In lists the zone is not repeated, and what is planned is to the minute. */
const written = /\d\d:\d\d(:\d\d)?( UTC)?$/;

/** `Thu 12 Nov`: of what is planned. */
const weekdayBefore = /^\s*[A-Z][a-z]{2}\s\d/;

/** Begins to show each time of the page in the reader's zone, also those that a renewal brings. */
export function showOwnTimes(): void {
  if (timeZone === "UTC" || timeZone === "") return;
  const page = document.body;
  groupByOwnDays(page);
  show(page);
  // What it changes itself no longer ends with UTC.
  new MutationObserver(() => show(page)).observe(page, {
    childList: true,
    subtree: true,
    characterData: true,
  });
}

function show(page: HTMLElement): void {
  for (const time of page.querySelectorAll("time")) {
    const { dateTime, textContent } = time;
    const instant = new Date(dateTime);
    const [isWritten, second, zone] = written.exec(textContent) ?? [];
    // One that has UTC under the pointer is shown already.
    if (isWritten === undefined || time.title !== "" || Number.isNaN(instant.getTime())) continue;
    const isShort = zone === undefined;
    // An end says its day if that is not the one of its beginning.
    const near = time.dataset["after"] === undefined ? new Date() : new Date(time.dataset["after"]);
    const own = ownTime(
      instant,
      near,
      (isShort ? short : zoned)[second === undefined ? "minute" : "second"],
      weekdayBefore.test(textContent),
    );
    time.title = isShort ? `${textContent} UTC` : textContent;
    time.textContent = own;
  }
  for (const tick of page.querySelectorAll("text[data-at]")) {
    const [, second, zone] = written.exec(tick.textContent) ?? [];
    const format = (zone === undefined ? short : zoned)[second === undefined ? "minute" : "second"];
    const at = new Date(tick.getAttribute("data-at") ?? "");
    tick.textContent = withZoneName(format.format(at), at);
    tick.removeAttribute("data-at");
  }
  for (const note of page.querySelectorAll("[data-zone-note]")) {
    const words = note.getAttribute("data-zone-note") === "own" ? ownDaysNote : zoneNote;
    if (note.textContent !== words) note.textContent = words;
  }
}

const zoneName = timeZone.replaceAll("_", " ");
const zoneNote = `Times are those of ${zoneName}; point at one for UTC. Days are UTC.`;
const ownDaysNote = `Times and days are those of ${zoneName}; point at a time for UTC.`;

const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "short", timeZone });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone });
const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "short", timeZone });
const yearOf = new Intl.DateTimeFormat("en-GB", { year: "numeric", timeZone });
const toMinutes = { hour: "2-digit", minute: "2-digit", timeZone } as const;
const toSeconds = { ...toMinutes, second: "2-digit" } as const;
const short = {
  minute: new Intl.DateTimeFormat("en-GB", toMinutes),
  second: new Intl.DateTimeFormat("en-GB", toSeconds),
};
const zoned = {
  minute: new Intl.DateTimeFormat("en-GB", { ...toMinutes, timeZoneName: "short" }),
  second: new Intl.DateTimeFormat("en-GB", { ...toSeconds, timeZoneName: "short" }),
};

/** `14:03:22 CET` of the day of `near`, `12 Nov, 14:03:22 CET` of every other day, with the year if that is not this one. */
const ownTime = (
  instant: Date,
  near: Date,
  format: Intl.DateTimeFormat,
  hasWeekday: boolean,
): string => {
  const own = withZoneName(format.format(instant), instant);
  if (date.format(instant) === date.format(near)) return own;
  const name = hasWeekday ? `${weekday.format(instant)}\u00a0` : "";
  const year = yearOf.format(instant);
  const after = year === yearOf.format(new Date()) ? "" : ` ${year}`;
  return `${name}${day.format(instant).replace(" ", "\u00a0")}${after}, ${own}`;
};
