import type { Grammar } from "#cli/grammar/command";
import { roles } from "#service/store/people-store";
import { file, flag, type OptionsOf, value, word } from "#cli/grammar/option";

export type ServiceOptions = OptionsOf<
  "allow-http" | "remove" | "json",
  "database" | "listen" | "cert" | "key" | "config" | "name" | "scope" | "role" | "days"
>;

/** How `picket service` is typed. */
export const serviceGrammar: Grammar<ServiceOptions> = {
  name: "service",
  summary: "the self-hosted service, on one SQLite file or on PostgreSQL",
  forms: [
    "[--database FILE] [--listen HOST:PORT] [--cert FILE --key FILE] [--config FOLDER]",
    "key create --name NAME --scope read|write [--days N] [--database FILE]",
    "key list [--database FILE]",
    "key revoke ID [--database FILE]",
    "person add EMAIL [--name NAME] [--role ROLE] [--database FILE]",
    "person list [--database FILE]",
    "person reset EMAIL [--database FILE]",
    "password [--remove] [--database FILE]",
    "backup FILE [--database FILE]",
    "doctor [--json] [--database FILE]",
  ],
  about: `Runs the self-hosted service on one SQLite file, or on PostgreSQL, until SIGTERM or Ctrl-C. If there
is no API key, it creates one and prints it once, but never into systemd's journal. Keys are created
and revoked here, on the service's own machine, in the database that the service uses. So is the
operators' password, which opens the service's pages: it is asked for twice and not shown, or read
from standard input, one line, if that is not a terminal. person add makes an account, an owner's
unless --role says otherwise, and prints a link with which the person chooses a password; person reset
prints another, and the old password opens nothing from then on. doctor says whether a service with this
environment could notify people: it signs in at the mail server, and sends nothing. It warns when
news to subscribers of status pages wait for long in the database, and says whether a SQLite file,
e.g. a backup, is whole.`,
  words: [
    word("COMMAND", ["key", "person", "password", "backup", "doctor"]),
    word("VERB", ["create", "list", "revoke", "add", "reset"]),
    word("ID"),
  ],
  options: {
    database: value(
      file,
      "default: service.sqlite in $STATE_DIRECTORY, else ./picket-service.sqlite (PICKET_SERVICE_DATABASE); postgres://… for PostgreSQL",
    ),
    listen: value(word("HOST:PORT"), "default 127.0.0.1:8787 (PICKET_SERVICE_LISTEN)"),
    cert: value(
      file,
      "a PEM certificate, with its chain, to speak TLS with (PICKET_SERVICE_CERT_FILE)",
    ),
    key: value(
      file,
      "its PEM key, without passphrase (PICKET_SERVICE_KEY_FILE); renewed files are taken within a minute, without a restart",
    ),
    config: value(
      word("FOLDER", "files"),
      "files like those of picket apply that say what the service has; it applies them at the start and when they change, and only they can change these objects (PICKET_SERVICE_CONFIG)",
    ),
    "allow-http": flag(
      "allows plain http on an address that other machines reach (PICKET_SERVICE_ALLOW_HTTP=on): only if a proxy in front of it speaks TLS",
    ),
    name: value(word("NAME"), "the name of a new key or person"),
    scope: value(word("SCOPE", ["read", "write"]), "the scope of a new key: read, or write"),
    role: value(
      word("ROLE", [...roles]),
      "the role of a new person on the pages: owner, unless another is named",
    ),
    days: value(
      word("N"),
      "the days after which a new key opens nothing; without it, it has no end",
    ),
    json: flag("with doctor: one JSON object: ok, findings"),
    remove: flag("removes the password; then only API keys open the pages"),
  },
  notes:
    "Exit codes: 0 stopped as asked, or done, 1 could not start, or doctor found a fault, 64 wrong usage.",
};
