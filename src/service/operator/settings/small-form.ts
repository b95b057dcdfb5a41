import { html, type Html } from "#web/page/html";
import type { Mistake } from "#check/findings";
import { Refusal } from "#service/edge/call-refusal";
import { withGroupedLimits } from "#service/operator/forms/grouped-limits";
import { filledIn } from "#service/operator/forms/filled-in";
import { lackingText } from "#service/operator/forms/lacking-text";
import { withShowButton } from "#service/operator/forms/show-button";
import { afterLabel, belowField, mistakesHead } from "#service/operator/forms/refusal-words";
import { optionsOf } from "#service/operator/forms/input-view";
import type { KnownReader } from "#service/operator/page-request";

/** One field of a form that has a few: its name is that of the setting in refusals. */
export interface SmallField {
  readonly name: string;
  readonly label: string;
  /** Below the field; empty: nothing is. */
  readonly help: string;
  readonly input:
    | {
        readonly is: "text" | "email" | "number";
        readonly value: string;
        readonly charsMax: number;
        readonly isRequired: boolean;
      }
    | { readonly is: "password"; readonly autocomplete: "current-password" | "new-password" }
    | { readonly is: "code" }
    | {
        readonly is: "choice";
        readonly value: string;
        readonly choices: readonly (readonly [value: string, words: string])[];
      }
    | {
        /** Few choices, each with a line that says what it means. */
        readonly is: "cards";
        readonly value: string;
        readonly choices: readonly (readonly [value: string, words: string, says: string])[];
      };
}

/** By which whoever sits at an open session shows that they are its person. */
export const currentPassword: SmallField = {
  name: "current",
  label: "Current password",
  help: "",
  input: { is: "password", autocomplete: "current-password" },
};

interface SmallForm {
  readonly action: string;
  readonly reader: Pick<KnownReader, "formToken">;
  /** Null of a form below a heading that says the same: it has no separate card. */
  readonly legend: string | null;
  readonly fields: readonly SmallField[];
  /** What is wrong with what was sent last. */
  readonly mistakes: readonly Mistake[];
  readonly button: string;
  /** Whether the button takes something away. */
  readonly isDanger?: boolean;
  /** Whether it does something rather than save what was typed: a refusal says so. */
  readonly isAct?: boolean;
  /** Whether it is the main button of its page, also below a heading that says the same. */
  readonly isMain?: boolean;
  /** Where whoever does not send it goes; left out: they are on the page where it is. */
  readonly cancel?: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** The field in which a person begins to type, or continues in the first that is wrong; left out: the cursor is in none. */
  readonly begins?: string;
  /** Where two forms of one page have a field of the same name, theirs differ in this. */
  readonly idPrefix?: string;
}

/** A form in one column; each refusal is at its field, and above all of them with a link to it. */
export const smallForm = ({
  action,
  reader,
  legend,
  fields,
  mistakes: said,
  button,
  isDanger = false,
  isAct = isDanger,
  isMain = legend !== null,
  cancel,
  hidden = {},
  idPrefix = "field",
  begins,
}: SmallForm): Html => {
  const mistakes = withLacking(fields, said);
  const isOfPasswords = isOfPasswordsAlone(fields, mistakes);
  return html`<form
    method="post"
    action="${action}"
    class="form"
    ${isMain ? filledIn : null}
    novalidate
  >
    <input type="hidden" name="form" value="${reader.formToken}" />
    ${hiddenInputs(hidden)}
    ${isOfPasswords ? null : mistakeList(fields, mistakes, { idPrefix, isAct })}
    ${grouped(
      legend,
      html`${fields.map((field) =>
        fieldView(field, wrongOf(field, mistakes), {
          id: `${idPrefix}-${field.name}`,
          isFirst: field.name === (begins === undefined ? null : (mistakes[0]?.field ?? begins)),
          isSaidAlone: isOfPasswords,
        }),
      )}`,
    )}
    ${buttons(button, isDanger ? "danger" : isMain ? "main" : "", cancel)}
  </form>`;
};

const buttons = (words: string, look: string, cancel: string | undefined): Html =>
  html`<p class="buttons">
    <button type="submit" class="${look}">${words}</button>
    ${cancel === undefined ? null : html`<a href="${cancel}">Cancel</a>`}
  </p>`;

const hiddenInputs = (hidden: Readonly<Record<string, string>>): readonly Html[] =>
  Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );

/** A text field that is empty asks for its text. What was typed as a password does not come back, so that says its rule. */
const withLacking = (
  fields: readonly SmallField[],
  mistakes: readonly Mistake[],
): readonly Mistake[] =>
  mistakes.map(({ field, message }) => {
    const named = fields.find(({ name }) => name === field);
    const isEmpty =
      named !== undefined && "charsMax" in named.input && named.input.value.trim() === "";
    return { field, message: isEmpty ? lackingText(named.label, message) : message };
  });

/** A wrong password is said at its field alone: everything else that was typed is good. */
const isOfPasswordsAlone = (fields: readonly SmallField[], mistakes: readonly Mistake[]): boolean =>
  mistakes.length > 0 &&
  mistakes.every(({ field }) =>
    fields.some(({ name, input }) => name === field && input.is === "password"),
  );

