import type { Choice } from "#check/form-field";
import type { FormState } from "#service/operator/forms/form-group";

/** What the fields of a form need to know of it. */
export interface ShownForm extends FormState {
  readonly choices: Readonly<Record<string, readonly Choice[]>>;
  /** What the ids of its fields begin with, if a page has several forms. */
  readonly idPrefix: string;
}
