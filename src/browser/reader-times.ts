import { withZoneName } from "#browser/reader-zone";

/*
 * The times of a status page in the zone of its reader, with the zone named, as the page's language writes them, and past
 * reports and maintenance under the days of that zone; that of the page is under the pointer. Without this script they are in the page's zone, and say so. Days of bars
 * are days of UTC.
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
  const past = page.querySelector<HTMLElement>("[data-days]");
  if (past !== null) putUnderOwnDays(past, page);
}

/** The instant at which the day of a time begins. */
const dayOf = (at: string | undefined): number => new Date(at ?? "").setHours(0, 0, 0, 0);

/** A report or planned work, and on which days something was said of it; a report that is open has no last day. */
interface PastEvent {
  readonly event: Element;
  readonly first: number;
  readonly last: number;
}

function reportIn(event: Element, past: HTMLElement): PastEvent {
  const said = [...event.querySelectorAll<HTMLTimeElement>(".updates time")];
  const last = past.contains(event) ? dayOf(said[0]?.dateTime) : Number.POSITIVE_INFINITY;
  return { event, first: dayOf(said.at(-1)?.dateTime), last };
}

function workIn(event: Element): PastEvent {
  const time = event.querySelector<HTMLTimeElement>(".period time");
  return { event, first: dayOf(time?.dateTime), last: dayOf(time?.dataset["until"]) };
}

/** The days from today back as the service has them in UTC: those of reports and maintenance, and between them those without any. */
function putUnderOwnDays(past: HTMLElement, page: Document): void {
  const all = [...page.querySelectorAll(".report")].flatMap((event): PastEvent | [] => {
    if (!event.classList.contains("planned")) return reportIn(event, past);
    return past.contains(event) ? workIn(event) : [];
  });
  const shown: Element[] = [...past.querySelectorAll("h2")];
  let quiet: number[] = [];
  const endQuiet = (): void => {
    const dates = [...new Set([quiet.at(-1), quiet[0]])].map((one) => dayMonth.format(one));
    const words = `${dates.join(" – ")}${past.dataset["quiet"] ?? ""}`;
    if (quiet.length > 0) shown.push(made("p", words, "no-reports"));
    quiet = [];
  };
  const day = new Date(dayOf(past.dataset["now"]));
  for (let left = Number(past.dataset["days"]); left > 0; left -= 1) {
    const at = day.getTime();
    const ended = all.flatMap(({ event, last }) => (last === at ? event : []));
    if (ended.length > 0 || all.some(({ first, last }) => first <= at && at <= last)) endQuiet();
    else quiet.push(at);
    if (ended.length > 0) shown.push(made("h3", date.format(at)), ...ended);
    day.setDate(day.getDate() - 1);
  }
  endQuiet();
  past.replaceChildren(...shown);
}

const date = new Intl.DateTimeFormat(tag, { dateStyle: "medium" });
const dayMonth = new Intl.DateTimeFormat(tag, { day: "numeric", month: "short" });

function made(name: "h3" | "p", words: string, look = ""): Element {
  const element = document.createElement(name);
  element.textContent = words;
  if (look !== "") element.className = look;
  return element;
}

showAll(document);
document.addEventListener("fetched", (event) => {
  if (event instanceof CustomEvent && event.detail instanceof Document) showAll(event.detail);
});
