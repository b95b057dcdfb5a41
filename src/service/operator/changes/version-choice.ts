import { capital } from "#base/text";
import type { FormField } from "#check/form-field";
import { html, type Html } from "#web/page/html";
import type { Clash } from "#service/operator/changes/clashes";
import { fieldLabel, valueWords } from "#service/operator/changes/field-words";
import type { AuditedKind } from "#service/store/audit/audited";
import type { FilledForm } from "#service/operator/changes/filled-form";
import {
  choiceOf,
  entriesOf,
  keepsMine,
  takesTheirs,
  unitOf,
} from "#service/operator/changes/form-units";
import type { MemberNames } from "#service/operator/changes/member-names";
import { typedLines } from "#service/operator/kept/typed-list";

/** What the two versions of a field are called. */
export interface VersionWords {
  readonly mine: string;
  readonly theirs: string;
}

/** A form as three have it. */
export interface FormVersions {
  readonly action: string;
  /** Null: it is not known. */
  readonly base: URLSearchParams | null;
  readonly saved: FilledForm;
  readonly mine: URLSearchParams;
  readonly fields: ReadonlyMap<string, FormField>;
}

/** A field that two changed: whose version is saved. Mine is, unless a person chooses. */
export function versionChoice(
  unit: string,
  versions: FormVersions & { readonly whose: VersionWords },
  names: MemberNames,
): Html {
  const words = (form: URLSearchParams): string => wordsOf(unit, form, versions, names);
  const { base, mine, saved } = versions;
  return choice(unit, {
    label: labelOf(unit, versions.fields),
    before: base === null ? null : words(base),
    mine: words(mine),
    theirs: words(saved.form),
    whose: versions.whose,
  });
}

/** The same of what both changed by different fields of the form. */
export function clashChoice(kind: AuditedKind, { unit, change }: Clash, whose: VersionWords): Html {
  const words = (value: string | null): string => valueWords(kind, change.field, value);
  const label = fieldLabel(kind, change.field);
  return choice(unit, {
    label,
    before: null,
    mine: words(change.after),
    theirs: words(change.before),
    whose,
  });
}

interface ShownVersions {
  readonly label: string;
  /** Null: it is not known. */
  readonly before: string | null;
  readonly mine: string;
  readonly theirs: string;
  readonly whose: VersionWords;
}

const choice = (unit: string, { label, before, mine, theirs, whose }: ShownVersions): Html =>
  html`<fieldset class="field picked-card">
    <legend>${label}</legend>
    ${before === null ? null : html`<p class="help">Before: ${before}</p>`}
    ${card(choiceOf(unit), keepsMine, whose.mine, mine)}
    ${card(choiceOf(unit), takesTheirs, whose.theirs, theirs)}
  </fieldset>`;

const card = (name: string, value: string, whose: string, words: string): Html =>
  html`<label class="choice-card">
    <input
      type="radio"
      name="${name}"
      value="${value}"
      ${value === keepsMine ? html` checked` : null}
    />
    <span><strong>${whose}</strong> <span class="help">${words}</span></span>
  </label>`;

function labelOf(unit: string, fields: ReadonlyMap<string, FormField>): string {
  if (unit === unitOf("to")) return "Begins and ends";
  return fields.get(unit)?.label ?? capital(unit.replaceAll(/[_.]/g, " "));
}

/** What a form has in a field, as people read it; no secret is shown. */
function wordsOf(
  unit: string,
  form: URLSearchParams,
  { action, saved, mine }: FormVersions,
  names: MemberNames,
): string {
  const entries = entriesOf(form, unit);
  const [only] = entries;
  const chosen = only === undefined ? null : saved.choiceWords(...only);
  if (entries.length === 1 && chosen !== null) return chosen;
  const typed = new URLSearchParams(entries.map(([name, value]) => [name, value]));
  // The kind of a monitor says what its fields are.
  const kind = mine.get("kind");
  if (kind !== null) typed.set("kind", kind);
  const lines = typedLines({ path: action, form: typed }, names);
  if (lines.length === 0)
    return entries.some(([name]) => name.endsWith(".saved")) ? "the saved one, not shown" : "empty";
  const [line] = lines;
  return line !== undefined && lines.length === 1 && !entries.some(([name]) => name.includes("["))
    ? line[1]
    : lines.map(([label, words]) => `${label}: ${words}`).join("; ");
}