const grouped = (legend: string | null, fields: Html): Html =>
  legend === null
    ? fields
    : html`<fieldset class="group">
        <legend>${legend}</legend>
        ${fields}
      </fieldset>`;

/** What a refusal says of fields; one that is about none is of the form as a whole. */
export function mistakesOf(error: unknown): readonly Mistake[] {
  if (!(error instanceof Refusal)) throw error;
  const { mistakes, message } = error;
  return withGroupedLimits(mistakes.length > 0 ? mistakes : [{ field: "", message }]);
}

const wrongOf = ({ name }: SmallField, mistakes: readonly Mistake[]): readonly string[] =>
  mistakes.filter(({ field }) => field === name).map(({ message }) => message);

export function mistakeList(
  fields: readonly SmallField[],
  mistakes: readonly Mistake[],
  { idPrefix, isAct }: { readonly idPrefix: string; readonly isAct: boolean },
): Html | null {
  if (mistakes.length === 0) return null;
  const isAtField = mistakes.some(({ field }) => fields.some(({ name }) => name === field));
  return html`<div class="mistakes" role="alert">
    <h2>${mistakesHead(mistakes.length, { isAct, isAtField })}</h2>
    <ul>
      ${mistakes.map(({ field, message }) => {
        const named = fields.find(({ name }) => name === field);
        if (named === undefined) return html`<li>${sentence(message)}</li>`;
        return html`<li>
          <a href="#${idPrefix}-${field}">${afterLabel(named.label, message)}</a>.
        </li>`;
      })}
    </ul>
  </div>`;
}

const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;

interface FieldPlace {
  readonly id: string;
  /** Whether the cursor is in it as the page opens. */
  readonly isFirst: boolean;
  /** Whether nothing above the form says what is wrong. */
  readonly isSaidAlone: boolean;
}

function fieldView(
  field: SmallField,
  wrong: readonly string[],
  { id, isFirst, isSaidAlone }: FieldPlace,
): Html {
  const { name, label, help } = field;
  if (field.input.is === "cards") return cardsView(field, field.input, wrong, id);
  const ids = [
    ...(wrong.length === 0 ? [] : [`${id}-wrong`]),
    ...(help === "" ? [] : [`${id}-help`]),
  ];
  const described = html`id="${id}"
  name="${name}"${ids.length === 0 ? null : html` aria-describedby="${ids.join(" ")}"`}${wrong.length === 0 ? null : html` aria-invalid="true"`}${isFirst ? html` autofocus` : null}`;
  return html`<div class="field${wrong.length === 0 ? "" : " wrong"}">
    <label for="${id}">${label}</label>
    ${isNewPassword(field) ? withShowButton(inputOf(field.input, described), id) : inputOf(field.input, described)}
    ${wrong.length === 0 ? null : html`<p class="wrong-line" id="${id}-wrong" ${isSaidAlone ? html` role="alert"` : null}>${wrong.map((one) => belowField(one)).join(" ")}</p>`}
    ${help === "" ? null : html`<p class="help" id="${id}-help">${help}</p>`}
  </div>`;
}

const isNewPassword = ({ input }: SmallField): boolean =>
  input.is === "password" && input.autocomplete === "new-password";

type CardsInput = Extract<SmallField["input"], { is: "cards" }>;

/** One button of a choice for each card. A mistake leads to the first. */
const cardsView = (
  { name, label }: SmallField,
  { value, choices }: CardsInput,
  wrong: readonly string[],
  id: string,
): Html =>
  html`<fieldset class="field picked-card${wrong.length === 0 ? "" : " wrong"}">
    <legend>${label}</legend>
    ${wrong.length === 0 ? null : html`<p class="wrong-line">${wrong.map((one) => belowField(one)).join(" ")}</p>`}
    ${choices.map(
      ([choice, words, says], index) =>
        html`<label class="choice-card">
          <input
            type="radio"
            name="${name}"
            ${index === 0 ? html`id="${id}"` : null}
            value="${choice}"
            ${choice === value ? html` checked` : null}
          />
          <span><strong>${words}</strong> <span class="help">${says}</span></span>
        </label>`,
    )}
  </fieldset>`;

function inputOf(input: Exclude<SmallField["input"], CardsInput>, described: Html): Html {
  switch (input.is) {
    case "choice":
      return html`<select ${described}>
        ${optionsOf(input.choices, input.value)}
      </select>`;
    case "password":
      return html`<input
        ${described}
        class="name"
        type="password"
        autocomplete="${input.autocomplete}"
        required
      />`;
    case "code":
      return html`<input
        ${described}
        class="word"
        inputmode="text"
        autocomplete="one-time-code"
        autocapitalize="none"
        spellcheck="false"
        maxlength="40"
        required
      />`;
    case "text":
    case "email":
    case "number":
      return typedInput(input, described);
  }
}

type TypedInput = Extract<SmallField["input"], { is: "text" | "email" | "number" }>;

const typedInput = ({ is, value, charsMax, isRequired }: TypedInput, described: Html): Html =>
  html`<input
    ${described}
    class="${is === "number" ? "figure" : "name"}"
    ${is === "email" ? html`type="email"` : null}
    ${is === "number" ? html`inputmode="numeric"` : null}
    value="${value}"
    maxlength="${charsMax}"
    autocomplete="off"
    ${isRequired ? html` required` : null}
  />`;
