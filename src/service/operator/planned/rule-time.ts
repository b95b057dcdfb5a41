import { daysOf, readRecurrence } from "#service/alerting/recurrence";
import { clockOfRule, nextLongDay, ruleTyped } from "#service/operator/planned/rule-words";

/** A form whose times follow its rule, and what is said of that. */
interface FormWithRuleTime {
  readonly typed: URLSearchParams;
  /** Null: no time was changed. */
  readonly words: string | null;
}

/**
 * The form with the day and the time of day that its rule says, for example of “weekdays at 3” and “second Tuesday of the
 * month”: work begins then, on the first such time after the one that was chosen, and is as long as it was if the rule
 * does not say how long.
 */
export function withRuleTime(form: URLSearchParams): FormWithRuleTime {
  const text = (name: string): string => form.get(name)?.trim() ?? "";
  const same = { typed: form, words: null };
  const begin = text("repeat") === "rule" ? moment(text("from")) : null;
  if (begin === null) return same;
  const clock = clockOfRule(text("recurrence"));
  const from = beginOf(text("recurrence"), begin, clock.time);
  const end = moment(text("to"));
  const to =
    clock.length === null
      ? (end?.add(begin.until(from)) ?? null)
      : from.add({ milliseconds: clock.length });
  const isSameBegin = from.equals(begin);
  const isSameLength =
    clock.length === null || (end !== null && to?.equals(end.add(begin.until(from))) === true);
  if (isSameBegin && isSameLength) return same;
  const typed = new URLSearchParams(form);
  typed.set("from", written(from));
  if (to !== null) typed.set("to", written(to));
  const begins = isSameBegin ? [] : [`begins ${whenOf(from, begin)}`];
  const ends = isSameLength || to === null ? [] : [`ends ${whenOf(to, from)}`];
  const fields = [...(isSameBegin ? [] : ["“Begins”"]), ...(isSameLength ? [] : ["“Ends”"])];
  return {
    typed,
    words: `It ${[...begins, ...ends].join(" and ")}, as the rule says: this takes the place of ${fields.join(" and ")}.`,
  };
}

/** With its day, if that is another one. */
function whenOf(moment: Temporal.PlainDateTime, known: Temporal.PlainDateTime): string {
  const time = written(moment).slice(11);
  const isSameDay = moment.toPlainDate().equals(known.toPlainDate());
  return isSameDay ? `at ${time}` : `on ${dayName.format(moment)} at ${time}`;
}

function beginOf(
  rule: string,
  chosen: Temporal.PlainDateTime,
  time: string | null,
): Temporal.PlainDateTime {
  const day = nextLongDay(rule, written(chosen));
  const begin = day?.toPlainDateTime(chosen.toPlainTime()) ?? chosen;
  const read = ruleTyped(rule, written(begin));
  if (!read.ok) return begin;
  if (time === null) return firstOf(read.value, begin);
  const thatDay = begin.withPlainTime(time);
  const isLater = day !== null || Temporal.PlainDateTime.compare(thatDay, begin) >= 0;
  const next = isLater || !hasOtherDays(read.value) ? thatDay : thatDay.add({ days: 1 });
  return firstOf(read.value, next);
}

/** On the first day of a rule. “Every 2 weeks on Monday” begins with the next Monday, also in another week. */
function firstOf(rule: string, begin: Temporal.PlainDateTime): Temporal.PlainDateTime {
  const read = readRecurrence(rule);
  if (!read.ok) return begin;
  const date = begin.toPlainDate();
  const { every, interval } = read.value;
  const any = { ...read.value, interval: every === "WEEKLY" ? 1 : interval };
  const [first = date] = daysOf(any, date, date).take(1);
  return first.toPlainDateTime(begin.toPlainTime());
}

/** A rule without days is on the day on which the work begins. */
function hasOtherDays(rule: string): boolean {
  const read = readRecurrence(rule);
  if (!read.ok) return false;
  const { every, days, monthDays } = read.value;
  return every === "DAILY" || days.length > 0 || monthDays.length > 0;
}

function moment(text: string): Temporal.PlainDateTime | null {
  try {
    return Temporal.PlainDateTime.from(text);
  } catch {
    return null;
  }
}

/** As a person reads it, e.g. `3 January 2027`. */
const dayName = new Intl.DateTimeFormat("en-GB", { dateStyle: "long" });

const written = (wall: Temporal.PlainDateTime): string => wall.toString({ smallestUnit: "minute" });
