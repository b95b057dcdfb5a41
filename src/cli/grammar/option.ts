/** An option of a command: the parser reads it by this row, the help shows it, and shells complete it. */
export type Option = Switch | ValueOption | ListOption;
export type Options = Readonly<Record<string, Option>>;

interface OptionWords {
  /** One letter; empty if the option has none. */
  readonly short: string;
  /** What it does, without a line break. */
  readonly does: string;
}

interface Switch extends OptionWords {
  readonly is: "switch";
}

interface ValueOption extends OptionWords {
  readonly is: "value";
  readonly takes: Word;
}

/** One that may be given several times. */
interface ListOption extends OptionWords {
  readonly is: "list";
  readonly takes: Word;
}

/** What a person writes behind an option, or where a command takes a word. */
export interface Word {
  /** In the help: FILE, DURATION. */
  readonly shown: string;
  readonly offers: Offers;
}

/** What a shell can offer for a word: files, some words, names that the service knows, or nothing. */
export type Offers = "nothing" | "files" | "monitors" | "locations" | readonly string[];

/** The options of one command, named by what is typed: switches, values, lists. */
export type OptionsOf<
  Switches extends string,
  Values extends string = never,
  Lists extends string = never,
> = Readonly<Record<Switches, Switch> & Record<Values, ValueOption> & Record<Lists, ListOption>>;

export const word = (shown: string, offers: Offers = "nothing"): Word => ({ shown, offers });

export const file: Word = word("FILE", "files");

export const flag = (does: string, short = ""): Switch => ({ is: "switch", short, does });

export const value = (takes: Word, does: string, short = ""): ValueOption => ({
  is: "value",
  short,
  takes,
  does,
});

export const list = (takes: Word, does: string, short = ""): ListOption => ({
  is: "list",
  short,
  takes,
  does,
});

/** What an option reads as: a switch is there or not, a value is null if it is not given, a list is then empty. */
export type OptionValues<O extends Options> = {
  readonly [K in keyof O]: O[K] extends Switch
    ? boolean
    : O[K] extends ValueOption
      ? string | null
      : readonly string[];
};
