import {
  type Day,
  dayLength,
  daysInWords,
  type DayState,
  dayStates,
  stateOfDay,
} from "#page/chart/calendar";
import { timeAxis } from "#page/chart/time-axis";
import { html, type Html } from "#page/html";
import { after, epochMillis } from "#units";

/** Units of a day's width; one in five of them is the space to the next. */
const step = 10;
const height = 24;

/** The middle of each state's bar, which stands on the ground: what is worse is taller, so that colour is not needed. */
const middleOf: { readonly [S in BarState]: number } = {
  up: 15,
  slow: 13,
  down: 12,
  planned: 17,
  none: 23,
};

/** What a bar stands for: a day's state, or that it was planned that nothing works. */
export type BarState = DayState | "planned";
const barStates: readonly BarState[] = [...dayStates, "planned"];

/**
 * A bar for each day, the newest at the right. Days in a row that are alike are one dashed line: a good quarter takes
 * fifty bytes.
 */
export const uptimeBar = (days: readonly Day[]): Html =>
  barOfDays(days.map(stateOfDay), daysInWords(days));

/** The same of days by their states; `words` say what it shows. */
export function barOfDays(states: readonly BarState[], words: string): Html {
  const paths = barStates.map((state) => {
    const runs = runsOf(states, state).map(
      ({ first, length }) => `M${first * step} ${middleOf[state]}h${length * step}`,
    );
    return runs.length === 0 ? html`` : html`<path class="${state}" d="${runs.join("")}" />`;
  });
  return html`<svg
    class="uptime"
    viewBox="0 0 ${states.length * step} ${height}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${words}"
  >
    ${paths}
  </svg>`;
}

/** Which days the bar above stands for. */
export function uptimeAxis(days: readonly Day[]): Html | null {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return null;
  const span = { from: first.begin, to: epochMillis(after(last.begin, dayLength)) };
  return html`<svg class="chart" height="20" aria-hidden="true">${timeAxis(span, 0)}</svg>`;
}

interface Run {
  readonly first: number;
  readonly length: number;
}

function runsOf(states: readonly BarState[], wanted: BarState): readonly Run[] {
  const runs: Run[] = [];
  for (const [index, state] of states.entries()) {
    if (state !== wanted) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.first + last.length === index)
      runs[runs.length - 1] = { first: last.first, length: last.length + 1 };
    else runs.push({ first: index, length: 1 });
  }
  return runs;
}
