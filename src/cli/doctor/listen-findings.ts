import { once } from "node:events";
import { createServer } from "node:net";
import type { Config } from "#agent/settings/config";
import { failed, fine, type Finding, warning } from "#cli/doctor/finding";
import { askEndpoint } from "#cli/edge/local-endpoint";
import { systemClock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import * as limits from "#limits/cli-limits";
import { type ListenAddress, listenObstacle, reachedAt } from "#network/listen-address";
import { showHostPort } from "#network/host-port";
import { errorCode } from "#network/system-errors";

/** Whether an agent could listen at PICKET_LISTEN, and which program has the address where it could not. */
export async function listenFindings({
  listen,
}: Pick<Config, "listen">): Promise<readonly Finding[]> {
  const about = "local endpoint";
  if (listen === null) return [fine(about, "off by PICKET_LISTEN")];
  const at = showHostPort(listen.host, listen.port);
  const code = await obstacleAt(listen);
  if (code === null)
    return [fine(about, listen.port === 0 ? "takes a free port" : `${at} is free`)];
  const says = listenObstacle(code, listen);
  if (code !== "EADDRINUSE")
    return [failed(about, says, "set PICKET_LISTEN to another address, or to off")];
  const agent = await agentAt(reachedAt(listen));
  if (agent === null)
    return [
      failed(
        about,
        `${says}; the process that uses it does not answer as an agent`,
        "set PICKET_LISTEN to another address, or stop what listens there (ss -ltnp shows it)",
      ),
    ];
  const held = `a running agent listens on ${at}: ${agent.instance}, Picket ${agent.version}`;
  return [
    agent.ill === null
      ? fine(about, held)
      : warning(about, `${held}, not live: ${agent.ill}`, "see that agent's log"),
  ];
}

/** Why nothing can listen there, as the system's code; null if something could, as was tried for a moment. */
async function obstacleAt({ host, port }: ListenAddress): Promise<string | null> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
  } catch (error) {
    return errorCode(error) || String(error);
  }
  server.close();
  await once(server, "close");
  return null;
}

interface RunningAgent {
  readonly instance: string;
  readonly version: string;
  /** Why it is not live; null if it is. */
  readonly ill: string | null;
}

/** The agent whose endpoint answers there; null if what answers is none, or nothing does. */
async function agentAt(at: ListenAddress): Promise<RunningAgent | null> {
  using deadline = startDeadline(systemClock, limits.healthCallTimeout);
  try {
    const { text } = await askEndpoint(
      at,
      "/status?limit=1",
      limits.doctorStatusCharsMax,
      deadline.signal,
    );
    return agentIn(JSON.parse(text));
  } catch {
    return null;
  }
}

function agentIn(status: unknown): RunningAgent | null {
  if (typeof status !== "object" || status === null) return null;
  if (!("instance" in status) || typeof status.instance !== "string") return null;
  if (!("version" in status) || typeof status.version !== "string") return null;
  if (!("live" in status) || typeof status.live !== "object" || status.live === null) return null;
  const { instance, version, live } = status;
  const reason = "reason" in live ? String(live.reason) : null;
  return { instance, version, ill: reason };
}
