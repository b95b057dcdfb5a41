import { typedAgain } from "#service/operator/forms/form-durations";
import type { FormField, FormFields } from "#check/form-field";
import * as limits from "#limits/pages-limits";
import { html, type Html } from "#web/page/html";
import type { MemberNames } from "#service/operator/changes/member-names";
import { fieldsAt } from "#service/operator/kept/fields-at";
import { rowCount, withoutEmptyRows } from "#service/operator/forms/form-rows";
import { maskedAddress } from "#service/operator/forms/masked-address";
import { withAllTicked } from "#service/operator/forms/packed-choices";
import type { TypedForm } from "#service/operator/kept-forms";
import { lengthWords } from "#service/operator/silence-form";

/** What a person typed into a form, each field by its label. What is empty is left out, and no secret is shown. */
export function typedList({ path, form }: TypedForm, names: MemberNames): Html | null {
  const lines = typedLines({ path, form }, names);
  if (lines.length === 0) return null;
  return html`<dl class="facts kept-texts">
    ${lines.map(
      ([label, words]) =>
        html`<dt>${label}</dt>
          <dd>${words}</dd>`,
    )}
  </dl>`;
}

type Line = readonly [label: string, words: string];

/** The same as lines. */
export function typedLines({ path, form }: TypedForm, names: MemberNames): readonly Line[] {
  const fields = fieldsAt(path, form);
  const typed = withoutEmptyRows(fields, withAllTicked(form));
  const length = lengthWords(typed);
  if (length !== null) typed.set("length", length);
  return linesOf(fields, typed, names);
}

const linesOf = (
  fields: FormFields,
  typed: URLSearchParams,
  names: MemberNames,
  prefix = "",
): readonly Line[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const { label, control } = field;
    const at = `${prefix}${name}`;
    if (control.is === "section") return linesOf(control.fields, typed, names, `${at}.`);
    if (control.is === "rows" || control.is === "pairs")
      return Array.from({ length: rowCount(typed, at) }, (_, index): Line => {
        const row = linesOf(control.columns, typed, names, `${at}[${index}].`);
        const words = row.map(([column, value]) => `${column}: ${value}`).join(", ");
        return [`${label}, ${control.one} ${index + 1}`, words];
      });
    const words = hasCommand(at, field, typed) ? notShown : wordsOf(at, field, typed, names);
    return words === "" ? [] : [[label, words] as const];
  });

/** A whole command may be in a field for a target, with a token in a header. */
const hasCommand = (name: string, { control }: FormField, typed: URLSearchParams): boolean =>
  (control.is === "address" || name === "uri") && /\s/.test((typed.get(name) ?? "").trim());

/** Empty of a field in which nothing is. */
function wordsOf(
  name: string,
  { control }: FormField,
  typed: URLSearchParams,
  names: MemberNames,
): string {
  const value = (typed.get(name) ?? "").trim();
  if (value === "") return "";
  switch (control.is) {
    case "secret":
    case "password":
      return notShown;
    case "address":
      return maskedAddress(value);
    case "flag":
      return "yes";
    case "number":
      return `${value} ${control.unit}`.trim();
    case "duration":
      return typedAgain(value);
    case "time":
    case "moment":
      return value.replace("T", " ");
    case "choice":
      return control.choices.find(([one]) => one === value)?.[1] ?? memberWords([value]);
    case "several":
      return membersOf(name, typed.getAll(name), names);
    case "text":
    case "colour":
    case "long":
    case "lines":
      return value;
    case "file":
      return "to be chosen again";
    case "section":
    case "rows":
    case "pairs":
      return "";
  }
}

const notShown = "typed, not shown";

/** Monitors and locations by their names, if they are few. */
function membersOf(name: string, members: readonly string[], names: MemberNames): string {
  const list = memberLists[name];
  return list === undefined || members.length > limits.namesShown
    ? memberWords(members)
    : members.map((one) => names(list, one)).join(", ");
}

const memberLists: Readonly<Record<string, string>> = {
  monitor: "monitors",
  monitors: "monitors",
  monitor_ids: "monitors",
  location: "locations",
  locations: "locations",
  private_location_ids: "locations",
};

/** Numbers say nothing to a person. */
const memberWords = (members: readonly string[]): string =>
  members.every((one) => /^\d+$/.test(one)) ? `${members.length} chosen` : members.join(", ");
