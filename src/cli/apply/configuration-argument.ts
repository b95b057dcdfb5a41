import { type Configuration, readConfiguration } from "#cli/apply/configuration";
import { readSources, UnreadableSource } from "#cli/apply/configuration-source";
import { showMistakes } from "#cli/apply/mistake";
import type { Io } from "#cli/edge/io";
import { showText } from "#base/text";

/**
 * Reads what -f names; `activeDefault` is what a monitor is that does not say `active`. What is wrong goes to stderr,
 * ending in what was `undone`, and null is the answer.
 */
export async function readConfigurationArgument(
  named: readonly string[],
  activeDefault: boolean,
  undone: string,
  io: Io,
): Promise<Configuration | null> {
  try {
    const sources = await readSources(named, io.stdin);
    const reading = readConfiguration(sources, { activeDefault, env: io.env });
    if (reading.ok) return reading.configuration;
    const wrong = [...reading.mistakes].filter(([, all]) => all.length > 0);
    for (const [file, all] of wrong) io.stderr.write(showMistakes(file, all, undone));
  } catch (error) {
    if (!(error instanceof UnreadableSource)) throw error;
    io.stderr.write(`${showText(error.message)}. ${undone}\n`);
  }
  return null;
}
