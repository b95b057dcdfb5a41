import type { Grammar } from "#cli/grammar/command";
import { word } from "#cli/grammar/option";

/** How `picket status-page` is typed. */
export const statusPageGrammar: Grammar = {
  name: "status-page",
  summary: "writes a public status page as files, for a web server elsewhere",
  forms: ["export SLUG DIR"],
  about: `Writes the page as it is now, in every language that it offers, with its public monitors, feeds, badges and calendar,
below DIR/status/SLUG. Run it again, e.g. every minute, to renew them: a file is replaced as a whole.
The service is that of SERVICE_API_URL, the key that of SERVICE_API_KEY. picket status-pages lists the slugs.`,
  words: [word("VERB", ["export"]), word("SLUG"), word("DIR", "files")],
  options: {},
  notes: "Exit codes: 0 written, 1 the page cannot be read or a file not written, 64 wrong usage.",
};
