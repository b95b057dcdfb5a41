import { shownDuration } from "#base/duration";
import { savedAgain } from "#service/operator/forms/form-durations";
import { capital, cutText } from "#base/text";
import type { Control, FormField, FormFields } from "#check/form-field";
import { isMapping } from "#base/json";
import { shownValueCharsMax } from "#limits/change-limits";
import { colourLabel } from "#service/operator/changes/colour-changes";
import { loggedForms, namesInForms } from "#service/operator/changes/logged-forms";
import { isLabel } from "#service/operator/changes/label-changes";
import { cutTimed } from "#service/operator/changes/timed-text";
import { singleTimeLabel, singleTimeValue } from "#service/operator/changes/single-times";
import { partChange } from "#service/operator/changes/part-changes";
import { colourWords } from "#service/operator/publishing/look-fields";
import type { AuditedKind } from "#service/store/audit/audited";
import type { FieldChange } from "#service/store/audit/field-change";

/* A changed field as people know it: by the label of its form, with units, and with words for values. */

/** What the log calls otherwise than the forms, or what no form has. */
const ownLabels: ReadonlyMap<string, string> = new Map([
  ["owner", "Managed by files"],
  ["file labels", "Labels"],
  ["from", "Begins"],
  ["to", "Ends"],
  ["otel endpoint", "OTLP endpoint"],
  ["otel headers", "OTLP headers"],
  ["configuration", "Settings of the provider"],
  ["email", "E-mail address"],
  ["key", "Key"],
  ["prefix", "Key begins with"],
  ["by", "By means of"],
  ["link", "Link for a password"],
  ["link ends", "Link works until"],
]);

/** `degradedAt` is `degraded_at` in a form, and `degraded at` in plain words. */
function formName(field: string): string {
  const name = field
    .replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replaceAll(" ", "_");
  return namesInForms.get(name) ?? name;
}

/** The field of a form that a field of the log is made of, if both have one name: `headers` of `headers: X-Team`. */
export const fieldForm = (field: string): string => formName(field.split(": ")[0] ?? "");

const fieldOf = (kind: AuditedKind, field: string): FormField | null =>
  loggedForms[kind][formName(field.replace(/^update \d+$/, "update"))] ?? null;

/** `Headers: X-Team` of one header of many, and `Label team` of one label. */
export function fieldLabel(kind: AuditedKind, field: string): string {
  const [name = "", ...rest] = field.split(": ");
  const colour = colourLabel(field);
  if (colour !== null) return colour;
  const time = singleTimeLabel(field);
  if (time !== null) return time;
  if (isLabel(field)) return `Label ${rest.join(": ")}`;
  if (name === "configuration" && kind === "page") return "Look and uptime";
  const label =
    ownLabels.get(name) ??
    fieldOf(kind, name)?.label ??
    capital(formName(name).replaceAll("_", " "));
  return [label, ...rest].join(": ");
}

/** The same of a change, which knows the name of a part: `Component API`, not `Component 7`. */
export function changedLabel(kind: AuditedKind, change: FieldChange): string {
  const part = partChange(change);
  const name = (part?.after ?? part?.before)?.name ?? "";
  if (part !== null && name !== "") return `${capital(part.kind)} ${name}`;
  return fieldLabel(kind, change.field.replace(/^update \d+$/, "update"));
}

/** A value as its form shows it, with instants as the log has them; cut if it is long. */
export function valueWords(kind: AuditedKind, field: string, value: string | null): string {
  const words = wholeWords(kind, field, value);
  if (singleTimeValue(field, value) !== null) return words;
  return (isLabel(field) ? cutText : cutTimed)(words, shownValueCharsMax);
}

/** The same, as long as it is in the log. */
export function wholeWords(kind: AuditedKind, field: string, value: string | null): string {
  const time = singleTimeValue(field, value);
  if (time !== null) return time;
  if (value === null || value === "") return "–";
  return isLabel(field) ? value : wordsOf(fieldOf(kind, field)?.control ?? null, value);
}

