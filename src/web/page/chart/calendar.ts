import { uptimeShare } from "#check/uptime-share";
import { downtimeOf } from "#web/page/format";
import * as limits from "#limits/pages-limits";
import { after, type EpochMillis, hours, type Millis, millis } from "#base/units";

/** One day (UTC) of a monitor, at all of its locations. */
export interface Day {
  readonly begin: EpochMillis;
  /** How long its results stand for; 0 if nothing was seen. */
  readonly known: Millis;
  readonly down: Millis;
  readonly checks: number;
  readonly slow: number;
}

/** How many of the first days were before anything was known. */
export function daysBefore(days: readonly Day[]): number {
  const first = days.findIndex(({ known }) => known > 0);
  return first === -1 ? days.length : first;
}

/** The newest days, the least number of them that a page shows and that has everything that is known. */
export function recentDays(
  days: readonly Day[],
  before: number = daysBefore(days),
): readonly Day[] {
  const known = days.length - before;
  const count = limits.daysShownChoices.find((one) => one >= known) ?? days.length;
  return days.slice(-count);
}

/** What a day was, the best first. */
export const dayStates = ["up", "slow", "down", "none"] as const;
export type DayState = (typeof dayStates)[number];

export const dayLength: Millis = hours(24);

/** So many days up to the one that begins at `last`, oldest first; a day that nothing is known of is empty. */
export function calendarOf(
  known: readonly Day[],
  last: EpochMillis,
  count: number,
): readonly Day[] {
  const byBegin = new Map(known.map((day) => [day.begin, day]));
  return Array.from({ length: count }, (_, index) => {
    const begin = after(last, millis((index + 1 - count) * dayLength));
    return byBegin.get(begin) ?? { begin, known: millis(0), down: millis(0), checks: 0, slow: 0 };
  });
}

/** The same days of several monitors, each as the mean of them. */
export const meanDays = (all: readonly (readonly Day[])[]): readonly Day[] =>
  (all[0] ?? []).map(({ begin }, index) => {
    const mean = (of: (day: Day) => number): number =>
      all.reduce((sum, days) => sum + (days[index] === undefined ? 0 : of(days[index])), 0) /
      all.length;
    return {
      begin,
      known: millis(mean(({ known }) => known)),
      down: millis(mean(({ down }) => down)),
      checks: mean(({ checks }) => checks),
      slow: mean(({ slow }) => slow),
    };
  });

/** A day is down by how long it was, and not by one failed check; a day without data is never up. */
export function stateOfDay({ known, down, checks, slow }: Day): DayState {
  if (known <= 0) return "none";
  if (down >= limits.dayDownMin || down > known * limits.dayDownShareMin) return "down";
  return slow > checks * limits.daySlowShareMin ? "slow" : "up";
}

/** Up to which quarter of a day it was down. */
export type DownQuarters = 1 | 2 | 3 | 4;

/** Null of a day that was not down. */
export const downQuartersOf = (day: Day, length: Millis = dayLength): DownQuarters | null =>
  stateOfDay(day) === "down" ? quartersOf(day.down / length) : null;

function quartersOf(share: number): DownQuarters {
  return share > 0.75 ? 4 : share > 0.5 ? 3 : share > 0.25 ? 2 : 1;
}

/** `99.98 %`; null if nothing is known. */
export const uptimeOf = (days: readonly Day[]): string | null =>
  uptimeWords(knownOf(days), millis(days.reduce((sum, day) => sum + day.down, 0)));

/** The same of a known time and the downtime in it. */
export function uptimeWords(known: Millis, down: Millis): string | null {
  const share = uptimeShare(known, down);
  return share === null ? null : `${(share / 100).toFixed(2)}\u00a0%`;
}

/** How long results stand for, of all of these days. */
export const knownOf = (days: readonly Day[]): Millis =>
  millis(days.reduce((sum, day) => sum + day.known, 0));

/** `90 days: 84 up, 3 slow, 2 down (31 min of downtime in all), 1 without data`; `states` are those of the days. Days before the first data do not count. Hours alike. */
export function daysInWords(
  days: readonly Day[],
  states: readonly DayState[] = days.map(stateOfDay),
  unit: "day" | "hour" = "day",
): string {
  const down = millis(days.reduce((sum, day) => sum + day.down, 0));
  const words: { readonly [S in DayState]: string } = {
    up: "up",
    slow: "slow",
    down: `down (${downtimeOf(down)} of downtime in all)`,
    none: "without data",
  };
  const before = daysBefore(days);
  if (before === days.length) return "No data yet";
  const counts = { up: 0, slow: 0, down: 0, none: 0 };
  for (const state of states.slice(before)) counts[state] += 1;
  const parts = dayStates.flatMap((state) =>
    counts[state] === 0 ? [] : [`${counts[state]} ${words[state]}`],
  );
  const count = days.length - before;
  if (count === 1) return `1 ${unit}: ${wordsOfOne(states.at(-1) ?? "none", down)}`;
  if (counts.down === count)
    return `${count} ${unit}s, ${count === 2 ? "both" : "all"} with downtime: ${downtimeOf(down)} in all`;
  return `${count} ${unit}s: ${parts.join(", ")}`;
}

const wordsOfOne = (state: DayState, down: Millis): string =>
  state === "down" ? `down for ${downtimeOf(down)}` : state === "none" ? "without data" : state;

/** The days that were not simply up, newest first: with any downtime, or slow. */
export const badDays = (days: readonly Day[]): readonly Day[] =>
  days.filter((day) => day.down > 0 || stateOfDay(day) === "slow").toReversed();
