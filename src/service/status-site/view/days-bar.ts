import { dayDownLong } from "#limits/status-limits";
import { barOfDays, type DrawnDay, type SaidOfDays } from "#web/page/chart/uptime-bar";
import { html, type Html } from "#web/page/html";
import { type ComponentDay, type DayState, dayStates } from "#service/status-page/component-days";
import type { PageWords } from "#service/status-site/view/words";
import { millis } from "#base/units";

/**
 * A component's days from one on, as one picture that says the same in a sentence, and a list of the bad ones for everyone. What
 * was before its first data is no part of what is said.
 */
export function daysBar(
  all: readonly ComponentDay[],
  firstDay: number,
  words: PageWords,
  share: Html | null = null,
): Html {
  const before = daysBefore(all);
  const drawn = all.map((day, index) => (index < before ? notYet : drawnDay(day)));
  const known = all.slice(before);
  const bad = known.filter(isBad).toReversed();
  const said = wordsOfDays(all.slice(Math.max(firstDay, before)), words).map((one) => ({
    ...one,
    first: one.first + Math.max(0, before - firstDay),
  }));
  return html`${barOfDays(drawn.slice(firstDay), sentence(known, words), said)}
    <p class="range">
      <span>${beginWords(all.length - firstDay, known, words)}</span>
      ${share}
      <span>${words.daysAgo(0)}</span>
    </p>
    ${bad.length === 0 ? null : badDays(bad, words)}`;
}

/** Days before anything was known of it: a new page has nothing else. */
function daysBefore(days: readonly ComponentDay[]): number {
  const first = days.findIndex(({ state }) => state !== "empty");
  return first === -1 ? days.length : first;
}

/** When the first bar is: the same below all bars of a page. */
function beginWords(
  drawn: number,
  known: readonly ComponentDay[],
  { texts, daysAgo }: PageWords,
): string {
  return known.length === 0 ? texts.noDataYet : daysAgo(drawn - 1);
}

/** What is to be known of the bars above it: since when there is data, if they begin before, and what a day is. */
export function daysNote(
  components: readonly (readonly ComponentDay[])[],
  firstDay: number,
  { texts, dayAndMonth }: PageWords,
): Html {
  const first = components
    .flatMap((days) => days[daysBefore(days)] ?? [])
    .toSorted((a, b) => a.begin - b.begin)[0];
  const isYoung = first !== undefined && components.every((days) => daysBefore(days) > firstDay);
  const since = isYoung ? html`${texts.dataSince(dayAndMonth(first.begin))} · ` : null;
  return html`<p class="words">${since}${texts.daysAreUtc}</p>`;
}

const barStates: { readonly [S in DayState]: DrawnDay["state"] } = {
  operational: "up",
  degraded: "slow",
  down: "down",
  maintenance: "planned",
  empty: "none",
};

const notYet: DrawnDay = { state: "before", foot: null };

/** All bars are of one height; their colours say how bad a day was: light red of a short outage. If people alone say that it was down, no one knows for how long. */
function drawnDay({ state, down, impact }: ComponentDay): DrawnDay {
  const isShort = state === "down" && down > 0 && down < dayDownLong && impact !== "major_outage";
  return {
    state: isShort ? "partly" : barStates[state],
    foot: null,
    isCut: state === "down" || state === "degraded",
  };
}

/** Good days in a row are one, so that a page of many components stays small. */
function wordsOfDays(days: readonly ComponentDay[], words: PageWords): readonly SaidOfDays[] {
  const all: SaidOfDays[] = [];
  for (let first = 0; first < days.length;) {
    const rest = days.slice(first + 1).findIndex((day) => !isSaidAlike(day, days[first]));
    const count = rest === -1 ? days.length - first : rest + 1;
    all.push({ first, count, words: wordsOfRun(days.slice(first, first + count), words) });
    first += count;
  }
  return all;
}

/** Bad days are said one by one. */
const isSaidAlike = (day: ComponentDay, first: ComponentDay | undefined): boolean =>
  first !== undefined &&
  day.state === first.state &&
  day.titles.join() === first.titles.join() &&
  ![first, day].some(isBad);

/** `25 Nov: down for 12 minutes`, `8 Nov – 24 Nov: Operational`. */
function wordsOfRun(days: readonly ComponentDay[], words: PageWords): string {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return "";
  const dates = [...new Set([first, last])].map(({ begin }) => words.dayAndMonth(begin));
  return `${dates.join(" – ")}${words.texts.colon}${wordsOfDay(first, words)}`;
}

/** A moment of downtime on a good day is downtime anyway. What people reported says why. */
function wordsOfDay({ state, down, titles }: ComponentDay, words: PageWords): string {
  const { texts, duration } = words;
  const said = down > 0 ? texts.downFor(duration(down)) : texts.day[state];
  return [said, ...new Set(titles)].join(" · ");
}

const isBad = ({ state, down }: ComponentDay): boolean =>
  down > 0 || state === "down" || state === "degraded";

/** `Days: 90. Operational: 84. Down: 2 (31 min).` */
function sentence(days: readonly ComponentDay[], { texts, number, length }: PageWords): string {
  if (days.length === 0) return texts.noDataYet;
  const down = millis(days.reduce((sum, day) => sum + day.down, 0));
  const parts = dayStates.flatMap((state) => {
    const many = days.filter((day) => day.state === state).length;
    const figure = `${texts.day[state]}${texts.colon}${number(many)}`;
    if (many === 0) return [];
    return [state === "down" && down > 0 ? `${figure} (${length(down)})` : figure];
  });
  return `${texts.days}${texts.colon}${number(days.length)}. ${parts.join(". ")}.`;
}

const badDays = (bad: readonly ComponentDay[], words: PageWords): Html =>
  html`<details class="bad">
    <summary>${words.texts.daysWithTrouble}${words.texts.colon}${words.number(bad.length)}</summary>
    <ul>
      ${bad.map(
        (day) =>
          html`<li>${words.date(day.begin)}${words.texts.colon}${wordsOfDay(day, words)}</li>`,
      )}
    </ul>
  </details>`;
