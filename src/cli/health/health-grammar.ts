import type { Grammar } from "#cli/grammar/command";
import { word } from "#cli/grammar/option";
import * as limits from "#limits/cli-limits";

/** How `picket health` is typed. */
export const healthGrammar: Grammar = {
  name: "health",
  summary: "whether the agent or the service on this machine is alive, for health checks",
  forms: ["[agent|service]"],
  about: `Asks what runs on this machine whether it is alive, and prints the answers, one line each. It finds the agent
by PICKET_LISTEN and the service by PICKET_SERVICE_LISTEN. For a service that was started with --listen,
set PICKET_SERVICE_LISTEN to the same address. An agent that cannot reach its service is alive; a service that
cannot store anything is not.`,
  words: [word("WHICH", ["agent", "service"])],
  options: {},
  notes: `Exit codes: 0 alive, 1 not alive, no answer within ${limits.healthCallTimeout / 1000} s, or PICKET_LISTEN is off, 64 wrong usage.
Without a word, one of the two has to run, and what runs has to be alive.`,
};
