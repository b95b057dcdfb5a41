import { parseArgs, type ParseArgsConfig } from "node:util";
import type { Grammar } from "#cli/grammar/command";
import { help, helpOf } from "#cli/grammar/help";
import type { Option, Options, OptionValues } from "#cli/grammar/option";
import type { Io } from "#cli/edge/io";
import { UsageError } from "#cli/edge/usage-error";
import { nearest } from "#base/nearest";

/** What a person typed behind a command's name. */
interface TypedWords<O extends Options> {
  readonly values: OptionValues<O>;
  readonly words: readonly string[];
}

/**
 * Reads the words by the command's table. Null if help was asked for, which then has been written. Throws a
 * UsageError that says which word is wrong.
 */
export function readWords<O extends Options>(
  grammar: Grammar<O>,
  args: readonly string[],
  { stdout }: Pick<Io, "stdout">,
): TypedWords<O> | null {
  const { values, positionals } = parsed(grammar, args);
  if (values["help"] === true) {
    stdout.write(helpOf(grammar));
    return null;
  }
  const read = Object.entries(grammar.options).map(([name, option]) => [
    name,
    values[name] ?? nothing[option.is],
  ]);
  // Each entry is what the option of its name reads as, which is what OptionValues says.
  return { values: Object.fromEntries(read) as OptionValues<O>, words: positionals };
}

const nothing = { switch: false, value: null, list: [] } as const;

interface ParsedWords {
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
}

function parsed({ options, words }: Grammar, args: readonly string[]): ParsedWords {
  const rows = Object.entries({ ...options, help });
  const config = Object.fromEntries(rows.map(([name, option]) => [name, configOf(option)]));
  try {
    const { tokens, ...read } = parseArgs({
      args,
      options: config,
      allowPositionals: words.length > 0,
      tokens: true,
    });
    refuseTwice(
      options,
      tokens.flatMap((token) => (token.kind === "option" ? [token.name] : [])),
    );
    return read;
  } catch (error) {
    if (error instanceof TypeError && "code" in error && isUsageCode(error.code))
      throw new UsageError(
        sentenceOf(
          error.message,
          rows.map(([name]) => name),
        ),
      );
    throw error;
  }
}

/** The parser takes the last of two values, which may be half of what was meant. A switch that is repeated says the same. */
function refuseTwice(options: Options, given: readonly string[]): void {
  const twice = Object.keys(options).find(
    (name) => options[name]?.is === "value" && given.indexOf(name) !== given.lastIndexOf(name),
  );
  if (twice !== undefined)
    throw new UsageError(`--${twice} is given more than once, but takes one value: give it once`);
}

type ParserOption = NonNullable<ParseArgsConfig["options"]>[string];

const configOf = (option: Option): ParserOption => ({
  type: option.is === "switch" ? "boolean" : "string",
  multiple: option.is === "list",
  ...(option.short === "" ? {} : { short: option.short }),
});

/** What parseArgs says in addition to the first sentence is for programmers, and in lines. */
function sentenceOf(message: string, known: readonly string[]): string {
  const [, ambiguous] = /^Option '(-\S+)' argument is ambiguous/.exec(message) ?? [];
  if (ambiguous !== undefined) {
    const joint = ambiguous.startsWith("--") ? "=" : "";
    return `${ambiguous} needs a value; write a value that begins with a dash as ${ambiguous}${joint}-VALUE`;
  }
  const [, unknown] = /^Unknown option '--([^'=]+)/.exec(message) ?? [];
  const meant = unknown === undefined ? null : nearest(unknown, known);
  const sentence = message.split(". ")[0] ?? message;
  return meant === null ? sentence : `${sentence}. Did you mean --${meant}?`;
}

const isUsageCode = (code: unknown): boolean =>
  typeof code === "string" && code.startsWith("ERR_PARSE_ARGS_");
