/** An option of a command line with its dashes, as it was typed. */
export interface CommandOption {
  readonly name: string;
  readonly value: string;
}

/** What the words of a command line are: options, and the rest in order. */
interface CommandParts {
  readonly options: readonly CommandOption[];
  readonly rest: readonly string[];
}

/**
 * The words after a program as most programs read them: `-zvw3`, `-w 3`, `--wait 3`, `--wait=3`; after `--` there are no
 * options. `valued` are the options that have a value, for example `-w`.
 */
export function commandParts(words: readonly string[], valued: ReadonlySet<string>): CommandParts {
  const options: CommandOption[] = [];
  const rest: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word === "--") return { options, rest: [...rest, ...words.slice(index + 1)] };
    const read = optionsIn(word, words[index + 1] ?? "", valued);
    if (read.options.length === 0) rest.push(word);
    options.push(...read.options);
    if (read.takesNext) index += 1;
  }
  return { options, rest };
}

interface OptionsOfWord {
  readonly options: readonly CommandOption[];
  /** Whether the word after it is a value. */
  readonly takesNext: boolean;
}

const none: OptionsOfWord = { options: [], takesNext: false };

function optionsIn(word: string, next: string, valued: ReadonlySet<string>): OptionsOfWord {
  const [, long, joined] = /^(--[\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
  if (long === undefined) return /^-[a-z0-9]/i.test(word) ? shortOptions(word, next, valued) : none;
  const takesNext = joined === undefined && valued.has(long);
  return { options: [{ name: long, value: joined ?? (takesNext ? next : "") }], takesNext };
}

/** Several in one word, of which the last may have a value. */
function shortOptions(word: string, next: string, valued: ReadonlySet<string>): OptionsOfWord {
  const options: CommandOption[] = [];
  for (let index = 1; index < word.length; index += 1) {
    const name = `-${word[index]}`;
    if (!valued.has(name)) {
      options.push({ name, value: "" });
      continue;
    }
    const joined = word.slice(index + 1).replace(/^=/, "");
    const value = joined === "" ? next : joined;
    return { options: [...options, { name, value }], takesNext: joined === "" };
  }
  return { options, takesNext: false };
}

/** The value of the last option of these names; null if there is none. */
export const valueOf = (
  options: readonly CommandOption[],
  ...names: readonly string[]
): string | null => options.findLast(({ name }) => names.includes(name))?.value ?? null;

/** Seconds as programs take them, `3`, `0.5` or `3s`, in milliseconds; null for anything else. */
export function secondsTyped(text: string | null): number | null {
  const [, figure, unit] = /^(\d+(?:\.\d+)?|\.\d+)(ms|s|m)?$/.exec(text ?? "") ?? [];
  if (figure === undefined) return null;
  const factor = unit === "ms" ? 1 : unit === "m" ? 60_000 : 1000;
  return Math.round(Number(figure) * factor) || null;
}

/** What is said of a part that is not taken over, with what to do. */
export const notTaken = (part: string, instead = "a check has no such setting"): string =>
  `${part} is not taken over: ${instead}.`;

/** The options of one line, parted by spaces. */
export const namedOptions = (options: string): ReadonlySet<string> =>
  new Set(options.trim().split(/\s+/));
