import { readRecurrence, type Recurrence } from "#service/alerting/recurrence";
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
  rule: "By the rule below",
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
  return `${everyWords(read.value, wall)}, ${time}${endWords(read.value)}`;
}

function everyWords(rule: Recurrence, first: Temporal.PlainDateTime): string {
  const { every, interval, days, monthDays } = rule;
  switch (every) {
    case "DAILY":
      return `${interval === 1 ? "every day" : `every ${interval} days`}${dayList(days, "on")}`;
    case "WEEKLY": {
      const named = days.length === 0 ? [{ day: first.dayOfWeek, nth: 0 }] : days;
      const list = named.map(({ day }) => weekdays[day - 1] ?? "").join(" and ");
      return interval === 1 ? `every ${list}` : `every ${interval} weeks on ${list}`;
    }
    case "MONTHLY": {
      const months = interval === 1 ? "every month" : `every ${interval} months`;
      if (days.length > 0) return `${months}${dayList(days, "on the")}`;
      const dates = monthDays.length === 0 ? [first.day] : monthDays;
      return `${months} on the ${dates.map(dateWords).join(" and ")}`;
    }
  }
}

const dayList = (days: Recurrence["days"], before: string): string =>
  days.length === 0
    ? ""
    : ` ${before} ${days.map(({ day, nth }) => `${nth === 0 ? "" : `${nthWords(nth)} `}${weekdays[day - 1] ?? ""}`).join(" and ")}`;

const nthWords = (nth: number): string =>
  nth === -1 ? "last" : nth < 0 ? `${ordinal(-nth)} last` : ordinal(nth);

const dateWords = (day: number): string =>
  day === -1 ? "last day" : day < 0 ? `${ordinal(-day)} last day` : ordinal(day);

function endWords({ count, until }: Recurrence): string {
  if (count !== null) return `, ${count} times`;
  if (until === null) return "";
  return `, until ${until.slice(0, 4)}-${until.slice(4, 6)}-${until.slice(6, 8)}`;
}

const endings: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd" };
const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const ordinal = (count: number): string => `${count}${endings[ordinals.select(count)] ?? "th"}`;

const codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
