import { kinds } from "#check/monitor";
import { objectWords } from "#cli/apply/object-words";
import type { Grammar } from "#cli/grammar/command";
import { file, flag, list, type OptionsOf, value, word } from "#cli/grammar/option";

const files = list(
  file,
  "what the service is to have: a file, a folder with its .yaml and .yml files, or - for standard input; may be repeated",
  "f",
);
const location = value(
  word("NAME", "locations"),
  "also assign all the monitors to this private location, in addition to those that it runs already; a location that is missing is created, and its token printed",
);
const sign = value(
  file,
  "sign the monitors with this Ed25519 key, or with the one in the variable NAME (env:NAME), for the locations that the files name",
);
const verbose = flag("also name what the service has and no file says", "v");

const access = `SERVICE_API_URL is the service, e.g. https://monitoring.example.com, SERVICE_API_KEY an API key. The service
is reached in the same way as by an agent: PICKET_SERVICE_PROXY or HTTPS_PROXY, PICKET_NO_PROXY,
PICKET_CA_FILE, PICKET_CLIENT_CERT_FILE, PICKET_CLIENT_KEY_FILE and PICKET_ALLOW_HTTP hold here too.`;

const owner = value(word("NAME"), "the owner of the objects, instead of the one in the files");
const prune = flag("delete what the owner has and the files do not say");

/** How `picket plan` is typed. */
export const planGrammar: Grammar<
  OptionsOf<"verbose" | "json" | "prune", "location" | "owner" | "out" | "sign", "file">
> = {
  name: "plan",
  summary: "what picket apply would change, with the values before and after",
  forms: [
    "-f FILE… [--owner NAME] [--prune] [--location NAME] [--sign KEY] [-o PLAN] [--verbose] [--json]",
  ],
  about: `Compares files with a service and changes nothing. Secrets are named as changed, never shown. Changes made
by hand since the last apply are shown with the key that made them, and when.`,
  words: [],
  options: {
    file: files,
    owner,
    prune,
    location,
    sign,
    out: value(file, "keep the plan in this file, for picket apply PLAN; it holds no secret", "o"),
    verbose,
    json: flag("one JSON object: revision, changes, unmanaged"),
  },
  notes: `${access}
The key needs the scope write, because secrets are compared.
Exit codes: 0 nothing would change, 2 something would, 1 a mistake in a file or at the service, 64 wrong usage.`,
};

/** How `picket apply` is typed. */
export const applyGrammar: Grammar<
  OptionsOf<"dry-run" | "verbose" | "prune" | "yes" | "json", "location" | "owner" | "sign", "file">
> = {
  name: "apply",
  summary: "changes a service to what YAML files say, all of it or nothing",
  forms: [
    "-f FILE… [--owner NAME] [--prune] [--yes] [--location NAME] [--sign KEY] [--verbose] [--dry-run] [--json]",
    "PLAN [--sign KEY] [--yes]",
  ],
  about: `Shows what changes, then the service changes it in one transaction. Objects are the same by kind and name:
one that is missing is created, one that differs is updated. With --prune, what the owner has and no file says is
deleted, once you have said yes.`,
  words: [file],
  options: {
    file: files,
    owner,
    prune,
    yes: flag("do not ask before something is deleted or replaced", "y"),
    location,
    sign,
    verbose,
    json: flag("one JSON object: what was changed, and tokens"),
    "dry-run": flag("show the plan and change nothing"),
  },
  notes: `${access}
The key needs the scope write. A monitor runs only where its file says active: true. PLAN is a file of picket plan -o:
it is refused when its files or the service have changed since.
Exit codes: 0 applied, 1 a mistake in a file or at the service, 64 wrong usage.`,
};

/** How `picket import` is typed. */
export const importGrammar: Grammar<OptionsOf<"release" | "all", "id" | "owner" | "from", "file">> =
  {
    name: "import",
    summary:
      "puts an object that a service has under the control of files, or prints an openstatus.yaml as one",
    forms: [
      "KIND NAME... (--owner NAME | -f FILE) [--id ID] [--from OWNER]",
      "KIND NAME... --release --from OWNER [--id ID]",
      "[KIND] --all --from OWNER (--release | --owner NAME | -f FILE)",
      "FILE",
    ],
    about: `Marks objects as their owner's: from then on the owner's files say what they are. The objects themselves
stay as they are. --release ends that: people change them then. Take them out of the files before their next
apply, which would take them back. --all means everything that OWNER has, or all of one KIND.
KIND is ${kinds.join(", ")}, monitor (of any of these kinds), location, notification, page
(NAME is its slug) or maintenance.

With a FILE of the openstatus command line it prints a file for picket apply, and asks no service. What
Picket does not know goes to standard error.`,
    words: [word("KIND", ["monitor", ...objectWords]), word("NAME")],
    options: {
      owner,
      file: list(file, "a file that says its owner", "f"),
      id: value(word("ID"), "which one, if two have the name"),
      from: value(word("OWNER"), "the owner that it is taken from, if it has one"),
      release: flag("take it from the owner's files, for people to change"),
      all: flag("all that the owner has, instead of names"),
    },
    notes: `${access}
The key needs the scope write.
Exit codes: 0 imported, 1 the service refused, 64 wrong usage.`,
  };

/** How `picket export` is typed. */
export const exportGrammar: Grammar<OptionsOf<never, "owner">> = {
  name: "export",
  summary: "prints what a service has, as a file for picket apply",
  forms: ["[KIND [NAME]] [--owner NAME]"],
  about: `Prints what a service has as a file for picket apply: monitors, private locations, notifications,
status pages and maintenances, or those of one kind or name. What may be a secret is a reference to a
variable that you set. Comments say ids, and owners if the key may write. A file is of one owner: that
of the objects, if they have one in common.`,
  words: [word("KIND", objectWords), word("NAME")],
  options: { owner: value(word("NAME"), "only what belongs to this owner") },
  notes: `${access}
A key with the scope read sees no secrets, and exports the rest: what it makes is not a file to apply.
Exit codes: 0 printed, 1 the service could not be asked, 64 wrong usage.`,
};
