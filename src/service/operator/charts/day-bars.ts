import {
  badDays,
  type Day,
  dayLength,
  daysBefore,
  daysInWords,
  downQuartersOf,
  stateOfDay,
} from "#web/page/chart/calendar";
import { type BarState, uptimeAxis } from "#web/page/chart/uptime-bar";
import type { ChartMark } from "#web/page/chart/chart-marks";
import { counted, downtimeOf, grouped, isoTime, monthDay, timeOfDay } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import { dayQuery } from "#service/operator/charts/time-range";
import { after, type EpochMillis, type Millis, millis } from "#base/units";

/**
 * A monitor's days, each of which says what happened on it: under the pointer, with the focus, and in a list below. A day
 * that was not well has the focus once, the others never: a key for each of 90 days would be in the way. The bars of a
 * young monitor are of `hours`.
 */
export function dayBars(
  monitor: number,
  days: readonly Day[],
  incidents: readonly ChartMark[],
  hours: readonly Day[] | null = null,
): Html {
  const bad = badDays(days).map((day) => badDay(monitor, day, barWords(day, incidents, ofDays)));
  const first = firstDataWords(days[daysBefore(days)]);
  const [shown, scale] = hours === null ? [days, ofDays] : [hours, ofHours];
  const said = daysInWords(shown, shown.map(stateOfDay), scale.unit);
  return html`<ol class="${barsClass(hours)}" aria-label="${said}">
      ${barsOf(shown, incidents, scale)}
    </ol>
    ${hours === null && days.length < axisDaysMin ? null : uptimeAxis(shown, scale.length)}
    <p class="words">${said}.${first} Days are UTC.</p>
    ${badDayList(bad)}`;
}

/** Words under the pointer begin at a bar in the left half, and end at one in the right half. */
const barsClass = (hours: readonly Day[] | null): string => {
  if (hours === null) return "day-bars";
  return hours.length > 24 ? "day-bars of-days" : "day-bars of-day";
};

/** What a bar stands for, by its length and its name. */
interface BarScale {
  readonly unit: "day" | "hour";
  readonly length: Millis;
  readonly named: (begin: EpochMillis) => string;
  /** The same with its times as marks, which a script shows in the reader's zone. */
  readonly marked: (begin: EpochMillis) => Html;
}

const ofDays: BarScale = {
  unit: "day",
  length: dayLength,
  named: monthDay,
  marked: (begin) => html`${monthDay(begin)}`,
};

const hour = millis(dayLength / 24);
const minuteOf = (instant: EpochMillis): string => timeOfDay(instant).slice(0, 5);
/** `30 Nov, 13:00 to 14:00 UTC`. */
const ofHours: BarScale = {
  unit: "hour",
  length: hour,
  named: (begin) => `${monthDay(begin)}, ${minuteOf(begin)} to ${minuteOf(after(begin, hour))} UTC`,
  marked: (begin) => {
    const end = after(begin, hour);
    return html`<time datetime="${isoTime(begin)}">${monthDay(begin)}, ${minuteOf(begin)}</time> to
      <time datetime="${isoTime(end)}" data-after="${isoTime(begin)}">${minuteOf(end)} UTC</time>`;
  },
};

function barsOf(
  shown: readonly Day[],
  incidents: readonly ChartMark[],
  scale: BarScale,
): readonly Html[] {
  const before = daysBefore(shown);
  return shown.map((one, index) =>
    index < before
      ? bar(one, "before", "no data yet", scale)
      : bar(one, stateOfDay(one), barWords(one, incidents, scale), scale),
  );
}

/** An axis of fewer days would have hours, which no bar is of. */
const axisDaysMin = 3;

/** What the bars of days that were not well stand for: of the newest in view, of the others folded. */
function badDayList(bad: readonly Html[]): Html | null {
  if (bad.length === 0) return null;
  const list = (days: readonly Html[]): Html =>
    html`<ul class="remarks bad-days">
      ${days}
    </ul>`;
  const [shown, older] = [bad.slice(0, limits.badDaysShown), bad.slice(limits.badDaysShown)];
  return html`${list(shown)}
  ${
    older.length === 0
      ? null
      : html`<details id="bad-days">
          <summary>${counted(older.length, "earlier day")} not well</summary>
          ${list(older)}
        </details>`
  }`;
}

/** A day that leads to its chart. */
const badDay = (monitor: number, { begin }: Day, words: string): Html =>
  html`<li>
    <a href="/monitors/${monitor}?${dayQuery(begin)}#past"
      ><time datetime="${isoTime(begin).slice(0, 10)}">${monthDay(begin)}</time></a
    >
    ${words}
  </li>`;

const firstDataWords = (first: Day | undefined): string =>
  first === undefined ? "" : ` The first data is of ${monthDay(first.begin)}.`;

function bar(day: Day, state: BarState, words: string, scale: BarScale): Html {
  const { named, marked, length } = scale;
  const name = named(day.begin);
  const text = html`<span class="tip"><strong>${marked(day.begin)}</strong> ${words}</span>`;
  const isWell = day.down === 0 && state !== "slow";
  const content = isWell
    ? html`<span>${text}</span>`
    : html`<span tabindex="0" role="img" aria-label="${name}: ${words}">${text}</span>`;
  const foot = downQuartersOf(day, length);
  const look = foot === null || foot === 4 ? state : `partly foot-${foot}`;
  return html`<li class="${look}">${content}</li>`;
}

/** `down for 4 min, 12 of 2 880 checks slow; Incident 7`. */
function barWords(day: Day, incidents: readonly ChartMark[], { length }: BarScale): string {
  const state = stateOfDay(day);
  if (state === "none") return "no data";
  const end: EpochMillis = after(day.begin, length);
  const down = day.down === 0 ? [] : [`down for ${downtimeOf(day.down)}`];
  const slow = day.slow === 0 ? [] : [`${grouped(day.slow)} of ${grouped(day.checks)} checks slow`];
  const seen = [...down, ...slow].join(", ") || `up, ${grouped(day.checks)} checks`;
  // One incident has a mark for each of its parts.
  const open = incidents.filter(({ from, to }) => from < end && to > day.begin);
  const all = [...new Set(open.map(({ words }) => words))];
  const named = all.slice(0, 3);
  const more = all.length > 3 ? [counted(all.length - 3, "more incident")] : [];
  return [seen, ...named, ...more].join("; ");
}
