import { readSources, UnreadableSource } from "#cli/apply/configuration-source";
import { foreignProgram, foreignSentences } from "#cli/apply/foreign-file";
import { readOpenStatus } from "#cli/apply/openstatus-file";
import { yamlOf } from "#cli/apply/written-yaml";
import { readYaml } from "#cli/apply/yaml-text";
import { exitCodes } from "#cli/edge/exit-code";
import type { Io } from "#cli/edge/io";
import { isMapping } from "#base/json";
import { showText } from "#base/text";

/** Prints a file of the openstatus command line as one of Picket's; what has no place in it goes to stderr. */
export async function importFile(file: string, io: Io): Promise<number> {
  const say = (text: string): void => void io.stderr.write(`picket import: ${showText(text)}\n`);
  const value = await valueOf(file, io, say);
  if (value === null) return exitCodes.failed;
  const program = foreignProgram(value);
  if (program !== "OpenStatus" || !isMapping(value)) {
    say(
      program === null
        ? `${file} is not an openstatus.yaml, whose keys are monitors with a kind and a request`
        : `${file} ${foreignSentences[program]}`,
    );
    return exitCodes.failed;
  }
  const { content, remarks } = readOpenStatus(value);
  const lists = Object.entries(content).filter(([, all]) => all.length > 0);
  io.stdout.write(yamlOf(Object.fromEntries(lists)));
  for (const remark of remarks) say(remark);
  return exitCodes.fine;
}

async function valueOf(file: string, io: Io, say: (text: string) => void): Promise<unknown> {
  try {
    const [source] = await readSources([file], io.stdin);
    if (source?.bytes === null || source === undefined) {
      say(`${file} is too large`);
      return null;
    }
    const { value, mistakes } = readYaml(new TextDecoder().decode(source.bytes));
    for (const { line, column, message } of mistakes) say(`${file}:${line}:${column}: ${message}`);
    return mistakes.length > 0 ? null : value;
  } catch (error) {
    if (!(error instanceof UnreadableSource)) throw error;
    say(error.message);
    return null;
  }
}
