import { withZoneName } from "#browser/reader-zone";

/*
 * The times of a status page in the zone of its reader, with the zone named, as the page's language writes them; UTC is
 * under the pointer. Without this script they are UTC, and say so. Days of bars are days of UTC.
 */

const { lang } = document.documentElement;
/** The other languages have abbreviations of a zone where their readers know one. */
const named = (text: string, ...instants: readonly Date[]): string =>
  lang === "en" ? withZoneName(text, ...instants) : text.replaceAll("GMT-", "GMT−");
// In English, days come before months, and the clock has 24 hours, as on the page itself.
const format = new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
});

/** Of one of the days on which something repeats. */
const weekday = new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, {
  weekday: "short",
  day: "numeric",
  month: "short",
});

/** A time, or a period whose end is next to its begin. */
function show(time: HTMLTimeElement): void {
  const [from, to] = [time.dateTime, time.dataset["until"]].map((text) => new Date(text ?? ""));
  if (from === undefined || Number.isNaN(from.getTime())) return;
  if (time.dataset["day"] !== undefined) {
    time.textContent = weekday.format(from);
    return;
  }
  time.title = time.textContent;
  time.textContent =
    to === undefined || Number.isNaN(to.getTime())
      ? named(format.format(from), from)
      : named(format.formatRange(from, to), from, to);
}

function showAll(page: Document): void {
  if (format.resolvedOptions().timeZone === "UTC") return;
  for (const time of page.querySelectorAll("time")) show(time);
}

showAll(document);
document.addEventListener("fetched", (event) => {
  if (event instanceof CustomEvent && event.detail instanceof Document) showAll(event.detail);
});
