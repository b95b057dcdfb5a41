import { type Millis, millis, type EpochMillis, epochMillis } from "#base/units";
import { html, type Html } from "#web/page/html";
import { isoTime, monthDay } from "#web/page/format";

/** What a chart shows of time: from the left edge to the right one. */
export interface TimeSpan {
  readonly from: EpochMillis;
  readonly to: EpochMillis;
}

/** An instant of the axis with its words: `14:03:30`, `14:05`, `12 Nov`. */
interface TimeTick {
  readonly at: EpochMillis;
  readonly label: string;
}

/** How a day is written, e.g. in a language. */
type DayName = (instant: EpochMillis) => string;

/** So many steps have room for their words: next to a menu if they have seconds, and on a phone every other one. */
const stepsMax = (step: number): number => (step < minute ? 4 : 6);

/** A phone leaves out every other one of more. */
const labelsOnPhone = 4;

/** Round instants (UTC) inside a span, as many as have room. */
export function timeTicks({ from, to }: TimeSpan, named: DayName = monthDay): readonly TimeTick[] {
  const length = Math.max(1, to - from);
  const step =
    steps.find((one) => length / one <= stepsMax(one)) ??
    Math.ceil(length / stepsMax(day) / day) * day;
  const first = Math.ceil(from / step) * step;
  const count = Math.max(0, Math.floor((to - first) / step) + 1);
  return Array.from({ length: count }, (_, index) => {
    const at = epochMillis(first + index * step);
    return { at, label: labelOf(at, millis(step), named) };
  });
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [1, 2, 5, 10, 15, 30]
  .map((count) => count * second)
  .concat([1, 2, 5, 10, 15, 30].map((count) => count * minute))
  .concat([1, 2, 3, 6, 12].map((count) => count * hour))
  .concat([1, 2, 7, 14, 30].map((count) => count * day));

function labelOf(at: EpochMillis, step: Millis, named: DayName): string {
  if (step >= day || at % day === 0) return named(at);
  const clock = new Date(at).toISOString().slice(11, 19);
  return step < minute ? clock : clock.slice(0, 5);
}

const isClock = (label: string): boolean => /^\d\d:\d\d/.test(label);

/** Where an instant lies between the edges, in percent of the width, with as many digits as a screen can show. */
export const percentOf = (at: EpochMillis, { from, to }: TimeSpan): number =>
  Math.round(((at - from) / Math.max(1, to - from)) * 10_000) / 100;

/**
 * The words under a chart and a short line at each; `top` is where the plot ends. The last
 * one names the zone, if any is given: the times around a picture may be those of the reader. Times of day have their
 * instants then, for pages that show it in the zone of the reader.
 */
export const timeAxis = (
  span: TimeSpan,
  top: number,
  named: DayName = monthDay,
  zone: "UTC" | null = null,
): Html =>
  html`${timeTicks(span, named).map(({ at, label }, index, all) => {
    const isOfDay = zone !== null && all.some((one) => isClock(one.label));
    const x = percentOf(at, span);
    const anchor = x < 6 ? "start" : x > 94 ? "end" : "middle";
    const isBetween = all.length > labelsOnPhone && (all.length - index) % 2 === 0;
    return html`<line class="tick" x1="${x}%" x2="${x}%" y1="${top}" y2="${top + 4}" /><text
        ${isBetween ? html` class="between"` : null}
        x="${x}%"
        y="${top + 16}"
        text-anchor="${anchor}"
        ${isOfDay ? html` data-at="${isoTime(at)}"` : null}
        >${label}${zone !== null && index === all.length - 1 ? ` ${zone}` : null}</text
      >`;
  })}`;

/** Of what is shown of a stretch of time: the newest one has only begun. */
export const middleOf = (at: EpochMillis, length: Millis, { from, to }: TimeSpan): EpochMillis =>
  epochMillis((Math.max(at, from) + Math.min(at + length, to)) / 2);
