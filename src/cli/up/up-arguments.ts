import { parseDuration } from "#duration";
import { parseArguments, UsageError } from "#cli/usage-error";
import * as limits from "#limits";
import { type ListenAddress, parseListenAddress } from "#network/listen-address";
import type { Millis } from "#units";

/** What `picket up` was asked. */
export interface UpArguments {
  /** Null watches the machine that it runs on. */
  readonly monitorsFile: string | null;
  /** Null runs until it is told to stop. */
  readonly runFor: Millis | null;
  readonly json: boolean;
  readonly listen: ListenAddress;
  /** Null keeps nothing. */
  readonly dataDirectory: string | null;
}

export const upHelp = `picket up [--monitors FILE] [--for 20s] [--json] [--listen HOST:PORT] [--data DIR]

Starts the service and an agent together, to try Picket on one machine: there is no token to
copy and nothing to clean up. Ctrl-C stops it.

  --monitors FILE      run the monitors of a YAML file: lists under http_monitors, tcp_monitors and
                       dns_monitors. Here every monitor runs unless it has active: false
                       (the service's own default is inactive).
                       Without a file it watches this machine: the service itself, a name by DNS,
                       and an example that is slow, fails and is fine in turns.
  --for DURATION       stop after this time, e.g. 500ms, 20s, 5m or 1h
  --json               at the end, print what the service knows as one JSON object
  --listen HOST:PORT   where the service listens (default 127.0.0.1:0, a free port)
  --data DIR           keep the service's database and the agent's state here, and continue with them
                       the next time (default: a temporary directory that is removed at the end)

Exit codes: 0 stopped as asked, 1 could not start or was aborted, 64 wrong usage.
`;

export function parseUpArguments(args: readonly string[]): UpArguments | "help" {
  const { values } = parseArguments(args, {
    options: {
      monitors: { type: "string" },
      for: { type: "string" },
      json: { type: "boolean", default: false },
      listen: { type: "string", default: "127.0.0.1:0" },
      data: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  for (const name of ["monitors", "data"] as const)
    if (values[name] === "") throw new UsageError(`--${name} needs a path`);
  return {
    monitorsFile: values.monitors ?? null,
    runFor: values.for === undefined ? null : parseFor(values.for),
    json: values.json,
    listen: listenOf(values.listen),
    dataDirectory: values.data ?? null,
  };
}

function parseFor(text: string): Millis {
  const duration = parseDuration(text);
  if (duration === null || duration === 0)
    throw new UsageError(`--for must be a duration, e.g. 500ms, 20s, 5m or 1h, not "${text}"`);
  if (duration > limits.upRunMax)
    throw new UsageError("--for is at most 576h; without it, picket up runs until it is stopped");
  return duration;
}

function listenOf(text: string): ListenAddress {
  const listen = parseListenAddress(text);
  if (listen === null)
    throw new UsageError(
      `--listen must be HOST:PORT, e.g. 127.0.0.1:8787 or [::1]:8787, not "${text}"`,
    );
  return listen;
}
