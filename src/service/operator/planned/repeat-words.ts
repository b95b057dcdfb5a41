import { readRecurrence, type Recurrence } from "#service/alerting/recurrence";
import { ruleTyped } from "#service/operator/planned/rule-words";
import { wallClock } from "#service/operator/planned/wall-clock";
import type { MaintenanceRow } from "#service/store/maintenance-store";

/** How planned work repeats, as a person chooses it; any other rule is written by hand. */
export const repeats = ["once", "daily", "weekly", "fortnightly", "monthly", "rule"] as const;
export type Repeat = (typeof repeats)[number];

export const repeatWords: { readonly [R in Repeat]: string } = {
  once: "Does not repeat",
  daily: "Every day at this time",
  weekly: "Every week on this day",
  fortnightly: "Every two weeks on this day",
  monthly: "Every month on this date",
  rule: "By a rule",
};

/** The rule of a choice, for work that begins at this time of a clock. */
export function ruleOf(repeat: Exclude<Repeat, "rule">, wall: string): string {
  const day = Temporal.PlainDateTime.from(wall);
  const weekday = codes[day.dayOfWeek - 1] ?? "";
  switch (repeat) {
    case "once":
      return "";
    case "daily":
      return "FREQ=DAILY";
    case "weekly":
      return `FREQ=WEEKLY;BYDAY=${weekday}`;
    case "fortnightly":
      return `FREQ=WEEKLY;INTERVAL=2;BYDAY=${weekday}`;
    case "monthly":
      return `FREQ=MONTHLY;BYMONTHDAY=${day.day}`;
  }
}

/** The choice that has this rule. */
export const repeatOf = (rule: string, wall: string): Repeat =>
  repeats.find((one) => one !== "rule" && ruleOf(one, wall) === rule) ?? "rule";

/** `every Tuesday, 22:00`; empty if it happens once. */
export function recurrenceWords({
  recurrence,
  from,
  timeZone,
}: Pick<MaintenanceRow, "recurrence" | "from" | "timeZone">): string {
  if (recurrence === "") return "";
  const read = readRecurrence(recurrence);
  if (!read.ok) return recurrence;
  const wall = Temporal.PlainDateTime.from(wallClock(from, timeZone));
  const time = wall.toPlainTime().toString({ smallestUnit: "minute" });
  return `${everyWords(withDay(read.value, wall), wall.month)}, ${time}${endWords(read.value)}`;
}

/** Without a day it is on the one on which it begins. */
function withDay(rule: Recurrence, { day, dayOfWeek }: Temporal.PlainDateTime): Recurrence {
  const { every, days, monthDays } = rule;
  if (every === "WEEKLY" && days.length === 0)
    return { ...rule, days: [{ day: dayOfWeek, nth: 0 }] };
  if (every === "MONTHLY" && days.length === 0 && monthDays.length === 0)
    return { ...rule, monthDays: [day] };
  return rule;
}

/**
 * A rule as a form has it, of work that begins at this time of a clock: in words that are read as the same rule, or as it
 * is written if there are none.
 */
export function ruleShown(recurrence: string, wall: string): string {
  const read = readRecurrence(recurrence);
  if (!read.ok) return recurrence;
  const { month } = Temporal.PlainDateTime.from(wall);
  const end = endWords(read.value).replace(/^, (?=until)/, " ");
  return (
    [everyWords(read.value, month), everyWords(read.value), everyWords(read.value, null, nameList)]
      .map((words) => `${words}${end}`)
      .find((words) => {
        const again = ruleTyped(words, wall);
        return again.ok && again.value === recurrence;
      }) ?? recurrence
  );
}

/** `month` is that of a rule by years, null if it is not said. `list` says the days of a week, some of which have one name. */
function everyWords(rule: Recurrence, month: number | null = null, list = dayWords): string {
  const { every, interval, days, monthDays } = rule;
  switch (every) {
    case "DAILY":
      return `${often("day", interval)}${days.length === 0 ? "" : ` on ${list(days)}`}`;
    case "WEEKLY": {
      if (days.length === 0) return often("week", interval);
      const named = list(days);
      if (interval > 1) return `${often("week", interval)} on ${named}`;
      if (named === "weekdays") return "on weekdays";
      return list === dayWords && setOf(days) === "1234567" ? "every day" : `every ${named}`;
    }
    case "MONTHLY": {
      if (month !== null && interval % 12 === 0) return yearWords(rule, month);
      const months = often("month", interval);
      if (days.length > 0) return `${months} on the ${nameList(days)}`;
      return monthDays.length === 0
        ? months
        : `${months} on the ${andList.format(monthDays.map(dateWords))}`;
    }
  }
}

/** `every year on 30 November`, `every 2 years on the last Friday of May`. */
function yearWords({ interval, days, monthDays }: Recurrence, month: number): string {
  const years = often("year", interval / 12);
  const name = monthName.format(new Temporal.PlainDate(2024, month, 1));
  if (days.length > 0) return `${years} on the ${nameList(days)} of ${name}`;
  if (monthDays.length === 0) return years;
  return monthDays.every((day) => day > 0)
    ? `${years} on ${andList.format(monthDays.map(String))} ${name}`
    : `${years} on the ${andList.format(monthDays.map(dateWords))} of ${name}`;
}

const monthName = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" });

const often = (unit: string, interval: number): string =>
  interval === 1 ? `every ${unit}` : `every ${interval} ${unit}s`;

type Days = Recurrence["days"];

const dayWords = (days: Days): string => (setOf(days) === "12345" ? "weekdays" : nameList(days));

const setOf = (days: Days): string =>
  [...new Set(days.map(({ day }) => day))].toSorted((a, b) => a - b).join("");

const nameList = (days: Days): string =>
  andList.format(
    days.map(({ day, nth }) => `${nth === 0 ? "" : `${nthWords(nth)} `}${weekdays[day - 1] ?? ""}`),
  );

const andList = new Intl.ListFormat("en-GB", { type: "conjunction" });

const nthWords = (nth: number): string =>
  nth === -1 ? "last" : nth < 0 ? `${ordinal(-nth)} last` : ordinal(nth);

const dateWords = (day: number): string =>
  day === -1 ? "last day" : day < 0 ? `${ordinal(-day)} last day` : ordinal(day);

function endWords({ count, until }: Recurrence): string {
  if (count !== null) return `, ${count} ${count === 1 ? "time" : "times"}`;
  if (until === null) return "";
  return `, until ${dayName.format(Temporal.PlainDate.from(until.slice(0, 8)))}`;
}

/** A day of a calendar, e.g. `31 December 2026`. */
const dayName = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

const endings: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd" };
const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const ordinal = (count: number): string => `${count}${endings[ordinals.select(count)] ?? "th"}`;

const codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
