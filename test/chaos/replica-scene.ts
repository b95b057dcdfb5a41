import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { monitorId } from "#service/store/ids";
import { openStore } from "#service/store/open-store";
import { epochMillis } from "#base/units";
import { type RunningPicket, startPicket } from "../support/running-picket.ts";
import type { AgentRun } from "./agent-run.ts";
import type { Accepted } from "./ledger.ts";
import type { Scene } from "./scene.ts";

/** A replica of the service of a scene whose database is a server. */
export async function startReplica(
  scene: Scene,
  database: string,
  port: number,
): Promise<RunningPicket> {
  const secret = path.join(scene.folder, "sealing-key");
  writeFileSync(secret, sealingKey);
  const replica = startPicket(["service", "--listen", `127.0.0.1:${port}`], {
    PICKET_SERVICE_DATABASE: database,
    PICKET_SERVICE_SECRET_FILE: secret,
  });
  await replica.said(/listens on/);
  return replica;
}

const sealingKey = randomBytes(32).toString("base64");

/** Each runs every monitor, so that what one of them loses is another one's to report. */
export const agentOfAll = (scene: Scene, port: number, name: string): AgentRun =>
  scene.agent({
    port,
    state: path.join(scene.folder, name),
    env: { PICKET_INSTANCE: name, PICKET_PLACEMENT: "everywhere" },
  });

/** What the server has of a scene's monitors, at most 10,000 results of each. */
export async function acceptedOnServer(
  database: string,
  { monitors }: Scene,
): Promise<readonly Accepted[]> {
  await using store = await openStore({ database, use: "command", onProgress: () => {} });
  const accepted: Accepted[] = [];
  const whole = { location: null, from: epochMillis(0), to: epochMillis(2 ** 52) } as const;
  const page = { order: "oldest first", cursor: null, skip: 0, limit: 10_000 } as const;
  for (const { id } of monitors) {
    const monitor = monitorId(Number(id));
    const { results } = await store.results.window({ ...whole, ...page, monitor });
    accepted.push(...results.map((one) => ({ ...one, monitorId: id })));
  }
  return accepted;
}
