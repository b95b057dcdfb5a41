import type { Html } from "#web/page/html";
import type { Choice } from "#check/form-field";
import type { FormState } from "#service/operator/forms/form-group";

/** A box of a list that no one ticks in the form: what it is about belongs to files. */
export interface FixedBox {
  readonly value: string;
  readonly words: string;
  readonly isTicked: boolean;
}

/** What the fields of a form need to know of it. */
export interface ShownForm extends FormState {
  readonly choices: Readonly<Record<string, readonly Choice[]>>;
  /** Behind the boxes of a list those that are only shown, by the name of its field; most have none. */
  readonly fixed: Readonly<Record<string, readonly FixedBox[]>>;
  /** What is to be known of a list of boxes, or of a line as it is filled in, by the name of its field; most have nothing. */
  readonly notes: Readonly<Record<string, string | Html>>;
  /** The field that has the cursor, since it is the first that is wrong; null if none is. */
  readonly first: string | null;
  /** What the ids of its fields begin with, if a page has several forms. */
  readonly idPrefix: string;
}
