import type { Grammar } from "#cli/grammar/command";
import { flag, type OptionsOf } from "#cli/grammar/option";

/** How `picket doctor` is typed. */
export const doctorGrammar: Grammar<OptionsOf<"json">> = {
  name: "doctor",
  summary: "whether an agent can work here, and what to do if it cannot",
  forms: ["[--json]"],
  about: `Checks everything that an agent with this environment needs, and says what to do if it is
missing: configuration, state directory, link, gateway, name servers, connection to the service, token,
clock, the address of PICKET_LISTEN, limits and probes. It reports nothing to the service and changes nothing.`,
  words: [],
  options: { json: flag("one JSON object: ok, findings") },
  notes: "Exit codes: 0 fine or with warnings only, 1 something failed, 64 wrong usage.",
};
