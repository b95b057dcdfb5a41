import { readConfig } from "#agent/settings/config";
import { exitCodes } from "#cli/edge/exit-code";
import type { Io } from "#cli/edge/io";
import { configGrammar } from "#cli/agent/agent-grammar";
import { readWords } from "#cli/grammar/read-words";
import { showText } from "#base/text";

/** `picket config`: what the agent would run with, and everything that is wrong with it at once. */
export async function runConfig(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(configGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const reading = readConfig(io.env);
  const errors = reading.ok ? [] : reading.errors;
  const { settings, warnings } = reading;
  if (typed.values.json)
    io.stdout.write(`${JSON.stringify({ ok: reading.ok, settings, errors, warnings })}\n`);
  else {
    for (const { name, value, source } of settings)
      io.stdout.write(showText(`${name}=${value}  (${source})`) + "\n");
    for (const warning of warnings) io.stderr.write(showText(`warning: ${warning}`) + "\n");
    for (const error of errors) io.stderr.write(showText(`error: ${error}`) + "\n");
  }
  return reading.ok ? exitCodes.fine : exitCodes.failed;
}
