import { dayDownLong, dayPlannedDrawn, groupDayPartsSaid } from "#limits/status-limits";
import { barOfDays, barShapes, type DrawnDay, type SaidOfDays } from "#web/page/chart/uptime-bar";
import { html, type Html } from "#web/page/html";
import { type DayState, dayStates, type SeenDay } from "#service/status-page/component-days";
import type { GroupDay } from "#service/status-page/group-days";
import { componentsOf, type PageModel } from "#service/status-page/page-model";
import type { PageWords } from "#service/status-site/view/words";
import { isoTime } from "#web/page/format";
import { after, hours as hoursLong, millis } from "#base/units";

/** A day of a component, or of a group of them. */
type ShownDay = SeenDay | GroupDay;

/** What a bar shows of a component or a group: its days from one on, or its newest hours if it is young. */
export interface ShownBars {
  readonly days: readonly ShownDay[];
  readonly firstDay: number;
  readonly hours: readonly ShownDay[] | null;
}

/**
 * The bars as one picture that says the same in a sentence, and a list of the bad days for everyone. What was before the
 * first data is no part of what is said.
 */
export function daysBar(shown: ShownBars, words: PageWords, share: Html | null = null): Html {
  const { days, firstDay, hours } = shown;
  const drawn = hours ?? days;
  const bad = drawn.slice(daysBefore(drawn)).filter(isBad).toReversed();
  const scale = hours === null ? ofDays : ofHours;
  return html`${pictureOf(drawn, hours === null ? firstDay : 0, words, scale)}
    <p class="range">
      <span>${beginWords(shown, words)}</span>
      ${share}
      <span>${hours === null ? words.daysAgo(0) : words.hoursAgo(0)}</span>
    </p>
    ${bad.length === 0 ? null : badDays(bad, words, scale)}`;
}

/** What a bar stands for: how many there are is said by this name, and each by when it was. */
interface BarScale {
  readonly name: (texts: PageWords["texts"]) => string;
  /** What the list of the bad ones is called, and when each of them was. */
  readonly bad: (texts: PageWords["texts"]) => string;
  readonly when: (day: ShownDay, words: PageWords) => Html | string;
  readonly run: (first: ShownDay, last: ShownDay, rest: string, words: PageWords) => RunWords;
}
type RunWords = Pick<SaidOfDays, "words" | "time">;

const ofDays: BarScale = {
  name: (texts) => texts.days,
  bad: (texts) => texts.daysWithTrouble,
  when: ({ begin }, { date }) => date(begin),
  run: (first, last, rest, { dayAndMonth }) => {
    const dates = [...new Set([first, last])].map(({ begin }) => dayAndMonth(begin));
    return { words: `${dates.join(" – ")}${rest}` };
  },
};

const ofHours: BarScale = {
  name: (texts) => texts.hours,
  bad: (texts) => texts.hoursWithTrouble,
  when: ({ begin }, { period }) => {
    const end = after(begin, hourLength);
    return html`<time datetime="${isoTime(begin)}" data-until="${isoTime(end)}"
      >${period(begin, end)}</time
    >`;
  },
  run: (first, last, rest, { period }) => {
    const end = after(last.begin, hourLength);
    const time = { from: isoTime(first.begin), to: isoTime(end), rest };
    return { words: `${period(first.begin, end)}${rest}`, time };
  },
};
const hourLength = hoursLong(1);

function pictureOf(
  all: readonly ShownDay[],
  firstDay: number,
  words: PageWords,
  scale: BarScale,
): Html {
  const before = daysBefore(all);
  const drawn = all.map((day, index) => (index < before ? notYet : drawnDay(day)));
  const said = wordsOfDays(all.slice(Math.max(firstDay, before)), words, scale).map((one) => ({
    ...one,
    first: one.first + Math.max(0, before - firstDay),
  }));
  const sum = sentence(all.slice(before), words, scale);
  return barOfDays(drawn.slice(firstDay), sum, said, shapesId);
}

/** The shape of all bars of a page, which has it once. */
export const dayShapes = (days: number): Html => barShapes(days, shapesId);
const shapesId = "bars";

/** How many bars each of its components has. */
export const barsIn = (model: PageModel): number =>
  componentsOf(model)
    .map(({ days, hours }) => hours?.length ?? days.length - model.firstDay)
    .reduce((most, one) => Math.max(most, one), 0);

/** Days before anything was known of it: a new page has nothing else. */
function daysBefore(days: readonly SeenDay[]): number {
  const first = days.findIndex(({ state }) => state !== "empty");
  return first === -1 ? days.length : first;
}

/** When the first bar is: the same below all bars of a page. */
function beginWords({ days, firstDay, hours }: ShownBars, words: PageWords): string {
  if (daysBefore(days) === days.length) return words.texts.noDataYet;
  return hours === null ? words.daysAgo(days.length - firstDay - 1) : words.hoursAgo(hours.length);
}

/** What is to be known of the bars above it: since when there is data, if they begin before, what a day is, and what a group shows. */
export function daysNote(
  components: readonly (readonly SeenDay[])[],
  firstDay: number,
  words: PageWords,
  { hasGroup, areHours }: { readonly hasGroup: boolean; readonly areHours: boolean },
): Html {
  const { texts } = words;
  const isYoung = components.every((days) => daysBefore(days) > firstDay);
  const since = isYoung ? sinceWords(components, words) : "";
  const bars = areHours ? texts.barsAreHours : `${since}${texts.daysAreUtc}`;
  const worst = hasGroup ? ` ${texts.groupsAreWorst}` : "";
  return html`<p class="words">${bars}${worst}</p>`;
}

