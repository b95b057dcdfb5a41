import * as limits from "#limits/report-limits";
import type { DowntimeDay } from "#service/operator/reports/downtime-days";
import { dayLength } from "#web/page/chart/calendar";
import { percentOf, timeTicks, type TimeSpan } from "#web/page/chart/time-axis";
import { heightOf, valueAxis } from "#web/page/chart/value-axis";
import { counted, downtimeOf, grouped, monthDay } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import {
  after,
  epochMillis,
  type EpochMillis,
  hours,
  type Millis,
  millis,
  minutes,
  seconds,
} from "#base/units";

/**
 * When monitors were down: a column for each whole day (UTC), and the same in words. A day without downtime is a mark on the
 * ground, and one before the first data is empty: all days of the period are there. Null without downtime.
 */
export function downtimeChart(
  days: readonly DowntimeDay[],
  { from, to }: TimeSpan,
  since: EpochMillis | null = null,
): Html | null {
  if (days.length === 0) return null;
  const span = {
    from: epochMillis(Math.floor(from / dayLength) * dayLength),
    to: epochMillis(Math.ceil(to / dayLength) * dayLength),
  };
  const highest = roundTimeAbove(millis(Math.max(...days.map(({ down }) => down))));
  return html`<section aria-labelledby="down-days" class="down-days">
    <h2 id="down-days">Downtime by day</h2>
    <div class="card">
      <svg class="chart" height="${top + height + 20}" role="img" aria-label="${inWords(days)}">
        ${valueAxis(highest, top, height, downtimeOf)} ${dayNames(span)}
        ${quietDays(days, span, since ?? from).map((day) => quietMark(day, span))}
        ${days.map((day) => column(day, span, highest))}
      </svg>
      <details>
        <summary>${counted(days.length, "day")} with downtime</summary>
        <ul>
          ${days.map((day) => html`<li>${dayWords(day)}</li>`)}
        </ul>
      </details>
    </div>
  </section>`;
}

const top = 14;
const height = 72;
/** Of the width of a day: the rest is the gap to the next one. */
const filled = 0.8;
/** In percent of the chart: a report of one day is a column, too, and not a wall. */
const widthMax = 4;
/** A column of less is not seen, in pixels. */
const heightMin = 2;

/** Under the middle of their columns. Of a few days, each has its name: an axis of time would have hours. */
function dayNames(span: TimeSpan): Html {
  const count = (span.to - span.from) / dayLength;
  const named =
    count <= daysNamedMax
      ? Array.from({ length: count }, (_, day) => after(span.from, millis(day * dayLength)))
      : // The end of the last day has no column.
        timeTicks({ ...span, to: epochMillis(span.to - 1) }).map(({ at }) => at);
  return html`${named.map(
    (day, index) =>
      html`<text
        ${named.length > labelsOnPhone && index % 2 === 1 ? html`class="between"` : null}
        x="${middleOf(day, span)}%"
        y="${top + height + 16}"
        text-anchor="middle"
      >
        ${monthDay(day)}
      </text>`,
  )}`;
}

const daysNamedMax = 6;
/** A phone leaves out every other one of more. */
const labelsOnPhone = 4;

const middleOf = (day: EpochMillis, span: TimeSpan): number =>
  percentOf(after(day, millis(dayLength / 2)), span);

function column(day: DowntimeDay, span: TimeSpan, highest: Millis): Html {
  const width = widthIn(span);
  const tall = Math.max(heightMin, height - heightOf(day.down, highest, height));
  return html`<rect
    class="down"
    x="${rounded(middleOf(day.begin, span) - width / 2)}%"
    width="${rounded(width)}%"
    y="${top + height - tall}"
    height="${tall}"
    rx="1"
  >
    <title>${dayWords(day)}</title>
  </rect>`;
}

/** Those with data and without downtime. */
function quietDays(
  days: readonly DowntimeDay[],
  span: TimeSpan,
  since: EpochMillis,
): readonly EpochMillis[] {
  const down = new Set(days.map(({ begin }) => begin));
  const count = (span.to - span.from) / dayLength;
  return Array.from({ length: count }, (_, day) =>
    after(span.from, millis(day * dayLength)),
  ).filter((begin) => after(begin, millis(dayLength)) > since && !down.has(begin));
}

function quietMark(begin: EpochMillis, span: TimeSpan): Html {
  const width = widthIn(span);
  return html`<rect
    class="quiet"
    x="${rounded(middleOf(begin, span) - width / 2)}%"
    width="${rounded(width)}%"
    y="${top + height - heightMin}"
    height="${heightMin}"
  >
    <title>${monthDay(begin)}: no downtime</title>
  </rect>`;
}

/** Of a column, in percent of the chart. */
const widthIn = (span: TimeSpan): number =>
  Math.min(
    widthMax,
    (percentOf(after(span.from, millis(dayLength)), span) - percentOf(span.from, span)) * filled,
  );

const rounded = (percent: number): number => Math.round(percent * 100) / 100;

/** `11 Nov: 3 h 30 min, Database replica`, or `22 Nov: 2 h 20 min on 4 monitors: Billing API, Printer queue, Scanner and 1 more`. */
function dayWords({ begin, down, names }: DowntimeDay): string {
  const some = names.slice(0, limits.reportDayNamed);
  const more = names.length - some.length;
  const which = `${some.join(", ")}${more === 0 ? "" : ` and ${grouped(more)} more`}`;
  const of = names.length === 1 ? ", " : ` on ${counted(names.length, "monitor")}: `;
  return `${monthDay(begin)}: ${downtimeOf(down)}${of}${which}`;
}

/** For those who do not see the columns. */
function inWords(days: readonly DowntimeDay[]): string {
  const worst = days.reduce((most, day) => (day.down > most.down ? day : most));
  return `Downtime on ${counted(days.length, "day")}, the most on ${dayWords(worst)}`;
}

/** The next time that is easy to read and to halve. */
export const roundTimeAbove = (longest: Millis): Millis =>
  roundTimes.find((one) => one >= longest) ?? millis(Math.ceil(longest / twoDays) * twoDays);

const twoDays = hours(48);
const roundTimes = [
  ...[2, 10, 20].map(seconds),
  ...[1, 2, 4, 10, 20, 40].map(minutes),
  ...[1, 2, 4, 6, 12, 24].map(hours),
];
