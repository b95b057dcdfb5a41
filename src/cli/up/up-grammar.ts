import { listWords } from "#check/list-words";
import type { Grammar } from "#cli/grammar/command";
import { file, flag, list, type OptionsOf, value, word } from "#cli/grammar/option";

type UpOptions = OptionsOf<"json", "monitors" | "for" | "listen" | "data", "notify">;

/** How `picket up` is typed. */
export const upGrammar: Grammar<UpOptions> = {
  name: "up",
  summary: "the service and an agent together, to try Picket: no token to copy",
  forms: [
    "[--monitors FILE] [--for 20s] [--json] [--listen HOST:PORT] [--data DIR] [--notify URL]",
  ],
  about: `Starts the service and an agent together, to try Picket on one machine: there is no token to
copy and nothing to clean up. Ctrl-C stops it.`,
  words: [],
  options: {
    monitors: value(
      file,
      `run the monitors of a YAML file: lists under ${listWords("and")}. Here every monitor runs unless it has active: false (the service's own default is inactive). Without a file it watches this machine: the service itself, a name by DNS, and an example that is slow, fails and is fine in turns.`,
    ),
    for: value(word("DURATION"), "stop after this time, e.g. 500ms, 20s, 5m or 1h"),
    json: flag("at the end, print what the service knows as one JSON object"),
    listen: value(
      word("HOST:PORT"),
      "where the service listens (default 127.0.0.1:0, a free port)",
    ),
    notify: list(
      word("URL"),
      "send a message to this webhook when a monitor is down and when it is up again: Slack, Discord, Google Chat, Microsoft Teams and Grafana OnCall are recognised by the URL, every other URL gets JSON; https://ntfy.sh/TOPIC is a push message, mailto:ADDRESS a mail; may be given several times",
    ),
    data: value(
      word("DIR", "files"),
      "keep the service's database and the agent's state here, and continue with them the next time (default: a temporary directory that is removed at the end)",
    ),
  },
  notes: "Exit codes: 0 stopped as asked, 1 could not start or was aborted, 64 wrong usage.",
};
