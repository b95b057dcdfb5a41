import { readConfig } from "#config/config";
import { exitCodes } from "#cli/exit-code";
import type { Io } from "#cli/io";
import { parseArguments } from "#cli/usage-error";
import { showText } from "#text";

/** `picket config`: what the agent would run with, and everything that is wrong with it at once. */
export async function runConfig(args: readonly string[], io: Io): Promise<number> {
  const { values } = parseArguments(args, {
    options: { help: { type: "boolean", short: "h" }, json: { type: "boolean" } },
  });
  if (values.help === true) {
    io.stdout.write(configHelp);
    return exitCodes.fine;
  }
  const reading = readConfig(io.env);
  const errors = reading.ok ? [] : reading.errors;
  const { settings, warnings } = reading;
  if (values.json === true)
    io.stdout.write(`${JSON.stringify({ ok: reading.ok, settings, errors, warnings })}\n`);
  else {
    for (const { name, value, source } of settings)
      io.stdout.write(showText(`${name}=${value}  (${source})`) + "\n");
    for (const warning of warnings) io.stderr.write(showText(`warning: ${warning}`) + "\n");
    for (const error of errors) io.stderr.write(showText(`error: ${error}`) + "\n");
  }
  return reading.ok ? exitCodes.fine : exitCodes.failed;
}

const configHelp = `Usage: picket config [--json]

Reads the environment as picket agent does and prints each setting: its value, and where that came
from (set, default, file, credential, or the variable of another program). Secrets are [secret].

  --json  one JSON object: ok, settings, errors, warnings

Exit codes: 0 the agent would start, 1 something is wrong, and the output says what, 64 wrong usage.
`;
