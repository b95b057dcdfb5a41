import * as limits from "#limits/alerts-limits";
import { parsed, type ParseResult, refused } from "#network/parsed";

/** How a maintenance window repeats: the part of RFC 5545's RRULE that people plan maintenance with. */
export interface Recurrence {
  readonly every: "DAILY" | "WEEKLY" | "MONTHLY";
  readonly interval: number;
  /** `nth`: the first Monday is 1, the last is -1; 0 is every one. */
  readonly days: readonly { readonly day: number; readonly nth: number }[];
  /** Counted from the month's end where negative. */
  readonly monthDays: readonly number[];
  /** The last instant at which one may begin, as `20261231T235959Z` or a wall-clock time; null: without end. */
  readonly until: string | null;
  readonly count: number | null;
}

const weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/** Reads e.g. `FREQ=WEEKLY;BYDAY=SU;UNTIL=20261231T000000Z`. */
export function readRecurrence(text: string): ParseResult<Recurrence> {
  const parts = new Map<string, string>();
  for (const part of text.replace(/^RRULE:/, "").split(";")) {
    const [name = "", value = "", ...rest] = part.split("=");
    if (value === "" || rest.length > 0)
      return refused(
        `has "${part.slice(0, 32)}", which is not NAME=VALUE: write for example FREQ=WEEKLY;BYDAY=TU`,
      );
    if (parts.has(name)) return refused(`has ${name.slice(0, 32)} twice: write it once`);
    parts.set(name, value);
  }
  const unknown = [...parts.keys()].find((name) => !known.has(name));
  if (unknown !== undefined)
    return refused(`has ${unknown.slice(0, 32)}: known are ${[...known].join(", ")}`);
  return fromParts(parts);
}

