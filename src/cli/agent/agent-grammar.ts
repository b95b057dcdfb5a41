import { type Setting, settings } from "#config/agent-settings";
import type { Grammar } from "#cli/grammar/command";
import { flag, type OptionsOf } from "#cli/grammar/option";

function settingLine([name, { fallback, does }]: readonly [string, Setting]): string {
  const otherwise = fallback === null || fallback === "" ? "" : ` (default ${fallback})`;
  return `  ${name.padEnd(26)} ${does}${otherwise}`;
}

/** How `picket agent` is typed. */
export const agentGrammar: Grammar = {
  name: "agent",
  summary: "the daemon: runs the monitors of a private location",
  forms: [""],
  about: `Runs the monitors of a private location until SIGTERM, SIGINT or SIGHUP, then ends the checks in flight, reports
what it has, and exits with 0. A second signal aborts at once and exits with 1.`,
  words: [],
  options: {},
  notes: `Environment
${Object.entries(settings).map(settingLine).join("\n")}

The agent's own metrics go where OTEL_EXPORTER_OTLP_ENDPOINT says, by OpenTelemetry's standard variables.

Exit codes: 0 stopped as asked, 1 wrong configuration or aborted, 64 wrong usage, 70 a bug.`,
};

/** How `picket config` is typed. */
export const configGrammar: Grammar<OptionsOf<"json">> = {
  name: "config",
  summary: "the agent's configuration in effect, and what is wrong with it",
  forms: ["[--json]"],
  about: `Reads the environment as picket agent does and prints each setting: its value and its source (set, default, file, credential, or the variable of another program). Secrets are [secret].`,
  words: [],
  options: { json: flag("one JSON object: ok, settings, errors, warnings") },
  notes:
    "Exit codes: 0 the agent would start, 1 something is wrong, and the output says what, 64 wrong usage.",
};
