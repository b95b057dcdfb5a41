import type { FormFields, FormField, Control } from "#check/form-field";
import { html, type Html } from "#web/page/html";
import type { ShownForm } from "#service/operator/forms/shown-form";
import { fieldId } from "#service/operator/forms/field-id";
import { inputOf } from "#service/operator/forms/input-view";
import { rowButton, rowCount, rowMark } from "#service/operator/forms/form-rows";
import { useButton } from "#service/operator/forms/form-turns";
import { belowField, isLack, isOfMany } from "#service/operator/forms/refusal-words";
import { samplePicture } from "#service/operator/forms/sample-picture";
import { severalView } from "#service/operator/forms/several-view";
import { slugWords } from "#service/status-page/page-rules";
import { slugFromTitle } from "#service/status-page/slug-from-title";

/** One setting: its label, where it is typed, what is wrong with it, and what helps. */
export function fieldView(name: string, field: FormField, all: ShownForm): Html {
  const { label, help, control } = field;
  const shown = withInner(name, control, all);
  switch (control.is) {
    case "rows":
    case "pairs":
      return rowsView(name, field, control, shown);
    case "section":
      return sectionView(name, control.fields, shown);
    case "several":
      return html`<fieldset
        class="field several"
        ${describedBy(name, field, shown)}${reachable(name, shown)}
      >
        <legend>${label}</legend>
        ${severalView(name, label, shown)} ${wrongLines(name, shown, control)}
        ${helpLine(name, help, shown)}
      </fieldset>`;
    case "flag":
      return html`<div class="field tick">
        ${inputOf(name, control, shown, describedBy(name, field, shown))}
        <label for="${fieldId(name, shown)}">${label}</label> ${wrongLines(name, shown)}
        ${helpLine(name, help, shown)}
      </div>`;
    case "choice":
      return control.sentences === undefined && control.samples === undefined
        ? lineView(name, field, shown)
        : cardsView(name, field, control, shown);
    default:
      return lineView(name, field, shown);
  }
}

const lineView = (name: string, field: FormField, shown: ShownForm): Html =>
  html`<div class="field${wrongOf(name, shown).length === 0 ? "" : " wrong"}">
    <label for="${fieldId(name, shown)}">${field.label}${zoneOf(field.control)}</label>
    ${inputOf(name, field.control, shown, describedBy(name, field, shown))}
    ${wrongLines(name, shown)} ${noteLine(name, shown)} ${helpLine(name, field.help, shown)}
  </div>`;

/** A script puts the name of the reader's own in its place. */
const zoneOf = (control: Control): Html | null =>
  control.is === "moment" && control.zone === "reader"
    ? html` (<span data-zone-name>UTC</span>)`
    : null;

/** What is doubtful about what is filled in; a script puts another in its place. */
function noteLine(name: string, shown: ShownForm): Html | null {
  const note = shown.notes[name];
  return note === undefined ? null : html`<p class="doubt">${note}</p>`;
}

/** One button of a choice for each card. A mistake leads to all of them. */
function cardsView(
  name: string,
  field: FormField,
  { choices, sentences = {}, samples }: Extract<Control, { is: "choice" }>,
  shown: ShownForm,
): Html {
  const chosen = shown.typed.get(name) ?? choices[0]?.[0];
  return html`<fieldset
    class="field picked-card${samples === undefined ? "" : " sampled"}"
    id="${fieldId(name, shown)}"
    ${describedBy(name, field, shown)}${reachable(name, shown)}
  >
    <legend>${field.label}</legend>
    ${wrongLines(name, shown)} ${helpLine(name, field.help, shown)}
    ${choices.map(
      ([value, words]) =>
        html`<label class="choice-card">
          <input
            type="radio"
            name="${name}"
            value="${value}"
            ${value === chosen ? html` checked` : null}
          />
          <span>
            <strong>${words}</strong>
            ${sentences[value] === undefined ? null : html`<span class="help">${sentences[value]}</span>`}
            ${(samples?.[value] ?? []).map(samplePicture)}
          </span>
        </label>`,
    )}
  </fieldset>`;
}

