import type { Grammar } from "#cli/grammar/command";
import { file, type OptionsOf, value, word } from "#cli/grammar/option";

/** How `picket audit` is typed. */
export const auditGrammar: Grammar<OptionsOf<never, "after" | "head">> = {
  name: "audit",
  summary: "exports a service's audit log, and checks that nothing is missing from it",
  forms: ["export [--after NUMBER]", "verify FILE… [--head NUMBER:HEAD]", "accept"],
  about: `export prints the audit log of the service as JSON lines, the oldest entry first. The service is that of
SERVICE_API_URL, the key that of SERVICE_API_KEY. It needs the scope write, because entries say from which
address a change came.
verify checks exported files, without a service. It names the first entry that was changed, replaced, put
into another order or taken out, and else prints the last entry and the head of the chain. - is standard
input. Files of one log are given in their order.
accept is run where an agent runs, with the agent's environment. The agent then takes the audit log as the
service shows it at the next heartbeat. Do that after you restored a backup of the service.`,
  words: [word("VERB", ["export", "verify", "accept"]), file],
  options: {
    after: value(word("NUMBER"), "export only what comes after this entry"),
    head: value(
      word("NUMBER:HEAD"),
      "the entry and the head that an agent knows, of its /status: the file must have it",
    ),
  },
  notes:
    "Exit codes: 0 done, 1 the log is broken or the service could not be asked, 64 wrong usage.",
};
