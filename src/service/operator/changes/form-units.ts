import type { FormField, FormFields } from "#check/form-field";
import { violation } from "#service/edge/call-refusal";
import { dropMark, savedMark } from "#service/operator/forms/form-rows";

/* What of a form two people decide on as one: a field with all its rows, its boxes, or the mark of its saved secret. */

/** The fields of a form by the names under which they are sent; the rows of a field are one. */
export const fieldsByName = (fields: FormFields, prefix = ""): ReadonlyMap<string, FormField> =>
  new Map(
    Object.entries(fields).flatMap(([name, field]): (readonly [string, FormField])[] =>
      field.control.is === "section"
        ? [...fieldsByName(field.control.fields, `${prefix}${name}.`)]
        : [[`${prefix}${name}`, field]],
    ),
  );

/** The unit that something sent belongs to; null of what is not saved. */
export function unitOf(name: string): string | null {
  if (notSaved.has(name) || name.endsWith(".find") || name.startsWith(choicePrefix)) return null;
  const [row = name] = name.split("[");
  const unit = [savedMark(""), dropMark("")].reduce(
    (left, mark) => (left.endsWith(mark) ? left.slice(0, -mark.length) : left),
    row,
  );
  // A time of day means nothing without its zone, nor an end without its beginning.
  return times.has(unit) ? "from" : unit;
}

const times: ReadonlySet<string> = new Set(["from", "to", "time_zone"]);
/** The token, the versions, and what buttons and scripts say. */
const notSaved: ReadonlySet<string> = new Set([
  "form",
  "basis",
  "shown",
  "edit",
  "opened",
  "folded",
  "enter",
]);

/** All that is sent of a unit, in its order. */
export const entriesOf = (
  form: URLSearchParams,
  unit: string,
): readonly (readonly [name: string, value: string])[] =>
  [...form].filter(([name]) => unitOf(name) === unit);

/** The same of each unit, in one pass: a form may have thousands of names. */
export function byUnit(form: URLSearchParams): ReadonlyMap<string, URLSearchParams> {
  const units = new Map<string, URLSearchParams>();
  for (const [name, value] of form) {
    const unit = unitOf(name);
    if (unit !== null)
      units.getOrInsertComputed(unit, () => new URLSearchParams()).append(name, value);
  }
  return units;
}

/** The field of a form that says which version of a unit is saved. */
export const choiceOf = (unit: string): string => `${choicePrefix}${unit}`;
const choicePrefix = "keep:";
export const takesTheirs = "theirs";
export const keepsMine = "mine";

/** The form as a person chose it: of each unit of which they took the others' version, what is saved of it. */
export function asChosen(form: URLSearchParams, saved: URLSearchParams | null): URLSearchParams {
  const choices = [...form].filter(([name]) => name.startsWith(choicePrefix));
  if (choices.length === 0) return form;
  const taken = choices.flatMap(([name, value]) =>
    value === takesTheirs ? [name.slice(choicePrefix.length)] : [],
  );
  const chosen = new URLSearchParams([...form].filter(([name]) => !name.startsWith(choicePrefix)));
  const [first] = taken;
  if (first === undefined) return chosen;
  if (saved === null) throw violation({ field: first, message: "must be as the page sends it" });
  return withUnits(chosen, saved, new Set(taken));
}

/** The form with these units as another form has them. */
export function withUnits(
  form: URLSearchParams,
  other: URLSearchParams,
  units: ReadonlySet<string>,
): URLSearchParams {
  const isTaken = ([name]: readonly [string, string]): boolean => units.has(unitOf(name) ?? "");
  return new URLSearchParams([
    ...[...form].filter((entry) => !isTaken(entry)),
    ...[...other].filter(isTaken),
  ]);
}
