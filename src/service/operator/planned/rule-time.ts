import { readRecurrence } from "#service/alerting/recurrence";
import { ruleTyped, timeOfRule } from "#service/operator/planned/rule-words";

/** A form whose times follow its rule, and what is said of that. */
interface FormWithRuleTime {
  readonly typed: URLSearchParams;
  /** Null: no time was changed. */
  readonly words: string | null;
}

/**
 * The form with the time of day that its rule says, for example of “weekdays at 3”: work begins then, on the first such
 * time after the one that was chosen, and is as long as it was.
 */
export function withRuleTime(form: URLSearchParams): FormWithRuleTime {
  const text = (name: string): string => form.get(name)?.trim() ?? "";
  const same = { typed: form, words: null };
  const rule = text("recurrence");
  const time = text("repeat") === "rule" ? timeOfRule(rule) : null;
  const begin = moment(text("from"));
  if (time === null || begin === null || text("from").slice(11, 16) === time) return same;
  const read = ruleTyped(rule, text("from"));
  if (!read.ok) return same;
  const thatDay = begin.withPlainTime(time);
  const isLater = Temporal.PlainDateTime.compare(thatDay, begin) > 0;
  const from = isLater || !hasOtherDays(read.value) ? thatDay : thatDay.add({ days: 1 });
  const end = moment(text("to"));
  const typed = new URLSearchParams(form);
  typed.set("from", written(from));
  if (end !== null) typed.set("to", written(end.add(begin.until(from))));
  return {
    typed,
    words: `It begins at ${time}, as the rule says: this takes the place of “Begins”.`,
  };
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

const written = (wall: Temporal.PlainDateTime): string => wall.toString({ smallestUnit: "minute" });
