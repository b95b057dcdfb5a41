import type { FieldChange } from "#service/store/audit/field-change";

/* Of planned work that repeats, one time that is skipped or has other times, as the log has it. Instants stay as they are. */

const named = "end of the time from: ";

/** When the time begins, e.g. `2026-12-08T22:00:00.000Z`; null of any other field. */
const beginIn = (field: string): string | null =>
  field.startsWith(named) ? field.slice(named.length) : null;

/** `The time from 8 Dec, 22:00`, as the name of the field; null of any other. */
export function singleTimeLabel(field: string): string | null {
  const begin = beginIn(field);
  return begin === null ? null : `The time from ${begin}`;
}

/** `skipped`, `ends 8 Dec, 23:00`, `begins 8 Dec, 20:00 and ends 8 Dec, 21:00` or `as planned`; null of any other field. */
export function singleTimeValue(field: string, value: string | null): string | null {
  if (beginIn(field) === null) return null;
  if (value === null) return "as planned";
  return value === skipped ? skipped : timesIn(value);
}

/** Of what began early, the log has both its times. */
function timesIn(value: string): string {
  const [end = "", begin] = value.split(" to ").toReversed();
  return begin === undefined ? `ends ${end}` : `begins ${begin} and ends ${end}`;
}

/** What became of it in words, e.g. `8 Dec, 22:00 skipped`; null of any other change. */
export function singleTimeSentence(change: FieldChange): string | null {
  const begin = beginIn(change.field);
  if (begin === null || change.is !== "text") return null;
  const { before, after } = change;
  if (after === skipped) return `${begin} skipped`;
  if (after !== null) return `the time from ${begin} ${timesIn(after)}`;
  if (before === skipped) return `${begin} takes place again`;
  const isEarly = before?.includes(" to ") === true;
  return `the time from ${begin} ${isEarly ? "begins and ends" : "ends"} as planned again`;
}

const skipped = "skipped";
