import type { Grammar } from "#cli/grammar/command";
import { help } from "#cli/grammar/help";
import type { Offers, Option } from "#cli/grammar/option";

/** What the shells need of a command. */
export interface CompletionRow {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionRow[];
  /** What is offered for each word; the last one holds for all that follow. */
  readonly words: readonly Offers[];
}

interface OptionRow {
  /** `--method`. */
  readonly long: string;
  /** `-X`; empty if there is none. */
  readonly short: string;
  /** The beginning of what it does. */
  readonly does: string;
  /** Null for a switch. */
  readonly offers: Offers | null;
}

export const completionRows = (grammars: readonly Grammar[]): readonly CompletionRow[] =>
  grammars.map(({ name, summary, options, words }) => ({
    name,
    summary,
    options: Object.entries({ ...options, help }).map(optionRow),
    words: words.map(({ offers }) => offers),
  }));

const optionRow = ([long, option]: readonly [string, Option]): OptionRow => ({
  long: `--${long}`,
  short: option.short === "" ? "" : `-${option.short}`,
  does: option.does.split(/[;:.(]/)[0]?.trim() ?? "",
  offers: option.is === "switch" ? null : option.takes.offers,
});

/** The word of a shell, in quotes that nothing ends from inside. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
