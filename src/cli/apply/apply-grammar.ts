import type { Grammar } from "#cli/grammar/command";
import { file, flag, list, type OptionsOf, value, word } from "#cli/grammar/option";

const files = list(
  file,
  "what the service is to have: a file, a folder with its .yaml and .yml files, or - for standard input; may be repeated",
  "f",
);
const location = value(
  word("NAME", "locations"),
  "also assign all the monitors to this private location, beside what it runs already; a location that is missing is created, and its token printed",
);
const verbose = flag("also name what the service has and no file says", "v");

const access = `SERVICE_API_URL is the service, e.g. https://monitoring.example.com, SERVICE_API_KEY an API key. The service
is reached in the same way as by an agent: PICKET_SERVICE_PROXY or HTTPS_PROXY, PICKET_NO_PROXY,
PICKET_CA_FILE, PICKET_CLIENT_CERT_FILE, PICKET_CLIENT_KEY_FILE and PICKET_ALLOW_HTTP hold here too.`;

/** How `picket plan` is typed. */
export const planGrammar: Grammar<OptionsOf<"verbose" | "json", "location", "file">> = {
  name: "plan",
  summary: "what picket apply would change, with the values before and after",
  forms: ["-f FILE… [--location NAME] [--verbose] [--json]"],
  about: `Compares files with a service and changes nothing. Secrets are named as changed, never shown. Header values
can be compared by a key with the scope write only.`,
  words: [],
  options: { file: files, location, verbose, json: flag("one JSON object: changes, beside") },
  notes: `${access}
Exit codes: 0 nothing would change, 2 something would, 1 a mistake in a file or at the service, 64 wrong usage.`,
};

/** How `picket apply` is typed. */
export const applyGrammar: Grammar<OptionsOf<"dry-run" | "verbose", "location", "file">> = {
  name: "apply",
  summary: "gives a service the monitors and locations of YAML files",
  forms: ["-f FILE… [--location NAME] [--verbose] [--dry-run]"],
  about: `Shows what changes, then changes it. Monitors are the same by kind and name, locations by name: one that
is missing is created, one that differs is updated, and nothing is ever deleted.`,
  words: [],
  options: {
    file: files,
    location,
    verbose,
    "dry-run": flag("show the plan and change nothing"),
  },
  notes: `${access}
The key needs the scope write. A monitor runs only where its file says active: true.
Exit codes: 0 applied, 1 a mistake in a file or at the service, 64 wrong usage.`,
};

/** How `picket export` is typed. */
export const exportGrammar: Grammar = {
  name: "export",
  summary: "the file that would make what a service has",
  forms: [""],
  about: `Prints the monitors and private locations of a service as a file for picket apply. What may be a secret is a
reference to a variable that you set: header values, bodies, and URLs with a query or user-info.`,
  words: [],
  options: {},
  notes: `${access}
Exit codes: 0 printed, 1 the service could not be asked, 64 wrong usage.`,
};
