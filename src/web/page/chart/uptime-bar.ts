import {
  type Day,
  daysBefore,
  dayLength,
  daysInWords,
  downQuartersOf,
  type DayState,
  type DownQuarters,
  dayStates,
  stateOfDay,
} from "#web/page/chart/calendar";
import { timeAxis } from "#web/page/chart/time-axis";
import { html, type Html } from "#web/page/html";
import { after, epochMillis, type Millis } from "#base/units";

/** Up to so many days are drawn with twice the width, so that the spaces between them do not grow with them. */
const fewDaysMax = 45;
/** Units of a day's width, with the space to the next. */
const space = 2;
const stepOf = (days: number): number => (days <= fewDaysMax ? 20 : 10);
const height = 24;

/** The middle of each state's bar, which stands on the ground: what is worse is taller, so that colour is not needed. */
const middleOf: { readonly [S in BarState]: number } = {
  up: 15,
  slow: 13,
  down: 12,
  planned: 17,
  partly: 12,
  none: 23,
  before: 22,
};

/**
 * What a bar stands for: a day's state, that it was planned that nothing works, or that nothing was measured yet. A day that
 * was down for a part of it is light red, on a foot of full red.
 */
export type BarState = DayState | "planned" | "before" | "partly";
const barStates: readonly BarState[] = [...dayStates, "planned", "before", "partly"];

/**
 * A bar for each day, the newest at the right. Days in a row that are alike are one dashed line: a good quarter takes
 * fifty bytes. A day that was down is red in all of its height, and in full red for as much as was down, from the ground up in
 * quarters.
 */
export function uptimeBar(days: readonly Day[]): Html {
  const states = days.map(stateOfDay);
  const before = daysBefore(days);
  const drawn = days.map((day, index): DrawnDay => {
    const state = states[index] ?? "none";
    return index < before
      ? { state: "before", foot: null }
      : { state, foot: state === "down" ? downQuartersOf(day) : null };
  });
  return barOfDays(drawn, daysInWords(days, states));
}

/** A bar, and for how much of its day it was down; null of one that was not, or whose colour alone says it. */
export interface DrawnDay {
  readonly state: BarState;
  readonly foot: DownQuarters | null;
  /** Whether it is cut above its foot as an exclamation mark is, so that colour is not needed. */
  readonly isCut?: boolean;
}

/** What is said under the pointer of some days in a row. */
export interface SaidOfDays {
  readonly first: number;
  readonly count: number;
  readonly words: string;
  /** Of hours: when they are, and what is said after that, so that a script can say it in a reader's zone. */
  readonly time?: { readonly from: string; readonly to: string; readonly rest: string };
}

const footLevels = [1, 2, 3] as const;

/** The red feet of one height; none if no day has one. */
function feetOf(
  feet: readonly (DownQuarters | null)[],
  level: (typeof footLevels)[number],
): readonly Html[] {
  const step = stepOf(feet.length);
  const y = height - (level * height) / 8;
  const line = feet
    .map((foot, index) => (foot === level ? `M${index * step} ${y}h${step}` : ""))
    .join("");
  return line === "" ? [] : [html`<path class="foot-${level}" d="${line}" />`];
}

/**
 * The same of days by their states; `words` say what it shows, `said` the same of each under the pointer. With a `mask`, all
 * is cut to the shape of that.
 */
export function barOfDays(
  days: readonly DrawnDay[],
  words: string,
  said: readonly SaidOfDays[] = [],
  mask: string | null = null,
): Html {
  const states = days.map(({ state, foot }): BarState =>
    foot === null || foot === 4 ? state : "partly",
  );
  const feet = days.map(({ foot }) => foot);
  const lines = linesOf(states);
  const width = widthOf(states.length, mask === null ? space : airOf(states.length));
  const paths = barStates.flatMap((state) => {
    const line = lines.get(state);
    return line === undefined ? [] : [html`<path class="${state}" d="${line}" />`];
  });
  return html`<svg
    class="${states.length <= fewDaysMax ? "uptime few" : "uptime"}"
    viewBox="0 0 ${width} ${height}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${words}"
  >
    <g ${mask === null ? null : html` mask="url(#${mask})"`}>
      ${paths} ${footLevels.flatMap((level) => feetOf(feet, level))} ${cutsOf(days)}
      ${said.map((one) => wordsOver(one, stepOf(states.length)))}
    </g>
  </svg>`;
}

/** The last day has no next one, and ends where its shape does. */
const widthOf = (days: number, between: number): number =>
  Number(Math.max(0, days * stepOf(days) - between).toFixed(2));

/** Some pixels on a desk, in units of a bar of so many days: the bars are stretched to the width of the page. */
const pixelsOf = (days: number, pixels: number): string =>
  ((days * stepOf(days) * pixels) / usualWidthPx).toFixed(2);
const usualWidthPx = 680;
const airPx = 3;
const cornerPx = 2.5;
/** The space after a bar that is cut to a shape. */
const airOf = (days: number): number => Math.min(stepOf(days) * 0.3, Number(pixelsOf(days, airPx)));

/** What gives all bars of a page round corners and some air between them: once on the page, by its id. */
export const barShapes = (days: number, id: string): Html => {
  const step = stepOf(days);
  return html`<svg class="shapes" width="0" height="0" aria-hidden="true">
    <pattern id="${id}-one" width="${step}" height="${height}" patternUnits="userSpaceOnUse">
      <rect
        width="${(step - airOf(days)).toFixed(2)}"
        height="${height}"
        rx="${pixelsOf(days, cornerPx)}"
        ry="1.75"
        fill="#fff"
      />
    </pattern>
    <mask
      id="${id}"
      maskUnits="userSpaceOnUse"
      x="0"
      y="0"
      width="${days * step}"
      height="${height}"
    >
      <rect width="${days * step}" height="${height}" fill="url(#${id}-one)" />
    </mask>
  </svg>`;
};

/** One line through all bars that are cut; none if no one is. */
function cutsOf(days: readonly DrawnDay[]): Html | null {
  const step = stepOf(days.length);
  const line = days
    .map(({ isCut }, index) => (isCut ? `M${index * step} 18h${step}` : ""))
    .join("");
  return line === "" ? null : html`<path class="cut" d="${line}" />`;
}

/** Nothing to see: the place that a pointer finds. */
const wordsOver = ({ first, count, words, time }: SaidOfDays, step: number): Html =>
  html`<path class="said" d="M${first * step} 12h${count * step}" ${timeOver(time)}
    ><title>${words}</title></path
  >`;

const timeOver = (time: SaidOfDays["time"]): Html | null =>
  time === undefined
    ? null
    : html` data-from="${time.from}" data-until="${time.to}" data-rest="${time.rest}"`;

/** Which days the bar above stands for. */
export function uptimeAxis(days: readonly Day[], length: Millis = dayLength): Html | null {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return null;
  const span = { from: first.begin, to: epochMillis(after(last.begin, length)) };
  return html`<svg class="chart" height="20" aria-hidden="true">${timeAxis(span, 0)}</svg>`;
}

/** The line of each state that there is; days in a row that are alike are one stroke. */
function linesOf(states: readonly BarState[]): ReadonlyMap<BarState, string> {
  const step = stepOf(states.length);
  const lines = new Map<BarState, string>();
  let first = 0;
  for (const [index, state] of states.entries()) {
    const next = index + 1;
    if (next < states.length && states[next] === state) continue;
    const stroke = `M${first * step} ${middleOf[state]}h${(next - first) * step}`;
    lines.set(state, `${lines.get(state) ?? ""}${stroke}`);
    first = next;
  }
  return lines;
}
