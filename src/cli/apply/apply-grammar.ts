import type { Grammar } from "#cli/grammar/command";
import { file, flag, type OptionsOf, value, word } from "#cli/grammar/option";

/** How `picket apply` is typed. */
export const applyGrammar: Grammar<OptionsOf<"dry-run", "file" | "location">> = {
  name: "apply",
  summary: "creates and updates monitors of a service from a YAML file",
  forms: ["-f FILE [--location NAME] [--dry-run]"],
  about: `Makes a service have the monitors of a YAML file. Monitors are the same by kind and name:
one that is missing is created, one that differs is updated, and nothing is ever deleted.`,
  words: [],
  options: {
    file: value(file, "the monitors: lists under http_monitors, tcp_monitors, dns_monitors", "f"),
    location: value(
      word("NAME", "locations"),
      "also assign them to this private location, beside what it runs already; a location that is missing is created, and its token printed",
    ),
    "dry-run": flag("show the plan and change nothing"),
  },
  notes: `  SERVICE_API_URL      the service, e.g. https://monitoring.example.com
  SERVICE_API_KEY      an API key with the scope write

The service is reached in the same way as by an agent: PICKET_SERVICE_PROXY or HTTPS_PROXY, PICKET_NO_PROXY,
PICKET_CA_FILE, PICKET_CLIENT_CERT_FILE, PICKET_CLIENT_KEY_FILE and PICKET_ALLOW_HTTP hold here too.
A monitor runs only where its file says active: true.
Exit codes: 0 applied, 1 a mistake in the file or at the service, 64 wrong usage.`,
};
