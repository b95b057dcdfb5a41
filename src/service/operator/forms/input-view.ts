import type { Choice, Control } from "#check/form-field";
import * as limits from "#limits/form-limits";
import { html, type Html } from "#web/page/html";
import type { FormState } from "#service/operator/forms/form-group";
import { fieldId } from "#service/operator/forms/field-id";
import { withShowButton } from "#service/operator/forms/show-button";
import { dropMark, savedMark } from "#service/operator/forms/form-rows";

/** A control that is one input of a browser. */
type OneInput = Exclude<Control, { is: "rows" | "pairs" | "section" | "several" }>;

/** Where a person types or chooses; `attributes` say what describes it. */
export function inputOf(
  name: string,
  control: Control,
  form: FormState & { readonly idPrefix: string },
  attributes: Html,
): Html | null {
  switch (control.is) {
    case "rows":
    case "pairs":
    case "section":
    case "several":
      return null;
    default:
      return drawn(name, control, form.typed, {
        id: fieldId(name, form),
        attributes: html` id="${fieldId(name, form)}"${attributes}`,
      });
  }
}

/** A control's element: its id, and all that it is drawn with. */
interface DrawnWith {
  readonly id: string;
  readonly attributes: Html;
}

function drawn(name: string, control: OneInput, typed: URLSearchParams, drawnWith: DrawnWith) {
  const { id, attributes } = drawnWith;
  const value = typed.get(name) ?? "";
  switch (control.is) {
    case "text":
      return textInput(name, value, control, attributes);
    case "colour":
      return colourInput(name, value, control.example, attributes);
    case "address":
      return addressInput(name, value, control, attributes);
    case "number":
      return figureInput(name, value, control, attributes);
    case "duration":
      // Not the example: that would look like a value that is set.
      return textInput(name, value, { width: "figure", example: control.empty ?? "" }, attributes);
    case "time":
      return textInput(name, value, { width: "figure" }, attributes);
    case "moment":
      return momentInput(name, value, control, attributes);
    case "file":
      return fileInput(name, control, attributes);
    case "long":
    case "lines":
      return textBox(name, value, "lines" in control ? control.lines : 3, attributes);
    case "secret":
      return secretInput(name, typed, attributes, (value, hinted) =>
        control.lines > 1
          ? textBox(name, value, control.lines, hinted)
          : textInput(name, value, { width: "line" }, hinted),
      );
    case "password":
      return secretInput(name, typed, attributes, (value, hinted) =>
        withShowButton(passwordInput(name, value, hinted), id),
      );
    case "choice":
      return choiceInput(name, control.choices, value, attributes);
    case "flag":
      return flagInput(name, typed.has(name), control, attributes);
  }
}

/** A file can be dropped on it. No browser shows one again that was sent. */
const fileInput = (
  name: string,
  { accept, bytesMax }: Extract<Control, { is: "file" }>,
  attributes: Html,
): Html =>
  html`<input
    type="file"
    name="${name}"
    accept="${accept}"
    data-bytes-max="${bytesMax}"
    ${attributes}
  />`;

/** A script sends a time of the reader as an instant, which comes back so. */
const momentInput = (
  name: string,
  value: string,
  { zone }: Extract<Control, { is: "moment" }>,
  attributes: Html,
): Html =>
  html`<input
    type="datetime-local"
    name="${name}"
    value="${zone === "reader" ? value.replace(/(:\d\d)?Z$/, "") : value}"
    class="name"
    ${zone === "reader" ? html` data-utc` : null}
    ${attributes}
  />`;

/** A browser leaves out one end of line right after the tag: a text that begins with an empty line has one more. */
const textBox = (name: string, value: string, lines: number, attributes: Html): Html => {
  const first = /^\r?\n/.test(value) ? "\n" : "";
  return html`<textarea name="${name}" rows="${lines}" ${attributes}>${first}${value}</textarea>`;
};

/** One that grows is one line high until more is in it. */
const addressInput = (
  name: string,
  value: string,
  { grows = false, example = "" }: Extract<Control, { is: "address" }>,
  attributes: Html,
): Html =>
  grows
    ? textBox(
        name,
        value,
        1,
        html` class="grows" placeholder="${example}" spellcheck="false"${attributes}`,
      )
    : textInput(name, value, { width: "line", example }, attributes);