/** Since when there is data. Of a page that was made today it says why there is one bar at most. */
function sinceWords(
  components: readonly (readonly SeenDay[])[],
  { texts, dayAndMonth }: PageWords,
): string {
  const first = components
    .flatMap((days) => days[daysBefore(days)] ?? [])
    .toSorted((a, b) => a.begin - b.begin)[0];
  if (first === undefined) return `${texts.countingBegins} `;
  const isToday = components.some((days) => days.at(-1)?.begin === first.begin);
  if (isToday) return `${texts.countingBegan} `;
  return `${texts.dataSince(dayAndMonth(first.begin))} · `;
}

const barStates: { readonly [S in DayState]: DrawnDay["state"] } = {
  operational: "up",
  degraded: "slow",
  down: "down",
  maintenance: "planned",
  empty: "none",
};

const notYet: DrawnDay = { state: "before", foot: null };

/** All bars are of one height; their colours say how bad a day was: light red of a short outage, measured or reported, and blue of long maintenance. */
function drawnDay({ state, down, reported, planned }: SeenDay): DrawnDay {
  // Some minutes of work do not make a blue day: its words have them.
  if (state === "maintenance" && planned < dayPlannedDrawn)
    return { state: "up", foot: null, isCut: false };
  const isShort = state === "down" && Math.max(down, reported) < dayDownLong;
  return {
    state: isShort ? "partly" : barStates[state],
    foot: null,
    isCut: state === "down" || state === "degraded",
  };
}

/** Good days in a row are one, so that a page of many components stays small. */
function wordsOfDays(
  days: readonly ShownDay[],
  words: PageWords,
  scale: BarScale,
): readonly SaidOfDays[] {
  const all: SaidOfDays[] = [];
  for (let first = 0; first < days.length;) {
    const other = days.slice(first + 1).findIndex((one) => !isSaidAlike(one, days[first]));
    const count = other === -1 ? days.length - first : other + 1;
    const [day, last] = [days[first], days[first + count - 1]];
    if (day === undefined || last === undefined) return all;
    const rest = `${words.texts.colon}${wordsOfDay(day, words)}`;
    all.push({ first, count, ...scale.run(day, last, rest, words) });
    first += count;
  }
  return all;
}

/** Bad days are said one by one. */
const isSaidAlike = (day: SeenDay, first: SeenDay | undefined): boolean =>
  first !== undefined &&
  day.state === first.state &&
  day.planned === first.planned &&
  day.titles.join() === first.titles.join() &&
  ![first, day].some(isBad);

/** A bad day of a group says of each component that was bad what it was. What people reported says why. */
const wordsOfDay = (day: ShownDay, words: PageWords): string =>
  [...("parts" in day && isBad(day) ? wordsOfParts(day, words) : [seenWords(day, words)])]
    .concat([...new Set(day.titles)])
    .join(" · ");

/** `Shop: down for 12 minutes`, the longest first; past some it is said how many there are more. */
function wordsOfParts({ parts }: GroupDay, words: PageWords): readonly string[] {
  const bad = parts
    .filter(({ day }) => isBad(day))
    .toSorted(({ day: a }, { day: b }) => b.down - a.down);
  const said = bad
    .slice(0, groupDayPartsSaid)
    .map(({ name, day }) => `${name}${words.texts.colon}${seenWords(day, words)}`);
  return bad.length > said.length ? [...said, `+${words.number(bad.length - said.length)}`] : said;
}

/** A moment of downtime on a good day is downtime anyway. */
const seenWords = (
  { state, down, planned }: SeenDay,
  { texts, duration, length }: PageWords,
): string => {
  const seen = down > 0 ? texts.downFor(duration(down)) : texts.day[state];
  return state === "maintenance" && down === 0 && planned > 0
    ? `${seen} (${length(planned)})`
    : seen;
};

const isBad = ({ state, down }: SeenDay): boolean =>
  down > 0 || state === "down" || state === "degraded";

/** `Days: 90. Operational: 84. Down: 2 (31 min).` How long a group was down is said of its components alone. */
function sentence(
  days: readonly ShownDay[],
  { texts, number, length }: PageWords,
  scale: BarScale,
): string {
  if (days.length === 0) return texts.noDataYet;
  const down = millis(days.reduce((sum, day) => sum + ("parts" in day ? 0 : day.down), 0));
  const parts = dayStates.flatMap((state) => {
    const many = days.filter((day) => day.state === state).length;
    const figure = `${texts.day[state]}${texts.colon}${number(many)}`;
    if (many === 0) return [];
    return [state === "down" && down > 0 ? `${figure} (${length(down)})` : figure];
  });
  return `${scale.name(texts)}${texts.colon}${number(days.length)}. ${parts.join(". ")}.`;
}

const badDays = (bad: readonly ShownDay[], words: PageWords, scale: BarScale): Html =>
  html`<details class="bad">
    <summary>${scale.bad(words.texts)}${words.texts.colon}${words.number(bad.length)}</summary>
    <ul>
      ${bad.map(
        (day) =>
          html`<li>${scale.when(day, words)}${words.texts.colon}${wordsOfDay(day, words)}</li>`,
      )}
    </ul>
  </details>`;
