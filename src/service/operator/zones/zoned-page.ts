import type { EpochMillis } from "#base/units";
import type { PageAnswer } from "#service/edge/page-answer";
import type { Reader } from "#service/operator/reader";
import { html, type Html } from "#web/page/html";
import { withZoneName } from "#web/page/zone-name";

/*
 * Times in the zone that a person chose in their profile, as the script shows them in the browser's zone to everyone
 * else. Pages write UTC; this is the one place that changes it, so no page has to know the zone of its reader. The preview
 * of a status page stays as its readers see it.
 */

/** Null of a reader who chose none: a script shows times in the browser's zone. */
export const chosenZone = (reader: Reader): string | null =>
  reader.kind !== "stranger" && reader.timeZone !== "" ? reader.timeZone : null;

/** What the script reads. */
export const zoneMark = (reader: Reader): Html | null => {
  const zone = chosenZone(reader);
  return zone === null ? null : html` data-zone="${zone}"`;
};

/**
 * At the end of each page; the script changes it if the reader chose no zone. Days are UTC, but for a page that has its
 * entries under days of the reader.
 */
export function zoneNote(reader: Reader, days: FrameDays): Html {
  const zone = chosenZone(reader) ?? "UTC";
  const name = zone.replaceAll("_", " ");
  const words =
    zone === "UTC"
      ? "Times and days are UTC."
      : days === "own"
        ? `Times and days are those of ${name}; point at a time for UTC.`
        : `Times are those of ${name}; point at one for UTC. Days are UTC.`;
  return html`<span data-zone-note="${days}">${words}</span>`;
}

/** Whose days a page has. */
export type FrameDays = "UTC" | "own";

/** A page with its times in the reader's zone, and UTC under the pointer; with the year, if that is not the one of now. */
export function zonedPage(page: PageAnswer, reader: Reader, now: EpochMillis): PageAnswer {
  if (!page.type.startsWith("text/html") || page.isAsOthersSee === true) return page;
  const zone = chosenZone(reader);
  const clock = zone === null || zone === "UTC" ? null : clockOf(zone, now);
  const body = page.body.replace(timeElement, (whole, iso: string, more: string, words: string) => {
    const [isWritten, second, named] = writtenTime.exec(words) ?? [];
    const instant = Date.parse(iso);
    if (isWritten === undefined || Number.isNaN(instant)) return whole;
    const text = withYear(words, instant, now);
    if (clock === null) return whole.replace(words, text);
    const other = /data-after="([^"]+)"/.exec(more)?.[1];
    const shown = {
      second: second !== undefined,
      zone: named !== undefined,
      weekday: weekdayBefore.test(words),
    };
    const own = clock(instant, shown, other === undefined ? now : Date.parse(other));
    const universal = named === undefined ? `${text} UTC` : text;
    return `<time datetime="${iso}"${more} title="${universal}">${own}</time`;
  });
  return { ...page, body: clock === null ? body : withZonedAxes(body, clock) };
}

/** `12 Nov 2020, 14:03 UTC`, if now is of another year. */
function withYear(words: string, instant: number, now: EpochMillis): string {
  const year = new Date(instant).getUTCFullYear();
  if (year === new Date(now).getUTCFullYear()) return words;
  return words.replace(dayBefore, (day) => `${day} ${year}`);
}

/** `Thu 12 Nov`, at the beginning of a time; the weekday may be left out. */
const dayBefore = /^\s*(?:[A-Z][a-z]{2}\s)?\d{1,2}\s[A-Z][a-z]{2,3}(?=[, ])/;
const weekdayBefore = /^\s*[A-Z][a-z]{2}\s\d/;

/** The words under a chart: its ticks are round times of UTC, which may be others here. */
const withZonedAxes = (body: string, clock: ReturnType<typeof clockOf>): string =>
  body.replace(axisText, (_, iso: string, text: string) => {
    const [, second, named] = writtenTime.exec(text) ?? [];
    const at = Date.parse(iso);
    const shown = { second: second !== undefined, zone: named !== undefined, weekday: false };
    return `>${clock(at, shown, at)}</text`;
  });

/** `data-at="…">14:05</text`, the last one with its zone. */
const axisText = /data-at="([^"]+)"\s*>([^<]*)<\/text/g;

/** What people wrote is escaped, so each of these is of a page. It may have a class, and the time that it comes after. */
const timeElement =
  /<time datetime="([^"]+)"((?:\s+(?:class|data-after)="[^"]*")*)\s*>([^<]*)<\/time/g;

/** A time of day, which may have its day before it; in lists the zone is not repeated, and what is planned is to the minute. */
const writtenTime = /\d\d:\d\d(:\d\d)?( UTC)?$/;

interface Shown {
  readonly second: boolean;
  readonly zone: boolean;
  readonly weekday: boolean;
}

/** `14:03:22 CET` of the day of `near`, `12 Nov, 14:03:22 CET` of every other day. */
function clockOf(
  timeZone: string,
  now: EpochMillis,
): (instant: number, shown: Shown, near: number) => string {
  const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat("en-GB", { ...options, timeZone });
  const [date, day] = [format({ dateStyle: "short" }), format({ day: "numeric", month: "short" })];
  const [weekday, years] = [format({ weekday: "short" }), format({ year: "numeric" })];
  const thisYear = years.format(now);
  const times = new Map<string, Intl.DateTimeFormat>();
  const timeOf = ({ second, zone }: Shown): Intl.DateTimeFormat =>
    times.getOrInsertComputed(`${second} ${zone}`, () =>
      format({
        hour: "2-digit",
        minute: "2-digit",
        ...(second ? { second: "2-digit" } : {}),
        ...(zone ? { timeZoneName: "short" } : {}),
      }),
    );
  return (instant, shown, near) => {
    const time = withZoneName(timeOf(shown).format(instant), timeZone, [instant]);
    if (date.format(instant) === date.format(near)) return time;
    const year = years.format(instant);
    const parts = [
      ...(shown.weekday ? [weekday.format(instant)] : []),
      day.format(instant).replace(" ", "\u00a0"),
    ];
    return `${parts.join("\u00a0")}${year === thisYear ? "" : ` ${year}`}, ${time}`;
  };
}
