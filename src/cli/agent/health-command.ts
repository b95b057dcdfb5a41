import { expectations, isOff } from "#config/setting-kinds";
import { settings } from "#config/settings";
import { exitCodes } from "#cli/exit-code";
import type { Io } from "#cli/io";
import { askEndpoint } from "#cli/agent/local-endpoint";
import { parseArguments } from "#cli/usage-error";
import { systemClock } from "#clock";
import { startDeadline } from "#deadline";
import * as limits from "#limits";
import { parseListenAddress, reachedAt } from "#network/listen-address";
import { showHostPort } from "#network/host-port";
import { showText } from "#text";

const healthHelp = `Usage: picket health

Asks the agent on this machine whether it is alive, at the address of PICKET_LISTEN, and prints the
answer in one line. It does not call the service: an agent whose service is away is alive.

Exit codes: 0 alive, 1 not alive, no answer within ${limits.healthCallTimeout / 1000} s, or PICKET_LISTEN is off, 64 wrong usage.
`;

/** `picket health`: for container health checks and scripts. */
export async function runHealth(args: readonly string[], io: Io): Promise<number> {
  const { values } = parseArguments(args, { options: { help: { type: "boolean", short: "h" } } });
  if (values.help === true) {
    io.stdout.write(healthHelp);
    return exitCodes.fine;
  }
  const { alive, line } = await askedAt(io.env["PICKET_LISTEN"] || listenDefault, io.signal);
  (alive ? io.stdout : io.stderr).write(`${showText(line)}\n`);
  return alive ? exitCodes.fine : exitCodes.failed;
}

const listenDefault = settings.PICKET_LISTEN.fallback ?? "";

interface Answer {
  readonly alive: boolean;
  readonly line: string;
}

const notAlive = (line: string): Answer => ({ alive: false, line });

async function askedAt(text: string, signal: AbortSignal): Promise<Answer> {
  if (isOff(text)) return notAlive("PICKET_LISTEN is off: the agent cannot be asked");
  const listen = parseListenAddress(text);
  if (listen === null) return notAlive(`PICKET_LISTEN must be ${expectations.listen}`);
  const at = reachedAt(listen);
  using deadline = startDeadline(systemClock, limits.healthCallTimeout, signal);
  try {
    const said = await askEndpoint(at, "/livez", limits.messageCharsMax, deadline.signal);
    return { alive: said.status === 200, line: said.text.trim().split("\n")[0] ?? "" };
  } catch (error) {
    const code = Error.isError(error) && "code" in error ? String(error.code) : String(error);
    const why = deadline.signal.aborted ? "does not answer in time" : `cannot be asked (${code})`;
    return notAlive(`the agent at ${showHostPort(at.host, at.port)} ${why}`);
  }
}