/** One input has all that is said of its lines or boxes: of `regions[0]`, too. */
const withInner = (name: string, { is }: Control, shown: ShownForm): ShownForm =>
  is === "section" || is === "rows" || is === "pairs"
    ? shown
    : {
        ...shown,
        mistakes: shown.mistakes.map((mistake) =>
          mistake.field.startsWith(`${name}[`) ? { ...mistake, field: name } : mistake,
        ),
      };

/** What is wrong with a section as a whole is said above its fields. */
function sectionView(name: string, fields: FormFields, shown: ShownForm): Html {
  const inner = Object.entries(fields).map(([one, field]) =>
    fieldView(`${name}.${one}`, field, shown),
  );
  if (wrongOf(name, shown).length === 0) return html`${inner}`;
  const focus = name === shown.first ? html` autofocus` : null;
  return html`<div id="${fieldId(name, shown)}" ${focus}${reachable(name, shown)}>
    ${wrongLines(name, shown)} ${inner}
  </div>`;
}

const helpId = (name: string, shown: ShownForm): string => `${fieldId(name, shown)}-help`;
const wrongId = (name: string, shown: ShownForm): string => `${fieldId(name, shown)}-wrong`;

const helpLine = (name: string, help: string, shown: ShownForm): Html | null =>
  help === "" ? null : html`<p class="help" id="${helpId(name, shown)}">${help}</p>`;

/** What is said of this field, and of what is inside it but not by a field inside. */
const wrongOf = (name: string, { mistakes }: ShownForm): readonly string[] =>
  mistakes.filter(({ field }) => field === name).map(({ message }) => message);

function wrongLines(name: string, shown: ShownForm, control?: Control): Html | null {
  const messages = wrongOf(name, shown);
  if (messages.length === 0) return null;
  const isMany = control !== undefined && isOfMany(control);
  const look = messages.every(isLack) ? "wrong-line lack" : "wrong-line";
  return html`<p class="${look}" id="${wrongId(name, shown)}">
    ${messages.map((one) => belowField(one, isMany)).join(" ")} ${offer(name, messages, shown)}
  </p>`;
}

/** What was typed as it would be taken, if that is clear. */
function offer(name: string, messages: readonly string[], shown: ShownForm): Html | null {
  const typed = (shown.typed.get(name) ?? "").trim();
  const better = messages.map((one) => betterThan(typed, one)).find((one) => one !== null);
  if (better === undefined) return null;
  return html`<button
    type="submit"
    class="small"
    name="${useButton}"
    value="${name} ${better}"
    data-stay="${fieldId(name, shown)}"
  >
    Use ${better}
  </button>`;
}

/** A URL that lacks its scheme has one; a name in an address has only what may be in it. Null: nothing is clear. */
function betterThan(typed: string, message: string): string | null {
  if (message === slugWords) return slugFromTitle(typed) || null;
  const better = `https://${typed}`;
  const isWhole = better.indexOf("://") === better.lastIndexOf("://") && URL.canParse(better);
  return isWhole && message.startsWith("must begin with http:// or https://") ? better : null;
}

/** The attributes by which a screen reader says what helps and what is wrong. */
function describedBy(name: string, { help }: FormField, shown: ShownForm): Html {
  const wrong = wrongOf(name, shown);
  const isWrong = wrong.length > 0;
  const ids = [
    ...(isWrong ? [wrongId(name, shown)] : []),
    ...(help === "" ? [] : [helpId(name, shown)]),
  ];
  return html`${ids.length === 0 ? null : html` aria-describedby="${ids.join(" ")}"`}${
    isWrong ? html` aria-invalid="true"` : null
  }${isWrong && wrong.every(isLack) ? html` required` : null}${name === shown.first ? html` autofocus` : null}`;
}

/** Lets the cursor into what is no input, if it is the first that is wrong. */
const reachable = (name: string, { first }: ShownForm): Html | null =>
  name === first ? html` tabindex="-1"` : null;

