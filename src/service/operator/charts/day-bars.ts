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
import { counted, downtimeOf, grouped, isoTime, monthDay } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import { dayQuery } from "#service/operator/charts/time-range";
import { after, type EpochMillis } from "#base/units";

/**
 * A monitor's days, each of which says what happened on it: under the pointer, with the focus, and in a list below. A day
 * that was not well has the focus once, the others never: a key for each of 90 days would be in the way.
 */
export function dayBars(
  monitor: number,
  days: readonly Day[],
  incidents: readonly ChartMark[],
): Html {
  const before = daysBefore(days);
  const shown = days.map((day, index) => ({
    day,
    state: index < before ? ("before" as const) : stateOfDay(day),
    words: index < before ? "no data yet" : dayWords(day, incidents),
  }));
  const bad = badDays(days).map((day) => badDay(monitor, day, dayWords(day, incidents)));
  return html`<ol class="day-bars" aria-label="${daysInWords(days)}">
      ${shown.map(({ day, state, words }) => bar(day, state, words))}
    </ol>
    ${days.length < axisDaysMin ? null : uptimeAxis(days)}
    <p class="words">${daysInWords(days)}.${firstDataWords(days[before])} Days are UTC.</p>
    ${badDayList(bad)}`;
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

function bar(day: Day, state: BarState, words: string): Html {
  const text = html`<span class="tip"><strong>${monthDay(day.begin)}</strong> ${words}</span>`;
  const isWell = day.down === 0 && state !== "slow";
  const content = isWell
    ? html`<span>${text}</span>`
    : html`<span tabindex="0" role="img" aria-label="${monthDay(day.begin)}: ${words}"
        >${text}</span
      >`;
  const foot = downQuartersOf(day);
  const look = foot === null || foot === 4 ? state : `partly foot-${foot}`;
  return html`<li class="${look}">${content}</li>`;
}

/** `down for 4 min, 12 of 2 880 checks slow; Incident 7`. */
function dayWords(day: Day, incidents: readonly ChartMark[]): string {
  const state = stateOfDay(day);
  if (state === "none") return "no data";
  const end: EpochMillis = after(day.begin, dayLength);
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