function wordsOf(control: Control | null, value: string): string {
  const isStructure = /^[[{]/.test(value);
  if (control?.is === "choice" && !isStructure) return choiceWords(control, value);
  if (control?.is === "number" && control.unit !== "") return `${value} ${control.unit}`;
  if (control?.is === "duration") return durationWords(control, value);
  if (value === "true") return "yes";
  if (value === "false") return "no";
  const inner = control === null ? {} : innerFields(control);
  return isStructure ? structureWords(value, inner, control) : value;
}

const choiceWords = ({ choices }: Extract<Control, { is: "choice" }>, value: string): string =>
  choices.find(([one]) => one === value)?.[1] ?? value;

/** The log has milliseconds; none of them is an empty field. */
function durationWords(control: Extract<Control, { is: "duration" }>, value: string): string {
  if (!/^\d+$/.test(value)) return savedAgain(control, value);
  return value === "0" ? "–" : shownDuration(Number(value));
}

/** Of two mappings only the parts that differ: a line has no room for the rest. Anything else stays as it is. */
export function differingParts(
  before: string | null,
  after: string | null,
): readonly [before: string | null, after: string | null] {
  const [one, other] = [mappingIn(before), mappingIn(after)];
  if (one === null || other === null) return [before, after];
  const isSame = (name: string): boolean =>
    JSON.stringify(one[name]) === JSON.stringify(other[name]);
  const rest = (all: Readonly<Record<string, unknown>>): string =>
    JSON.stringify(Object.fromEntries(Object.entries(all).filter(([name]) => !isSame(name))));
  return [rest(one), rest(other)];
}

function mappingIn(text: string | null): Readonly<Record<string, unknown>> | null {
  if (text === null || !text.startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isMapping(value) ? value : null;
  } catch {
    return null;
  }
}

/** What the parts of a value are called. */
function innerFields(control: Control): FormFields {
  if (control.is === "section") return control.fields;
  return control.is === "rows" ? control.columns : {};
}

/** Lists and mappings as words; what is no JSON stays as it is. */
function structureWords(text: string, fields: FormFields, control: Control | null): string {
  try {
    return partWords(JSON.parse(text), fields, control);
  } catch {
    return text;
  }
}

function partWords(value: unknown, fields: FormFields, control: Control | null = null): string {
  if (Array.isArray(value)) return listWords(value, fields, control);
  if (!isMapping(value)) return wordsOf(control, scalarText(value));
  const parts = Object.entries(value).flatMap(([name, one]) => {
    const field = fields[formName(name)];
    if (isUnwritten(one, field)) return [];
    if (isMapping(one) && schemes.has(name)) return colourParts(name, one);
    const label = field?.label ?? capital(formName(name).replaceAll("_", " "));
    return [`${label}: ${partWords(one, fields, field?.control ?? null)}`];
  });
  return parts.length === 0 ? "none" : parts.join(", ");
}

/** Several choices, which may have words together: `Monday to Friday`. */
function listWords(all: readonly unknown[], fields: FormFields, control: Control | null): string {
  if (control?.is === "choice") {
    const known = choiceWords(control, all.join());
    if (known !== all.join()) return known;
  }
  if (all.length === 0) return "none";
  const own = control?.is === "choice" ? control : null;
  return all.map((one) => partWords(one, fields, own)).join(own === null ? "; " : ", ");
}

/** What a form shows as an empty field; a number of checks is at least one. */
const isUnwritten = (value: unknown, field: FormField | undefined): boolean =>
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0 && field?.control.is !== "choice") ||
  (value === 0 && field?.control.is === "number" && field.control.unit === "checks");

const schemes: ReadonlySet<string> = new Set(["light", "dark"]);

/** `Text in light: #112233`, as the form of a page's look calls its colours. */
const colourParts = (scheme: string, colours: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(colours).map(
    ([name, value]) => `${colourWords.get(name) ?? name} in ${scheme}: ${scalarText(value)}`,
  );

const scalarText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);
