import { cutText } from "#base/text";
import * as limits from "#limits/pages-limits";
import { counted } from "#web/page/format";
import type { Choice, FormField, FormFields } from "#check/form-field";
import { typedAgain } from "#service/operator/forms/form-durations";
import type { ShownForm } from "#service/operator/forms/shown-form";
import { rowCount, savedMark } from "#service/operator/forms/form-rows";

/** What a folded group says of its fields: those that have a value, by their labels. */
export function summaryOf(fields: FormFields, shown: ShownForm, none = "Not set"): string {
  const all = partsOf(fields, shown, "");
  if (all.length === 0) return none;
  const parts = all.slice(0, limits.summaryPartsMax);
  return `${parts.join(" · ")}${parts.length < all.length ? " · …" : ""}`;
}

const partsOf = (fields: FormFields, shown: ShownForm, prefix: string): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) => partOf(`${prefix}${name}`, field, shown));

function partOf(name: string, { label, control }: FormField, shown: ShownForm): readonly string[] {
  const value = shown.typed.get(name) ?? "";
  switch (control.is) {
    case "section":
      return partsOf(control.fields, shown, `${name}.`);
    case "rows":
    case "pairs": {
      const count = rowCount(shown.typed, name);
      if (count > 0) return [counted(count, control.one)];
      return control.is === "rows" && control.none !== undefined ? [control.none] : [];
    }
    case "several":
      return severalWords(label, shown.choices[name] ?? [], shown.typed.getAll(name));
    case "flag":
      return [shown.typed.has(name) ? label : (control.off ?? `${label}: no`)];
    case "choice":
      if (control.isQuiet !== true) return [wordsOf(control.choices, value)];
      return value === "" ? [] : [`${label}: ${wordsOf(control.choices, value).toLowerCase()}`];
    case "password":
      return [];
    case "secret":
      if (value !== "") return [label];
      return shown.typed.has(savedMark(name)) ? [`${label}: saved`] : [];
    case "number":
      return value === "" ? [] : [`${label}: ${`${value} ${control.unit}`.trim()}`];
    case "duration":
      return value === "" ? [] : [`${label}: ${typedAgain(value)}`];
    case "long":
    case "lines":
      return value.trim() === "" ? [] : [label];
    case "file":
      return [];
    case "text":
    case "colour":
    case "address":
    case "time":
    case "moment":
      return valueWords(label, "zone" in control ? utcWords(value) : value);
  }
}

const valueWords = (label: string, value: string): readonly string[] =>
  value === "" ? [] : [`${label}: ${cutText(value, limits.summaryValueCharsMax)}`];

/** `2026-11-22 14:05 UTC`, of an instant or of a time of UTC. */
const utcWords = (value: string): string =>
  value === "" ? "" : `${value.slice(0, "2026-11-22T14:05".length).replace("T", " ")} UTC`;

function severalWords(
  label: string,
  choices: readonly Choice[],
  chosen: readonly string[],
): readonly string[] {
  if (chosen.length === 0) return [];
  if (chosen.length > 2) return [`${label}: ${chosen.length}`];
  return [`${label}: ${chosen.map((one) => wordsOf(choices, one)).join(", ")}`];
}

/** The first is chosen unless another is. */
const wordsOf = (choices: readonly Choice[], value: string): string =>
  choices.find(([one]) => one === value)?.[1] ?? value;