const known = new Set(["FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "UNTIL", "COUNT"]);

function fromParts(parts: ReadonlyMap<string, string>): ParseResult<Recurrence> {
  const every = (["DAILY", "WEEKLY", "MONTHLY"] as const).find((one) => one === parts.get("FREQ"));
  if (every === undefined) return refused("needs FREQ=DAILY, WEEKLY or MONTHLY");
  const interval = wholeNumber(parts.get("INTERVAL") ?? "1", limits.recurrenceIntervalMax);
  if (interval === null)
    return refused(`needs an INTERVAL from 1 to ${limits.recurrenceIntervalMax}`);
  const count = parts.has("COUNT")
    ? wholeNumber(parts.get("COUNT") ?? "", limits.recurrenceCountMax)
    : null;
  if (parts.has("COUNT") && count === null)
    return refused(`needs a COUNT from 1 to ${limits.recurrenceCountMax}`);
  const until = parts.get("UNTIL") ?? null;
  if (until !== null && !isMoment(until)) return refused("needs an UNTIL like 20261231T235959Z");
  if (until !== null && count !== null) return refused("has UNTIL and COUNT: one of them ends it");
  const days = (parts.get("BYDAY")?.split(",") ?? []).map(weekdayOf);
  if (days.some((one) => one === null))
    return refused("needs a BYDAY like MO,FR, or -1SU by month");
  const monthDays = (parts.get("BYMONTHDAY")?.split(",") ?? []).map(monthDayOf);
  if (monthDays.some((one) => one === null))
    return refused("needs a BYMONTHDAY from 1 to 31, or -1 to -31");
  const rule = {
    every,
    interval,
    count,
    until,
    days: days.filter((one) => one !== null),
    monthDays: monthDays.filter((one) => one !== null),
  };
  if (every !== "MONTHLY" && rule.days.some(({ nth }) => nth !== 0))
    return refused("has numbers in its BYDAY, which only FREQ=MONTHLY may have");
  return parsed(rule);
}

/** Whether a calendar has this day, and a clock this time: `20261399` has the form of one. */
function isMoment(text: string): boolean {
  if (!/^\d{8}(T\d{6}Z?)?$/.test(text)) return false;
  try {
    Temporal.PlainDateTime.from(text.replace("Z", ""));
    return true;
  } catch {
    return false;
  }
}

function wholeNumber(text: string, max: number): number | null {
  if (!/^\d{1,6}$/.test(text)) return null;
  const value = Number(text);
  return value >= 1 && value <= max ? value : null;
}

function weekdayOf(text: string): { day: number; nth: number } | null {
  const [, nth = "", word = ""] = /^([+-]?[1-5])?([A-Z]{2})$/.exec(text) ?? [];
  const day = weekdays.indexOf(word) + 1;
  return day === 0 ? null : { day, nth: nth === "" ? 0 : Number(nth) };
}

function monthDayOf(text: string): number | null {
  const value = /^[+-]?\d{1,2}$/.test(text) ? Number(text) : 0;
  return value !== 0 && Math.abs(value) <= 31 ? value : null;
}

/**
 * The days on which it begins, in order, from `from` on. Days before are skipped in one step if nothing has to be
 * counted; the caller takes as many as it needs.
 */
export function* daysOf(
  rule: Recurrence,
  first: Temporal.PlainDate,
  from: Temporal.PlainDate,
): Generator<Temporal.PlainDate> {
  let counted = 0;
  // What never comes, e.g. the 31st of every twelfth month from a February, ends too.
  let empty = 0;
  for (let index = startIndex(rule, first, from); empty < limits.recurrenceEmptyMax; index += 1) {
    const days = daysInPeriod(rule, first, index);
    empty = days.length === 0 ? empty + 1 : 0;
    for (const day of days) {
      if (Temporal.PlainDate.compare(day, first) < 0) continue;
      counted += 1;
      if (rule.count !== null && counted > rule.count) return;
      if (Temporal.PlainDate.compare(day, from) >= 0) yield day;
    }
  }
}

function startIndex(rule: Recurrence, first: Temporal.PlainDate, from: Temporal.PlainDate): number {
  if (rule.count !== null || Temporal.PlainDate.compare(from, first) <= 0) return 0;
  const { days, months } =
    rule.every === "MONTHLY"
      ? first.with({ day: 1 }).until(from, { largestUnit: "months" })
      : first.until(from, { largestUnit: "days" });
  const passed = { DAILY: days, WEEKLY: Math.floor(days / 7), MONTHLY: months }[rule.every];
  return Math.max(0, Math.floor(passed / rule.interval) - 1);
}

function daysInPeriod(
  rule: Recurrence,
  first: Temporal.PlainDate,
  index: number,
): readonly Temporal.PlainDate[] {
  const steps = index * rule.interval;
  switch (rule.every) {
    case "DAILY":
      return [first.add({ days: steps })].filter((day) => isWanted(rule, day));
    case "WEEKLY": {
      const monday = first.subtract({ days: first.dayOfWeek - 1 }).add({ weeks: steps });
      const wanted = rule.days.length > 0 ? rule.days.map(({ day }) => day) : [first.dayOfWeek];
      return [...new Set(wanted)]
        .toSorted((a, b) => a - b)
        .map((day) => monday.add({ days: day - 1 }))
        .filter((day) => isMonthDay(rule, day));
    }
    case "MONTHLY": {
      const begin = first.with({ day: 1 }).add({ months: steps });
      const all = Array.from({ length: begin.daysInMonth }, (_, day) => begin.add({ days: day }));
      if (rule.days.length === 0 && rule.monthDays.length === 0)
        return all.filter(({ day }) => day === first.day);
      return all.filter((day) => isWanted(rule, day));
    }
  }
}

const isWanted = (rule: Recurrence, day: Temporal.PlainDate): boolean =>
  isMonthDay(rule, day) && isWeekday(rule, day);

const isMonthDay = ({ monthDays }: Recurrence, { day, daysInMonth }: Temporal.PlainDate): boolean =>
  monthDays.length === 0 ||
  monthDays.some((wanted) => wanted === day || wanted === day - daysInMonth - 1);

function isWeekday({ days }: Recurrence, date: Temporal.PlainDate): boolean {
  const fromStart = Math.ceil(date.day / 7);
  const fromEnd = -Math.ceil((date.daysInMonth - date.day + 1) / 7);
  return (
    days.length === 0 ||
    days.some(
      ({ day, nth }) =>
        day === date.dayOfWeek && (nth === 0 || nth === fromStart || nth === fromEnd),
    )
  );
}
