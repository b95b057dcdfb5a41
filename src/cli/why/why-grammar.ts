import type { Grammar } from "#cli/grammar/command";
import { flag, type OptionsOf, value, word } from "#cli/grammar/option";

/** How `picket why` is typed. */
export const whyGrammar: Grammar<OptionsOf<"json", "timeout">> = {
  name: "why",
  summary: "whose fault a failure is: this machine's, the path's or the target's",
  forms: ["TARGET [--timeout DURATION] [--json]"],
  about: `Checks a target once and looks at each step on the way to it: this machine's link, route and gateway,
its name servers, the connection, the answer. Then it says whose fault a failure is, how sure that is,
and what to do. TARGET is what picket check takes. No packet goes to anyone else.`,
  words: [word("TARGET")],
  options: {
    timeout: value(word("DURATION"), "bounds the check as a whole (default 10s)"),
    json: flag("one JSON object: target, place, certainty, because, next, steps, result"),
  },
  notes: `Exit code: 0 the target works, 1 it does not, 64 usage.
The variables that hold for picket check hold here too. With PICKET_EVIDENCE_DIRECT=on a target that
fails at the proxy is also dialled once without it.`,
};
