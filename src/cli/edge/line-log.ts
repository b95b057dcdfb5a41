import type { LogOutput } from "#cli/edge/log-output";
import type { LogFields, Logger, Severity } from "#base/log";
import { showText } from "#base/text";

/** A logger for people: plain lines, of `least` severity. */
export function lineLog(write: LogOutput, least: Severity): Logger {
  const from = severities.indexOf(least);
  const say = (severity: Severity) =>
    severities.indexOf(severity) < from
      ? () => {}
      : (message: string, fields: LogFields = {}) =>
          write(showText(`${words[severity]}: ${message}${showFields(fields)}`), severity);
  return { debug: say("debug"), info: say("info"), warn: say("warn"), error: say("error") };
}

const words: { readonly [S in Severity]: string } = {
  debug: "debug",
  info: "info",
  warn: "warning",
  error: "error",
};
const severities: readonly string[] = Object.keys(words);

function showFields(fields: LogFields): string {
  const shown = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${String(value)}`);
  return shown.length === 0 ? "" : ` (${shown.join(", ")})`;
}
