import type { Grammar } from "#cli/grammar/command";
import { flag, type OptionsOf, value, word } from "#cli/grammar/option";
import * as limits from "#limits/cli-limits";

/* How the commands are typed that show and change what a service has. */

const service = "The service is that of SERVICE_API_URL, the key that of SERVICE_API_KEY.";
const access = `${service} A name is enough if only one monitor or
location has it; an id always works.`;
const json = flag("for a program: one JSON object a line");
const names = flag("the names alone, one a line, for scripts and completion");

export const statusGrammar: Grammar<OptionsOf<"watch" | "json">> = {
  name: "status",
  summary: "what fails, since when, at which location, and why",
  forms: ["[MONITOR|LOCATION] [--watch] [--json]"],
  about: `Shows what a service knows: first what fails, since when, at which locations, and why; then locations that
are silent. Of one monitor: each location, the latencies of a day, the newest results. Of one location:
its agents, faults of their own machine or network with the next step, and what fails there.
${access}`,
  words: [word("NAME", "monitors")],
  options: {
    watch: flag(
      `show it again every ${limits.statusWatchEvery / 1000} s until Ctrl-C; needs a terminal`,
    ),
    json,
  },
  notes:
    "Exit codes: 0 nothing fails, 2 something is degraded or unknown, 1 something fails or the service could not be asked, 64 wrong usage.",
};

export const resultsGrammar: Grammar<OptionsOf<"json" | "csv" | "failed", "last" | "location">> = {
  name: "results",
  summary: "what the checks of a monitor found, with their phases",
  forms: ["MONITOR [--last N] [--location NAME] [--failed] [--json|--csv]"],
  about: `Lists the results of a monitor, the newest first.
${access}`,
  words: [word("MONITOR", "monitors")],
  options: {
    last: value(
      word("N"),
      `how many results are read, 1 to ${limits.resultsShownMax} (default ${limits.resultsShownDefault})`,
    ),
    location: value(word("NAME", "locations"), "only those of this location"),
    failed: flag("of those read, only the ones that are error or degraded"),
    json,
    csv: flag("comma-separated values; each name in the first line ends in its unit"),
  },
  notes: "Exit codes: 0 shown, 1 the service could not be asked, 64 wrong usage.",
};

export const monitorsGrammar: Grammar<OptionsOf<"json" | "names">> = {
  name: "monitors",
  summary: "the monitors of a service, with their status",
  forms: ["[--json|--names]"],
  about: `Lists the monitors of a service, with kind, status, locations, id and target.
${service}`,
  words: [],
  options: { json, names },
  notes: "Exit codes: 0 shown, 1 the service could not be asked, 64 wrong usage.",
};

export const statusPagesGrammar: Grammar<OptionsOf<"json" | "names">> = {
  name: "status-pages",
  summary: "the status pages of a service",
  forms: ["[--json|--names]"],
  about: `Lists the status pages of a service, with slug, title, state, id and domain.
${service}`,
  words: [],
  options: { json, names },
  notes: "Exit codes: 0 shown, 1 the service could not be asked, 64 wrong usage.",
};

export const locationsGrammar: Grammar<OptionsOf<"json" | "names">> = {
  name: "locations",
  summary: "the private locations of a service, and whether their agents report",
  forms: ["[--json|--names]"],
  about: `Lists the private locations of a service, and when an agent of each last reported.
${service}`,
  words: [],
  options: { json, names },
  notes: "Exit codes: 0 shown, 1 the service could not be asked, 64 wrong usage.",
};

export const checkNowGrammar: Grammar<OptionsOf<"json", "location">> = {
  name: "check-now",
  summary: "makes the agents of a monitor's locations check it at once",
  forms: ["MONITOR [--location NAME] [--json]"],
  about: `Every connected agent of each location that runs the monitor checks it now, and answers. The service keeps
nothing of it. For a check from this machine, use picket check.
${access}`,
  words: [word("MONITOR", "monitors")],
  options: {
    location: value(word("NAME", "locations"), "only the agents of this location"),
    json,
  },
  notes:
    "Exit codes: 0 every check passed, 2 one was degraded, 1 one failed or no agent answered, 64 wrong usage. Needs a key with the scope write.",
};

export const tokenGrammar: Grammar<OptionsOf<never, "overlap">> = {
  name: "token",
  summary: "gives a private location another token",
  forms: ["rotate LOCATION [--overlap DURATION]"],
  about: `Prints the new token of a location, alone on its line. The old one works for the overlap, so that agents can
be given the new one without a gap.
${access}`,
  words: [word("VERB", ["rotate"]), word("LOCATION", "locations")],
  options: {
    overlap: value(
      word("DURATION"),
      "how long the old token still works (default 1h, 0s ends it now)",
    ),
  },
  notes: "Exit codes: 0 done, 1 refused, 64 wrong usage. Needs a key with the scope write.",
};

/** What `picket delete` deletes. */
export const deletableKinds = [
  "monitor",
  "location",
  "notification",
  "page",
  "maintenance",
] as const;
export type DeletableKind = (typeof deletableKinds)[number];

export const deleteGrammar: Grammar<OptionsOf<"yes">> = {
  name: "delete",
  summary: "deletes an object of a service, e.g. a monitor with its results",
  forms: ["KIND NAME [--yes]"],
  about: `KIND is monitor, location, notification, page or maintenance. NAME of a page is its slug, of a maintenance
its title; an id works too. Shows what is deleted, and asks first.
${access}`,
  words: [word("KIND", deletableKinds), word("NAME", "monitors")],
  options: { yes: flag("do not ask", "y") },
  notes:
    "Exit codes: 0 deleted, 1 refused or answered with no, 64 wrong usage. Needs a key with the scope write.",
};
