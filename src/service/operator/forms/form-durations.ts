import { durationText, shownDuration, typedDuration } from "#base/duration";
import { millis } from "#base/units";
import type { Mistake } from "#check/findings";
import type { Control, FormFields } from "#check/form-field";
import { controlAt } from "#service/operator/forms/control-at";
import { typedTime } from "#service/operator/forms/typed-time";

/*
 * A duration is typed as people write one, `5s` or `0.5 s`, and comes back as the form writes it, `5 s` or `500 ms`. A number
 * without a unit is refused, also where a file has a number of milliseconds: 5 may be either.
 */

type DurationControl = Extract<Control, { is: "duration" }>;

/** What is no number stays text, which the argument refuses in its own words. */
export const numberIn = (text: string): number | string =>
  /^[-+]?\d+(\.\d+)?$/.test(text) ? Number(text) : text;

/** In milliseconds; null if it is no duration. Zero needs no unit. */
export const millisTyped = (text: string): number | null =>
  /^0+$/.test(text.trim()) ? 0 : typedDuration(text);

/** As a file writes it. What is no duration stays text, and is refused. */
export function writtenDuration({ written }: DurationControl, text: string): number | string {
  const read = millisTyped(text);
  if (written === "ms") return read ?? text;
  return read === null || !Number.isInteger(read)
    ? text.trim()
    : durationText(millis(read)) || "0s";
}

/** As the form writes what was typed. */
export function typedAgain(text: string): string {
  const read = text.trim() === "" ? null : millisTyped(text);
  return read === null || read < 0 ? text : shownDuration(read);
}

/** As the form writes what is saved: a number of milliseconds, or a duration in words. */
export const savedAgain = ({ written }: DurationControl, text: string): string =>
  typedAgain(written === "ms" && /^\d+$/.test(text) ? `${text} ms` : text);

/** The form with each duration and time of day as it writes one. */
export function withTimesAgain(fields: FormFields, typed: URLSearchParams): URLSearchParams {
  const after = new URLSearchParams();
  for (const [name, value] of typed) {
    const control = controlAt(fields, name);
    after.append(name, control === null ? value : timeAgain(control, value));
  }
  return after;
}

function timeAgain(control: Control, value: string): string {
  if (control.is === "time") return typedTime(value);
  return control.is === "duration" ? typedAgain(value) : value;
}

/** A refusal of a duration by the words of the form: rules write it as a number. */
export const durationMistakes = (
  fields: FormFields,
  typed: URLSearchParams,
  mistakes: readonly Mistake[],
): readonly Mistake[] =>
  mistakes.map((mistake) => {
    const control = durationAt(fields, mistake.field);
    if (control === null) return mistake;
    const text = typed.get(mistake.field) ?? "";
    return { ...mistake, message: refusalOf(control, text, mistake.message) };
  });

function refusalOf({ written, example }: DurationControl, text: string, message: string): string {
  const read = millisTyped(text);
  if (bareNumber.test(text)) return needsUnit(text.trim(), written);
  if (written === "ms" && text.trim() !== "" && read === null)
    return `must be a time with its unit, for example ${example}, 5 s or 1 min`;
  if (message.startsWith("must be a whole number"))
    return `must be in whole milliseconds, for example ${example}`;
  // Another room groups the digits of large numbers for people.
  const ungrouped = message.replaceAll(/(?<=\d)\u202f(?=\d)/g, "");
  return ungrouped
    .replace(
      /^must be in 0 to (\d+)(?: ms)?(?=, not \d)/,
      (_, most: string) => `must be at most ${shownDuration(Number(most))}`,
    )
    .replace(/(?<= )(\d+) to (\d+)(?: ms)?/, (_, from: string, to: string) =>
      [from, to].map((one) => shownDuration(Number(one))).join(" to "),
    )
    .replace(/(?<=, not )\d+(?:\.\d+)?$/, (value) => shownDuration(Number(value)))
    .replaceAll(/\b\d+(?:ms|s|m|h)\b/g, (value) => shownDuration(typedDuration(value) ?? 0));
}

const bareNumber = /^\s*\d+(?:[.,]\d+)?\s*$/;

/** With the two units that may be meant: a channel's times are longer. */
const needsUnit = (number: string, written: "ms" | "words"): string =>
  written === "ms"
    ? `needs its unit: ${number} s or ${number} ms`
    : `needs its unit: ${number} min or ${number} h`;

const durationAt = (fields: FormFields, name: string): DurationControl | null => {
  const control = controlAt(fields, name);
  return control?.is === "duration" ? control : null;
};
