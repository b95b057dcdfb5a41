import { nameOrder } from "#base/name-order";
import { html, type Html } from "#web/page/html";
import type { KnownReader } from "#service/operator/page-request";

/** A form of ours, which only this reader's session can send. */
export const ownForm = (action: string, { formToken }: KnownReader, content: Html): Html =>
  html`<form method="post" action="${action}" class="act filter">
    <input type="hidden" name="form" value="${formToken}" />
    ${content}
  </form>`;

/** A form that is one button; `what` is named for those who hear the button alone. */
export const buttonForm = (
  action: string,
  reader: KnownReader,
  words: string,
  what: string,
): Html =>
  ownForm(
    action,
    reader,
    html`<button type="submit" aria-label="${words}: ${what}">${words}</button>`,
  );

/** What may stand in a field, by its name in the form. */
interface TextField {
  readonly words: string;
  readonly name: string;
  readonly value: string;
  readonly charsMax: number;
  readonly isRequired?: boolean;
  /** With a script, what is found is shown while a person types. */
  readonly isSearch?: boolean;
  /** Shown while the field is empty. */
  readonly example?: string;
}

export const textField = (field: TextField): Html =>
  html`<label
    >${field.words}
    <input
      name="${field.name}"
      ${field.isSearch === true ? html` type="search"` : null}
      value="${field.value}"
      maxlength="${field.charsMax}"
      ${field.example === undefined ? null : html` placeholder="${field.example}"`}
      autocomplete="off"
      ${field.isRequired === true ? html` required` : null}
  /></label>`;

/** One of a list, by value and words. */
export const choiceField = (
  words: string | Html,
  name: string,
  all: readonly (readonly [value: string, words: string])[],
  chosen: string,
): Html =>
  html`<label
    >${words}
    <select name="${name}">
      ${all.map(([value, shown]) => option(value, shown, value === chosen))}
    </select></label
  >`;

const option = (value: string, words: string, isChosen: boolean): Html =>
  html`<option value="${value}" ${isChosen ? html` selected` : null}>${words}</option>`;

interface NamedThing {
  readonly id: number | string;
  readonly name: string;
}

/** What a list offers of things that have names. */
export const choicesOf = (
  all: readonly NamedThing[],
): readonly (readonly [value: string, words: string])[] =>
  all.toSorted((a, b) => nameOrder(a.name, b.name)).map(({ id, name }) => [String(id), name]);
