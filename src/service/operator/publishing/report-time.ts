import type { Mistake } from "#check/findings";
import { isoTime } from "#web/page/format";
import type { ReportRow, ReportUpdate } from "#service/store/page-store";
import { epochMillis, type EpochMillis, minutes } from "#base/units";

/* When an update was: people often write of what began a while ago. Pickers have minutes, and what was said has seconds. */

/** Between which instants an update may be, each with the whole of its minute. */
export interface TimeBounds {
  readonly field: "date" | "ended";
  /** Null: a new report may begin at any time. */
  readonly earliest: EpochMillis | null;
  readonly latest: EpochMillis;
  /** Why it can be no earlier and no later. */
  readonly words: { readonly early: string; readonly late: string };
}

const future = "must not be in the future";

export const firstBounds = (now: EpochMillis): TimeBounds => ({
  field: "date",
  earliest: null,
  latest: now,
  words: { early: "", late: future },
});

/** What began then and is over. */
const endBounds = (began: EpochMillis | null, now: EpochMillis): TimeBounds => ({
  field: "ended",
  earliest: began,
  latest: now,
  words: { early: "must not be before it began", late: future },
});

export const furtherBounds = (
  { updates }: Pick<ReportRow, "updates">,
  now: EpochMillis,
): TimeBounds => ({
  field: "date",
  earliest: updates.at(-1)?.at ?? null,
  latest: now,
  words: { early: "must not be before the report began", late: future },
});

/** What is corrected stays between the updates before and after it. */
export function correctedBounds(
  { updates }: Pick<ReportRow, "updates">,
  { id, at }: ReportUpdate,
  now: EpochMillis,
): TimeBounds {
  const place = updates.findIndex((one) => one.id === id);
  const next = updates[place - 1]?.at ?? null;
  return {
    field: "date",
    earliest: updates[place + 1]?.at ?? null,
    latest: epochMillis(Math.max(at, next ?? now)),
    words: {
      early: "must not be before the update below it",
      late: next === null ? future : "must not be after the next update",
    },
  };
}

/** The time as the form has it, in UTC. */
export const typedAt = (at: EpochMillis): string => isoTime(at).slice(0, "2026-11-22T14:05".length);

/** What is wrong with the time of a form; null if nothing is, or none is typed. */
export function timeMistake(typed: URLSearchParams, bounds: TimeBounds): Mistake | null {
  const { field, earliest, latest, words } = bounds;
  const text = textIn(typed, bounds);
  if (text === "") return null;
  const at = instantIn(text);
  if (at === null)
    return { field, message: "must be a day and a time, for example 2026-08-12T14:00" };
  if (at > latest) return { field, message: words.late };
  const isEarly = earliest !== null && at < minuteOf(earliest);
  return isEarly ? { field, message: words.early } : null;
}

const textIn = (typed: URLSearchParams, { field }: TimeBounds): string =>
  (typed.get(field) ?? "").trim();

/** The instant that a form means; null if it says none that can be. What was not changed is the instant that it was. */
export function timeIn(
  typed: URLSearchParams,
  bounds: TimeBounds,
  kept: EpochMillis | null = null,
): EpochMillis | null {
  const at = instantIn(textIn(typed, bounds));
  if (at === null || timeMistake(typed, bounds) !== null) return null;
  if (kept !== null && minuteOf(kept) === at) return kept;
  return epochMillis(Math.max(at, bounds.earliest ?? at));
}

/** Whether the form of a new report says that what it is about is over. */
export const isPast = (typed: URLSearchParams): boolean => (typed.get("ended") ?? "").trim() !== "";

/** What is wrong with when it ended; null if nothing is, or it is not over. What is resolved has no length without it. */
export function endMistake(typed: URLSearchParams, now: EpochMillis): Mistake | null {
  const isBegun = (typed.get("date") ?? "").trim() !== "";
  if (!isPast(typed))
    return isBegun && typed.get("status") === "resolved"
      ? { field: "ended", message: "is missing: it is resolved and began earlier, so it ended" }
      : null;
  const wrong = timeMistake(typed, endBounds(timeIn(typed, firstBounds(now)), now));
  return wrong ?? (isBegun ? null : { field: "date", message: "is required, as it has ended" });
}

/** When what a new report is about was over; null if it is not, or no time is given that can be. */
export function endIn(typed: URLSearchParams, now: EpochMillis): EpochMillis | null {
  const began = timeIn(typed, firstBounds(now));
  return began === null ? null : timeIn(typed, endBounds(began, now));
}

/** A script sends UTC by its letter; without one the field is UTC. */
function instantIn(text: string): EpochMillis | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?Z?$/.test(text)) return null;
  const at = Date.parse(text.endsWith("Z") ? text : `${text}Z`);
  return Number.isNaN(at) ? null : epochMillis(at);
}

const minuteOf = (at: EpochMillis): number => at - (at % minutes(1));
