import { barOfDays, type BarState } from "#web/page/chart/uptime-bar";
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
  const states = all.map(({ state }, day) => (day < before ? "before" : barStates[state]));
  const known = all.slice(before);
  const bad = known.filter(isBad).toReversed();
  return html`${barOfDays(states.slice(firstDay), sentence(known, words))}
    <p class="range">
      <span>${beginWords(all, known, words)}</span>
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

function beginWords(
  all: readonly ComponentDay[],
  [first, ...others]: readonly ComponentDay[],
  { texts, dayAndMonth, daysAgo }: PageWords,
): string {
  if (first === undefined) return texts.noDataYet;
  const count = others.length + 1;
  return count === all.length ? daysAgo(count - 1) : texts.since(dayAndMonth(first.begin));
}

const barStates: { readonly [S in DayState]: BarState } = {
  operational: "up",
  degraded: "slow",
  down: "down",
  maintenance: "planned",
  empty: "none",
};

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
          html`<li>
            ${words.date(day.begin)}:
            ${words.texts.day[stateOfBad(day)]}${day.down > 0 ? `, ${words.length(day.down)}` : ""}
          </li>`,
      )}
    </ul>
  </details>`;

/** A moment of downtime on a good day is downtime anyway. */
const stateOfBad = ({ state, down }: ComponentDay): DayState => (down > 0 ? "down" : state);
