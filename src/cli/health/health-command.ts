import { expectations, isOff } from "#config/setting-kinds";
import { settings } from "#config/agent-settings";
import { exitCodes } from "#cli/edge/exit-code";
import type { Io } from "#cli/edge/io";
import { askEndpoint, askEndpointByTls, type EndpointAnswer } from "#cli/edge/local-endpoint";
import { serviceListenDefault } from "#cli/edge/service-listen";
import { readWords } from "#cli/grammar/read-words";
import { healthGrammar } from "#cli/health/health-grammar";
import { UsageError } from "#cli/edge/usage-error";
import { systemClock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/cli-limits";
import { type ListenAddress, parseListenAddress, reachedAt } from "#network/listen-address";
import { showHostPort } from "#network/host-port";
import { errorCode } from "#network/system-errors";
import { showText } from "#base/text";

/** `picket health`: for container health checks and scripts. */
export async function runHealth(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(healthGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const answers = await Promise.all(requestOf(typed.words, io));
  const run = answers.filter(({ is }) => is !== "absent");
  const shown = run.length > 0 ? run : answers;
  const alive = shown.every(({ is }) => is === "alive");
  for (const { is, line } of shown)
    (is === "alive" ? io.stdout : io.stderr).write(`${showText(line)}\n`);
  return alive ? exitCodes.fine : exitCodes.failed;
}

function requestOf([which, ...more]: readonly string[], io: Io): readonly Promise<HealthReply>[] {
  if (more.length > 0 || (which !== undefined && which !== "agent" && which !== "service"))
    throw new UsageError("health takes agent or service");
  return [
    ...(which === "service" ? [] : [agentAnswer(io)]),
    ...(which === "agent" ? [] : [serviceAnswer(io)]),
  ];
}

interface HealthReply {
  /** Absent is what nothing listens for. */
  readonly is: "alive" | "not alive" | "absent";
  readonly line: string;
}

async function agentAnswer({ env, signal }: Io): Promise<HealthReply> {
  const text = env["PICKET_LISTEN"] || (settings.PICKET_LISTEN.fallback ?? "");
  if (isOff(text)) return { is: "absent", line: "PICKET_LISTEN is off: the agent cannot be asked" };
  const listen = parseListenAddress(text);
  if (listen === null)
    return { is: "not alive", line: `PICKET_LISTEN must be ${expectations.listen}` };
  const answer = await answerOf("agent", listen, signal, (at, patience) =>
    askEndpoint(at, "/livez", checkLimits.messageCharsMax, patience),
  );
  return answer;
}

async function serviceAnswer({ env, signal }: Io): Promise<HealthReply> {
  const listen = parseListenAddress(env["PICKET_SERVICE_LISTEN"] || serviceListenDefault);
  if (listen === null)
    return {
      is: "not alive",
      line: "PICKET_SERVICE_LISTEN must be HOST:PORT, e.g. 127.0.0.1:8787",
    };
  return answerOf("service", listen, signal, async (at, patience) => {
    const rest = ["/healthz", checkLimits.messageCharsMax, patience] as const;
    try {
      return await askEndpoint(at, ...rest);
    } catch (error) {
      // Whoever speaks TLS ends a conversation in plain http.
      if (patience.aborted || codeOf(error) === "ECONNREFUSED") throw error;
      return askEndpointByTls(at, ...rest);
    }
  });
}

async function answerOf(
  who: "agent" | "service",
  listen: ListenAddress,
  signal: AbortSignal,
  ask: (at: ListenAddress, patience: AbortSignal) => Promise<EndpointAnswer>,
): Promise<HealthReply> {
  const at = reachedAt(listen);
  using deadline = startDeadline(systemClock, limits.healthCallTimeout, signal);
  try {
    const { status, text } = await ask(at, deadline.signal);
    const [line = ""] = text.trim().split("\n");
    return {
      is: status === 200 ? "alive" : "not alive",
      line: who === "agent" ? line : said(line),
    };
  } catch (error) {
    const code = codeOf(error);
    const why = deadline.signal.aborted ? "does not answer in time" : `cannot be asked (${code})`;
    const absent = code === "ECONNREFUSED" && !deadline.signal.aborted;
    const line = `the ${who} at ${showHostPort(at.host, at.port)} ${why}`;
    return absent
      ? { is: "absent", line: `${line}; set ${listenSettings[who]} if it listens elsewhere` }
      : { is: "not alive", line };
  }
}

const listenSettings = { agent: "PICKET_LISTEN", service: "PICKET_SERVICE_LISTEN" } as const;

const codeOf = (error: unknown): string => errorCode(error) || String(error);

/** The service answers for programs: `{"status":"ok"}`, or a message. */
const said = (line: string): string => {
  const [, message] = /"message":"((?:[^"\\]|\\.)*)"/.exec(line) ?? [];
  if (message !== undefined) return `the service is unhealthy: ${message}`;
  return line.includes('"ok"') ? "the service is healthy" : line;
};