const figureInput = (
  name: string,
  value: string,
  { unit, empty = "" }: Extract<Control, { is: "number" }>,
  attributes: Html,
): Html => {
  const hint = empty === "" ? null : html` placeholder="${empty}"`;
  const input = html`<input
    name="${name}"
    value="${value}"
    inputmode="decimal"
    autocomplete="off"
    class="figure"
    ${hint}${attributes}
  />`;
  return unit === "" ? input : html`<span class="unit">${input} ${unit}</span>`;
};

const textInput = (
  name: string,
  value: string,
  { width, example = "" }: { readonly width: string; readonly example?: string },
  attributes: Html,
): Html =>
  html`<input
    name="${name}"
    value="${value}"
    class="${width}"
    ${example === "" ? null : html` placeholder="${example}"`}
    autocomplete="off"
    spellcheck="false"
    ${attributes}
  />`;

/** The picker is no field of the form: it shows what is typed, and types what is picked. */
const colourInput = (name: string, value: string, example: string, attributes: Html): Html =>
  html`<span class="colour" data-picks
    >${textInput(name, value, { width: "word", example }, attributes)}<input
      type="color"
      value="${hexOf(value) ?? hexOf(example) ?? "#000000"}"
      aria-label="Pick: ${name.replace(/^.*--/, "").replaceAll("-", " ")}${schemeIn(name)}"
      disabled
  /></span>`;

/** Each colour has a field for either scheme. */
const schemeIn = (name: string): string =>
  ["light", "dark"].map((one) => (name.includes(one) ? ` in ${one}` : "")).join("");

/** As a picker takes it; null if it is in another form. */
const hexOf = (colour: string): string | null =>
  /^#[\da-f]{6}$/i.test(colour) ? colour.toLowerCase() : null;

const flagInput = (
  name: string,
  isOn: boolean,
  { isLocked = false }: Extract<Control, { is: "flag" }>,
  attributes: Html,
): Html =>
  html`<input
    type="checkbox"
    name="${name}"
    value="yes"
    ${isLocked ? html` disabled` : isOn ? html` checked` : null}
    ${attributes}
  />`;

/** A few choices in long words have a row for themselves, so that none is cut off. */
const choiceInput = (
  name: string,
  choices: readonly Choice[],
  value: string,
  attributes: Html,
): Html =>
  html`<select name="${name}" ${isWide(choices) ? html` class="wide"` : null}${attributes}>
    ${optionsOf(choices, value)}
  </select>`;

const isWide = (choices: readonly Choice[]): boolean =>
  choices.length <= limits.fewChoicesMax &&
  choices.some(([, words]) => words.length > limits.choiceCharsInHalf);

/** What is not among the choices is one all the same: it was typed, or an older version saved it. */
export function optionsOf(choices: readonly Choice[], value: string): readonly Html[] {
  const isKnown = value === "" || choices.some(([one]) => one === value);
  const all = isKnown ? choices : [...choices, [value, value] as const];
  return all.map(
    ([one, words]) =>
      html`<option value="${one}" ${one === value ? html` selected` : null}>${words}</option>`,
  );
}

/** What is saved is not shown. What was typed and refused is, for nothing of it is saved. */
function secretInput(
  name: string,
  typed: URLSearchParams,
  attributes: Html,
  inputOfValue: (value: string, attributes: Html) => Html,
): Html {
  const saved = typed.get(savedMark(name));
  const value = typed.get(name) ?? "";
  const kept =
    saved === null
      ? null
      : html`<input type="hidden" name="${savedMark(name)}" value="${saved}" />`;
  const hinted = html`${saved === null ? null : html` placeholder="saved, not shown"`}${attributes}`;
  return html`${kept}${inputOfValue(value, hinted)}${kept === null || name.includes("[") ? null : dropBox(name, typed)}`;
}

const passwordInput = (name: string, value: string, attributes: Html): Html =>
  html`<input
    type="password"
    name="${name}"
    value="${value}"
    class="name"
    autocomplete="new-password"
    ${attributes}
  />`;

/** A row's secret goes with its row. */
const dropBox = (name: string, typed: URLSearchParams): Html =>
  html`<label class="tick"
    ><input
      type="checkbox"
      name="${dropMark(name)}"
      value="yes"
      ${typed.has(dropMark(name)) ? html` checked` : null}
    />
    Remove the saved one</label
  >`;
