import {
  badDays,
  type Day,
  dayLength,
  daysBefore,
  daysInWords,
  downFootOf,
  stateOfDay,
} from "#web/page/chart/calendar";
import { type BarState, uptimeAxis } from "#web/page/chart/uptime-bar";
import type { ChartMark } from "#web/page/chart/chart-marks";
import { grouped, isoTime, lengthOf, monthDay } from "#web/page/format";
import { html, type Html } from "#web/page/html";
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
  const bad = badDays(days).map((day) => ({ day, words: dayWords(day, incidents) }));
  return html`<ol class="day-bars" aria-label="${daysInWords(days)}">
      ${shown.map(({ day, state, words }) => bar(day, state, words))}
    </ol>
    ${uptimeAxis(days)}
    <p class="words">${daysInWords(days)}.${firstDataWords(days[before])}</p>
    ${
      bad.length === 0
        ? null
        : html`<details id="bad-days">
            <summary>Days that were not well</summary>
            <ul class="remarks">
              ${bad.map(
                ({ day, words }) =>
                  html`<li>
                    <a href="/monitors/${monitor}?${dayQuery(day.begin)}#past"
                      ><time datetime="${isoTime(day.begin).slice(0, 10)}"
                        >${monthDay(day.begin)}</time
                      ></a
                    >: ${words}
                  </li>`,
              )}
            </ul>
          </details>`
    }`;
}

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
  const foot = downFootOf(day);
  const look = foot === null ? state : `${foot.rest} foot-${foot.quarters}`;
  return html`<li class="${look}">${content}</li>`;
}

/** `down for 4 min, 12 of 2 880 checks slow; Incident 7`. */
function dayWords(day: Day, incidents: readonly ChartMark[]): string {
  const state = stateOfDay(day);
  if (state === "none") return "no data";
  const end: EpochMillis = after(day.begin, dayLength);
  const down = day.down === 0 ? [] : [`down for ${lengthOf(day.down)}`];
  const slow = day.slow === 0 ? [] : [`${grouped(day.slow)} of ${grouped(day.checks)} checks slow`];
  const seen = [...down, ...slow].join(", ") || `up, ${grouped(day.checks)} checks`;
  const open = incidents.filter(({ from, to }) => from < end && to > day.begin);
  const named = open.slice(0, 3).map(({ words }) => words);
  const more = open.length > 3 ? [`${open.length - 3} more incidents`] : [];
  return [seen, ...named, ...more].join("; ");
}
