import { showText } from "#cli/shown-text";
import type { LogFields, Logger } from "#log";

/** A logger for people: warnings and errors as plain lines; with `everything`, all that is said. */
export function lineLog(write: (line: string) => void, everything: boolean): Logger {
  const say =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      write(showText(`${level}: ${message}${showFields(fields)}`));
  const mute = (): void => {};
  return {
    debug: everything ? say("debug") : mute,
    info: everything ? say("info") : mute,
    warn: say("warning"),
    error: say("error"),
  };
}

function showFields(fields: LogFields): string {
  const shown = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${String(value)}`);
  return shown.length === 0 ? "" : ` (${shown.join(", ")})`;
}
