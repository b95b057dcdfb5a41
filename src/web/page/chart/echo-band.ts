import { percentOf, type TimeSpan } from "#web/page/chart/time-axis";
import { heightOf } from "#web/page/chart/value-axis";
import { html, type Html } from "#web/page/html";
import { type EpochMillis, type Millis, millis } from "#base/units";

/** What pings at one instant, or in one stretch of time, came to. */
export interface EchoValue {
  readonly at: EpochMillis;
  /** The shortest and the longest round trip; null if no reply came. */
  readonly round: { readonly least: Millis; readonly most: Millis } | null;
  /** The share of echoes without a reply: 0 to 1. */
  readonly lost: number;
}

export interface EchoBand {
  /** Oldest first. */
  readonly values: readonly EchoValue[];
  /** Values further apart than this have a gap between them. */
  readonly gap: Millis;
}

/** From the shortest to the longest round trip, and a line on the ground where echoes were lost: all of them is 30 high. */
export function echoBand(
  { values, gap }: EchoBand,
  span: TimeSpan,
  highest: Millis,
  height: number,
): Html {
  const x = (at: EpochMillis): number => Math.round(percentOf(at, span) * 100) / 10;
  const y = (value: Millis): number => heightOf(value, highest, height);
  const shapes = stretchesOf(values, gap).map((stretch) => shapeOf(stretch, x, y));
  const lost = values
    .filter((one) => one.lost > 0)
    .map((one) => `M${x(one.at)} ${height}v-${Math.round(6 + 24 * one.lost)}`);
  return html`${shapes.length === 0 ? null : html`<path class="band" d="${shapes.join("")}" />`}
  ${lost.length === 0 ? null : html`<path class="lost" d="${lost.join("")}" />`}`;
}

type ValueWithReply = EchoValue & { readonly round: NonNullable<EchoValue["round"]> };

const hasReply = (value: EchoValue): value is ValueWithReply => value.round !== null;

/** Neighbours that belong together. */
function stretchesOf(values: readonly EchoValue[], gap: Millis): readonly ValueWithReply[][] {
  const stretches: ValueWithReply[][] = [];
  let before: EpochMillis | null = null;
  for (const value of values) {
    if (!hasReply(value)) continue;
    const stretch = stretches.at(-1);
    if (stretch === undefined || before === null || value.at - before > gap)
      stretches.push([value]);
    else stretch.push(value);
    before = value.at;
  }
  return stretches;
}

/** Along the longest round trips and back along the shortest; one that stands alone is a narrow column. */
function shapeOf(
  stretch: readonly ValueWithReply[],
  x: (at: EpochMillis) => number,
  y: (value: Millis) => number,
): string {
  const [only, more] = stretch;
  if (only !== undefined && more === undefined) {
    const { least, most } = only.round;
    return `M${x(only.at) - 2} ${y(most)}h4V${y(least)}h-4z`;
  }
  const upper = stretch.map(({ at, round }) => `${x(at)} ${y(round.most)}`);
  const lower = stretch.toReversed().map(({ at, round }) => `${x(at)} ${y(round.least)}`);
  return `M${[...upper, ...lower].join("L")}z`;
}

/** The longest round trip of all. */
export const longestOf = ({ values }: EchoBand): Millis =>
  millis(values.reduce((most, { round }) => Math.max(most, round?.most ?? 0), 0));
