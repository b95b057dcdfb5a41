import type { Grammar } from "#cli/grammar/command";
import { flag, list, type OptionsOf, value, word } from "#cli/grammar/option";
import * as limits from "#limits/service-limits";

/* How the commands are typed that show incidents and what was sent about them, and quieten them. */

const json = flag("for a program: one JSON object a line");
const last = value(
  word("N"),
  `how many are shown, 1 to ${limits.monitorsListMax} (default ${limits.monitorsListDefault})`,
);

export const incidentsGrammar: Grammar<OptionsOf<"all" | "json", "last">> = {
  name: "incidents",
  summary: "what is down or slow, since when, and what has happened to it",
  forms: ["[--all] [--last N] [--json]", "NUMBER [--json]"],
  about: "Lists the open incidents, the newest first. Of one incident: every event.",
  words: [word("NUMBER")],
  options: { all: flag("those that have ended, too"), last, json },
  notes: "Exit codes: 0 shown, 1 the service could not be asked, 64 wrong usage.",
};

export const deliveriesGrammar: Grammar<OptionsOf<"json", "state" | "incident" | "last">> = {
  name: "deliveries",
  summary: "messages about incidents: sent, waiting, and not sent with the reason",
  forms: ["[--state WORD] [--incident NUMBER] [--last N] [--json]"],
  about: "Lists messages to notification channels, the newest first.",
  words: [],
  options: {
    state: value(
      word("WORD", ["waiting", "accepted", "sent", "dropped"]),
      "only those that are waiting, accepted, sent or dropped",
    ),
    incident: value(word("NUMBER"), "only those about this incident"),
    last,
    json,
  },
  notes: "Exit codes: 0 shown, 1 the service could not be asked, 64 wrong usage.",
};

export const ackGrammar: Grammar = {
  name: "ack",
  summary: "acknowledges an incident: its reminders stop until it gets worse",
  forms: ["NUMBER"],
  about: `Marks an incident as seen: no reminders follow until it gets worse or opens again. picket incidents
shows the numbers.`,
  words: [word("NUMBER")],
  options: {},
  notes: "Exit codes: 0 done, 1 refused, 64 wrong usage. Needs a key with the scope write.",
};

export const silenceGrammar: Grammar<
  OptionsOf<"list" | "json", "for" | "reason" | "end", "location" | "label">
> = {
  name: "silence",
  summary: "sends nothing about some monitors, locations or labels for a time",
  forms: [
    "[MONITOR…] [--location NAME…] [--label KEY=VALUE…] --for DURATION [--reason TEXT]",
    "--list [--json]",
    "--end ID",
  ],
  about: `Stops messages about monitors, locations or labels for a time. Incidents open and close as usual;
monitors still down when the silence ends are sent then.`,
  words: [word("MONITOR", "monitors")],
  options: {
    for: value(word("DURATION"), "how long, e.g. 30m or 2h"),
    reason: value(word("TEXT"), "why, for whoever asks later"),
    location: list(word("NAME", "locations"), "monitors of this location; may be repeated"),
    label: list(
      word("KEY=VALUE"),
      "monitors with this label; KEY alone is any value; may be repeated",
    ),
    list: flag("show the active silences"),
    end: value(word("ID"), "end this silence now"),
    json,
  },
  notes: "Exit codes: 0 done, 1 refused, 64 wrong usage. Needs a key with the scope write.",
};
