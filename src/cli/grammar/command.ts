import type { Options, Word } from "#cli/grammar/option";

/** A command as a person types it. Its parser, its help and the completion of shells are made from this table. */
export interface Grammar<O extends Options = Options> {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What follows the command's name, one form a line: `TARGET… [options]`. */
  readonly forms: readonly string[];
  /** Paragraphs between the forms and the options. */
  readonly about: string;
  /** The words that it takes, in their order; the last one stands for all that follow. */
  readonly words: readonly Word[];
  readonly options: O;
  /** Paragraphs behind the options: exit codes, variables. */
  readonly notes: string;
}
