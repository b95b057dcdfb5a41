import { describe, expect, test } from "vitest";
import type { Grammar } from "#cli/grammar/command";
import { file, flag, list, type OptionsOf, value, word } from "#cli/grammar/option";
import { readWords } from "#cli/grammar/read-words";
import { captureIo } from "../../support/captured-io.ts";

const grammar: Grammar<OptionsOf<"loud", "file", "tag">> = {
  name: "sing",
  summary: "sings",
  forms: ["SONG… [options]"],
  about: "Sings songs.",
  words: [word("SONG")],
  options: {
    file: value(file, "where the notes are", "f"),
    tag: list(word("TAG"), "may be repeated"),
    loud: flag(
      "as loud as it can be, which is louder than a person in the next room may like it",
      "l",
    ),
  },
  notes: "Exit code: 0.",
};

describe("the words of a command", () => {
  test("are read by its table: switches, values, lists, and what is left", () => {
    expect(readWords(grammar, ["-l", "a", "--tag", "x", "--tag=y", "b"], captureIo())).toEqual({
      values: { loud: true, file: null, tag: ["x", "y"] },
      words: ["a", "b"],
    });
  });

  test("that are misspelt come with the nearest option", () => {
    expect(() => readWords(grammar, ["--fiel", "x"], captureIo())).toThrow(
      "Unknown option '--fiel'. Did you mean --file?",
    );
    expect(() => readWords({ ...grammar, words: [] }, ["a"], captureIo())).toThrow(
      "Unexpected argument 'a'",
    );
  });

  test("that give a value more than once are refused, unless the option is a list or a switch", () => {
    for (const args of [
      ["--file", "x", "--file", "y"],
      ["-f", "x", "--file=x"],
    ])
      expect(() => readWords(grammar, args, captureIo())).toThrow(
        "--file is given more than once, but takes one value: give it once",
      );
    expect(readWords(grammar, ["-l", "-l"], captureIo())?.values.loud).toBe(true);
  });

  test("-h is answered with the help, made from the same table, in lines of 100 columns at most", () => {
    const io = captureIo();
    expect(readWords(grammar, ["-h"], io)).toBeNull();
    expect(io.written.stdout()).toBe(`Usage: picket sing SONG… [options]

Sings songs.

Options
  -f, --file FILE  where the notes are
      --tag TAG    may be repeated
  -l, --loud       as loud as it can be, which is louder than a person in the next room may like it
  -h, --help       this text

Exit code: 0.
`);
  });
});