function rowsView(
  name: string,
  field: FormField,
  control: Extract<Control, { is: "rows" | "pairs" }>,
  shown: ShownForm,
): Html {
  const { columns, one } = control;
  const count = rowCount(shown.typed, name);
  const rows = Array.from({ length: count }, (_, index) =>
    rowView({ name, one, columns, index, isLast: index === count - 1 }, shown),
  );
  return html`<fieldset
    class="field rows"
    id="${fieldId(name, shown)}"
    ${describedBy(name, field, shown)}${reachable(name, shown)}
  >
    <legend>${field.label}</legend>
    ${helpLine(name, field.help, shown)} ${wrongLines(name, shown, control)} ${rows}
    <button type="submit" name="${rowButton}" value="add ${name}" data-stay="rows" class="small">
      Add ${one}
    </button>
  </fieldset>`;
}

interface ShownRow {
  readonly name: string;
  readonly one: string;
  readonly columns: FormFields;
  readonly index: number;
  readonly isLast: boolean;
}

function rowView({ name, one, columns, index, isLast }: ShownRow, shown: ShownForm): Html {
  const row = `${name}[${index}]`;
  // A row that was just added is where the person continues.
  const isNew = isLast && shown.mistakes.length === 0 && isUntouched(row, columns, shown);
  const first = firstTyped(columns);
  const fields = Object.entries(columns).map(([column, field]) => {
    const at = `${row}.${column}`;
    const attributes = html`${describedBy(at, field, shown)}${
      isNew && column === first ? html` autofocus` : null
    }`;
    return html`<div class="cell-field${wrongOf(at, shown).length === 0 ? "" : " wrong"}">
      <label for="${fieldId(at, shown)}">${field.label}</label>
      ${inputOf(at, field.control, shown, attributes)} ${wrongLines(at, shown)}
      ${helpLine(at, field.help, shown)}
    </div>`;
  });
  return html`<div class="row" role="group" aria-label="${one} ${index + 1}">
    <input type="hidden" name="${rowMark(name, index)}" value="" />${fields}
    <button
      type="submit"
      name="${rowButton}"
      value="remove ${row}"
      data-stay="rows"
      class="small"
      aria-label="Remove ${one} ${index + 1}"
    >
      Remove
    </button>
  </div>`;
}

/** Where a person begins: at the first column whose usual answer is not there already, as it is of what is before a time. */
function firstTyped(columns: FormFields): string | undefined {
  const entries = Object.entries(columns);
  const time = entries.find(([, { control }]) => control.is === "time");
  return (time ?? entries.find(([column]) => column !== "comparator"))?.[0];
}

const isUntouched = (row: string, columns: FormFields, { typed }: ShownForm): boolean =>
  typed.has(`${row}.row`) && Object.keys(columns).every((column) => !typed.has(`${row}.${column}`));

/** The label of the field that a refusal is about, and the name of the field that a link can lead to. */
export function labelIn(
  fields: FormFields,
  mistaken: string,
): { readonly name: string; readonly label: string } {
  const exact = fields[mistaken];
  if (exact !== undefined) return { name: mistaken, label: exact.label };
  const [name = "", index, column] =
    /^([^[.]+)(?:\[(\d+)\])?(?:\.(.+))?$/.exec(mistaken)?.slice(1) ?? [];
  const field = fields[name];
  if (field === undefined) return { name: mistaken, label: mistaken };
  const { control, label } = field;
  if (control.is === "section" && column !== undefined) {
    const inner = control.fields[column];
    return inner === undefined ? { name, label } : { name: mistaken, label: inner.label };
  }
  if ((control.is === "rows" || control.is === "pairs") && index !== undefined) {
    const isSame = label.toLowerCase() === control.one;
    const words = `${isSame ? label : `${label}, ${control.one}`} ${Number(index) + 1}`;
    const one = column === undefined ? undefined : control.columns[column];
    return one === undefined
      ? { name, label: words }
      : { name: mistaken, label: `${words}: ${one.label}` };
  }
  return { name, label };
}
