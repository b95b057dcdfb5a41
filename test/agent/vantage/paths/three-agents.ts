import path from "node:path";
import { systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { tcpDefaults } from "#check/definition";
import { startService } from "#service/server";

/** An agent, where it listens, and from which port it traces. */
export interface AgentPart {
  readonly name: string;
  readonly port: number;
  readonly sourcePort: number;
  readonly env: Readonly<Record<string, string>>;
}

/** One as it is installed, one without paths, and one that may not dial the targets any more. */
export const parts: readonly [AgentPart, AgentPart, AgentPart] = [
  { name: "office", port: 8701, sourcePort: 61_001, env: {} },
  { name: "off", port: 8702, sourcePort: 61_002, env: { PICKET_PATHS: "off" } },
  {
    name: "denied",
    port: 8703,
    sourcePort: 61_003,
    env: { PICKET_TARGET_DENY: "10.0.8.9,fd00:8::9" },
  },
];

/** What a service has before its agents start. */
export interface Office {
  readonly folder: string;
  readonly database: string;
  readonly key: string;
  readonly tokens: readonly string[];
}

/** Two monitors at the location of each agent, which its name is part of, and a channel for those of the first. */
export async function openOffice(folder: string): Promise<Office> {
  const database = path.join(folder, "service.sqlite");
  const at = { database, host: "127.0.0.1", port: 0 } as const;
  await using service = await startService({ ...at, clock: systemClock, log: silentLogger });
  const { admin, url } = service;
  const { key } = await admin.createApiKey({ name: "test", scope: "write" });
  const tokens: string[] = [];
  for (const { name } of parts) {
    const monitorIds: string[] = [];
    for (const [what, uri] of Object.entries({ shop: "10.0.8.9:80", six: "[fd00:8::9]:80" })) {
      const target = { name: `${what}-${name}`, uri, timeout: 1_500, retry: 0 };
      const definition = { ...tcpDefaults, ...target, periodicity: "10s", active: true };
      monitorIds.push((await admin.createMonitor(definition, "assignment")).id);
    }
    const { token } = await admin.createPrivateLocation({ name, monitorIds, metadata: {} });
    tokens.push(token);
    if (tokens.length === 1) await openHook(url, key, monitorIds);
  }
  return { folder, database, key, tokens };
}

async function openHook(url: string, key: string, monitorIds: readonly string[]): Promise<void> {
  const method = "openstatus.notification.v1.NotificationService/CreateNotification";
  const answer = await fetch(`${url}/rpc/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-key": key },
    body: JSON.stringify({
      name: "hook",
      provider: "NOTIFICATION_PROVIDER_WEBHOOK",
      data: { webhook: { endpoint: "http://127.0.0.1:8790/hook" } },
      monitorIds,
    }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}
