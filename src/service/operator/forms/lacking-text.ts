import type { Control, FormFields } from "#check/form-field";
import type { Mistake } from "#check/findings";
import { controlAt } from "#service/operator/forms/control-at";
import { labelIn } from "#service/operator/forms/field-view";

/**
 * What a form says of a text field that has to be filled in and is empty: `Enter a title`. Calls and files get a rule with
 * its bounds; a person who typed nothing has no use for those.
 */
export const withLackingTexts = (
  fields: FormFields,
  typed: URLSearchParams,
  mistakes: readonly Mistake[],
): readonly Mistake[] =>
  mistakes.map(({ field, message }) => {
    const { name, label } = labelIn(fields, field);
    const isTyped = isTypedAt(fields, name);
    if (name !== field || !isTyped || (typed.get(field) ?? "").trim() !== "")
      return { field, message };
    // In a row it is the column that is empty: “Headers, header 1: Name”.
    return { field, message: lackingText(label.replace(/^.*: /, ""), message) };
  });

/** The refusal of a field with this label that is empty; any other refusal stays. */
export function lackingText(label: string, message: string): string {
  const [, advice = ""] = /^(?:is required|must not be empty): (?:give )?(.+)$/.exec(message) ?? [];
  const [, like = ""] = /^must be like (.+)$/.exec(message) ?? [];
  if (like !== "") return `${entered(label)}, for example ${like}`;
  if (advice !== "") return `${entered(label)}: ${advice}`;
  return bareLack.test(message) ? entered(label) : message;
}

const bareLack =
  /^(?:is required(?:, but missing)?|must not be empty|must (?:be|have) 1 to [\d\u202f]+ characters(?: long)?)$/;

function entered(label: string): string {
  // “URL” and “API key” begin with letters that are said one by one.
  const isAbbreviated = /^[A-Z]{2}/.test(label);
  const noun = isAbbreviated ? label : `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
  const article = /^(?:[aeio]|[AEFHILMNORSX][A-Z])/.test(noun) ? "an" : "a";
  return `Enter ${article} ${noun}`;
}

function isTypedAt(fields: FormFields, name: string): boolean {
  const control = controlAt(fields, name);
  return control !== null && typedControls.has(control.is);
}

const typedControls: ReadonlySet<Control["is"]> = new Set([
  "text",
  "address",
  "long",
  "secret",
  "password",
  "number",
]);
