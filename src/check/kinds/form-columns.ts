import { type FieldsOf, type FormField, type Choice, column } from "#check/form-field";
import type { DefinitionOf, CommonFields } from "#check/definition";
import type { ArgumentsOf } from "#check/kinds/common-arguments";
import type { Kind } from "#check/monitor";
import { comparatorChoices } from "#check/kinds/comparator-words";

/** Words that mean the same to people and programs. */
export const plainChoices = (words: readonly string[]): readonly Choice[] =>
  words.map((word) => [word, word]);

/** A column that says how two are compared. */
export const comparator = (words: readonly string[]): FormField =>
  column("Comparison", { is: "choice", choices: comparatorChoices(words) });
export const target = (label: string): FormField => column(label, { is: "text", width: "word" });

/** A field for each setting that only this kind has. */
export type KindForm<K extends Kind> = FieldsOf<
  ArgumentsOf<DefinitionOf<K>>,
  Extract<keyof ArgumentsOf<CommonFields>, keyof ArgumentsOf<DefinitionOf<K>>>
>;
