import { parsed, type ParseResult, refused } from "#network/parsed";
import { readRecurrence } from "#service/alerting/recurrence";
import { typedTime } from "#service/operator/forms/typed-time";
import { wordedDays } from "#service/operator/planned/worded-days";

/**
 * The rule (RFC 5545) that a person typed, or said in words: `FREQ=WEEKLY;INTERVAL=2;BYDAY=TU` of `every second Tuesday`.
 * A time of day in the words is no part of it.
 */
export function ruleTyped(text: string): ParseResult<string> {
  if (isWritten(text)) return parsed(text.trim().toUpperCase());
  const ended = withoutEnd(asSpaced(text));
  const { words } = withoutTime(ended.words);
  const rule = ruleOf(words);
  if (rule === null) return refused(inMonths(words) ?? notUnderstood);
  return parsed(`${rule}${ended.end}`);
}

/** The time of day in the words of a rule, e.g. `03:00` of `weekdays at 3`; null if they have none. */
export const timeOfRule = (text: string): string | null =>
  isWritten(text) ? null : withoutTime(withoutEnd(asSpaced(text)).words).time;

/** Not in words. */
const isWritten = (text: string): boolean => /^\s*(?:RRULE:)?\w+\s*=/i.test(text);

const notUnderstood =
  "is not understood: write for example “every second Tuesday”, “first Monday of the month”, “every 3 months on the 15th” or FREQ=WEEKLY;BYDAY=TU";

/** Of “monthly on the 45th”, too, the words are refused: the person typed no BYMONTHDAY. */
function ruleOf(text: string): string | null {
  const words = text.replaceAll(",", " , ").split(" ");
  const rule = wordedDays(words.filter((word) => word !== ""));
  return rule !== null && readRecurrence(rule).ok ? rule : null;
}

/** A rule has no quarters and years, only months that are counted from its first: words for that, null if none fit. */
function inMonths(words: string): string | null {
  const said = words
    .replace(/\b(?:quarterly|(?:(?:every|each|the|a) )?quarter)\b/, "every 3 months")
    .replace(/\b(?:yearly|annually|(?:(?:every|each|the|a) )?year)\b/, "every 12 months");
  return said === words || ruleOf(said) === null
    ? null
    : `cannot have a day of a quarter or a year: write “${said}”, which counts from the month in “Begins”`;
}

const asSpaced = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\s\u00a0\u202f]+/g, " ")
    .trim()
    .replace(/\.$/, "");

interface WordsAndEnd {
  readonly words: string;
  /** As a rule has it; empty: without end. */
  readonly end: string;
}

/** `…, 5 times` and `…, until 2026-12-31`; `daily 2 times` may be twice a day. */
function withoutEnd(words: string): WordsAndEnd {
  const [counted = "", count] = /(?:,| for|, for) (\d{1,4}) times$/.exec(words) ?? [];
  if (count !== undefined) return { words: cut(words, counted), end: `;COUNT=${Number(count)}` };
  const [until = "", year, month, day] =
    /,? (?:until|till) (\d{4})-(\d{2})-(\d{2})$/.exec(words) ?? [];
  if (year === undefined) return { words, end: "" };
  return { words: cut(words, until), end: `;UNTIL=${year}${month}${day}T235959` };
}

const cut = (words: string, tail: string): string => words.slice(0, words.length - tail.length);

/** `daily 22:00`, `every Tuesday at 9 pm`: a number alone is a time only after “at”. */
function withoutTime(words: string): { readonly words: string; readonly time: string | null } {
  const [tail = "", at = "", said = ""] =
    /(?:^|,? )(at )?((?:\d{1,2}(?:[:.h]?\d{2}| ?h)?(?: ?[ap]\.?m\.?)?)|noon|midnight)$/.exec(
      words,
    ) ?? [];
  const isTime = at !== "" || /[:.h]|[ap]\.?m|n/.test(said);
  const time = typedTime(said);
  if (!isTime || !/^\d\d:\d\d$/.test(time)) return { words, time: null };
  return { words: cut(words, tail), time };
}
