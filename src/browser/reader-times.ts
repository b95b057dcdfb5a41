import { withZoneName } from "#browser/reader-zone";

/*
 * The times of a status page in the zone of its reader, with the zone named, as the page's language writes them; that of the
 * page is under the pointer. Without this script they are in the page's zone, and say so. Days stay days of UTC.
 */

const { lang } = document.documentElement;
/** The other languages have abbreviations of a zone where their readers know one. */
const named = (text: string, ...instants: readonly Date[]): string =>
  lang === "en" ? withZoneName(text, ...instants) : text.replaceAll("GMT-", "GMT−");
const tag = lang === "en" ? "en-GB" : lang;
// In English, days come before months, and the clock has 24 hours, as on the page itself. "numeric" hours are those that the
// language has in its short times, for example 8:30 in Hindi and 08:30 in German.
const format = new Intl.DateTimeFormat(tag, {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
});

/** Of one of the days on which something repeats. */
const weekday = new Intl.DateTimeFormat(tag, {
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

/** What some hours of a bar were. */
function showHour({ dataset, firstElementChild: title }: SVGElement): void {
  const [from, to] = [dataset["from"], dataset["until"]].map((text) => new Date(text ?? ""));
  if (title === null || from === undefined || to === undefined) return;
  title.textContent = `${named(format.formatRange(from, to), from, to)}${dataset["rest"] ?? ""}`;
}

function showAll(page: Document): void {
  const first = page.querySelector("time")?.textContent.trim() ?? "";
  if (format.resolvedOptions().timeZone === "UTC" && first.endsWith("UTC")) return;
  for (const time of page.querySelectorAll("time")) show(time);
  for (const hour of page.querySelectorAll<SVGElement>("[data-rest]")) showHour(hour);
}

showAll(document);
document.addEventListener("fetched", (event) => {
  if (event instanceof CustomEvent && event.detail instanceof Document) showAll(event.detail);
});
