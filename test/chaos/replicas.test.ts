import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { monitorId } from "#service/store/ids";
import { openStore } from "#service/store/open-store";
import { epochMillis } from "#base/units";
import { closedPort } from "../servers/scripted.ts";
import { isPostgresInstalled, startPostgres } from "../support/postgres-server.ts";
import { type RunningPicket, startPicket } from "../support/running-picket.ts";
import { openBalancer } from "./balancer.ts";
import { long, say, tell } from "./figures.ts";
import { type Accepted, expectWhole, ledgerOf } from "./ledger.ts";
import { openScene, type Scene } from "./scene.ts";

/** Each round kills both replicas, one after the other, and an agent. */
const rounds = long ? 20 : 2;
/** For how long nothing may be stored, whichever replica is gone: some 6 s, and 14 s were seen on a busy machine. */
const silenceMax = 45_000;

describe.skipIf(!isPostgresInstalled())("two replicas on one PostgreSQL", () => {
  test(
    "are killed in turns beneath three agents, one of which is killed too: every slot is there once, and no judgement lapses",
    { timeout: 120_000 + rounds * 60_000 },
    async () => {
      await using server = await startPostgres(true);
      const database = server.fresh();
      await using scene = await openScene({ monitors: 40, database });
      const ports = [await closedPort(), await closedPort()];
      await using balancer = await openBalancer(ports);
      const replicas = await Promise.all(ports.map((port) => startReplica(scene, database, port)));
      const agents = ["one", "two", "three"].map((name) => agentOf(scene, balancer.port, name));
      const runs = [...agents];
      await Promise.all(agents.map((agent) => agent.said(/assignment taken/)));
      // Each runs all monitors after its first checks, and a replica judges them.
      await vi.waitFor(() => activeSince(database, scene), { timeout: 100_000, interval: 1_000 });
      const from = Date.now();
      for (let round = 0; round < rounds; round += 1) {
        for (const [index, port] of ports.entries()) {
          await replicas[index]?.kill();
          await wait(8_000);
          replicas[index] = await startReplica(scene, database, port);
          await wait(3_000);
        }
        const killed = round % agents.length;
        await agents[killed]?.kill();
        const again = agentOf(scene, balancer.port, ["one", "two", "three"][killed] ?? "");
        agents[killed] = again;
        runs.push(again);
        await again.said(/"message":"assignment /);
      }
      await wait(5_000);
      const to = Date.now() - 2_000;
      // Every monitor is active since its first result: there was always a replica that judged it.
      for (const at of await activeSince(database, scene)) expect(at).toBeLessThan(from);
      for (const agent of agents) expect(await agent.stop()).toBe(0);
      for (const replica of replicas) expect(await replica.stop()).toBe(0);
      const accepted = await acceptedIn(database, scene);
      const ledger = ledgerOf(scene.monitors, runs, accepted, { from, to });
      const stored = accepted.map(({ storedAt }) => storedAt).toSorted((a, b) => a - b);
      const silences = stored.slice(1).map((at, index) => at - (stored[index] ?? at));
      tell(`2 replicas on PostgreSQL, 3 agents: ${rounds * 3} kills`, ledger);
      say("longest time in which nothing was stored", `${Math.max(...silences) / 1_000} s`);
      expectWhole(ledger);
      expect(Math.max(...silences)).toBeLessThanOrEqual(silenceMax);
    },
  );
});

async function startReplica(scene: Scene, database: string, port: number): Promise<RunningPicket> {
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
const agentOf = (scene: Scene, port: number, name: string) =>
  scene.agent({
    port,
    state: path.join(scene.folder, name),
    env: { PICKET_INSTANCE: name, PICKET_PLACEMENT: "everywhere" },
  });

async function activeSince(database: string, { monitors }: Scene): Promise<readonly number[]> {
  await using store = await openStore({ database, use: "command", onProgress: () => {} });
  const states = await store.state.states.of(monitors.map(({ id }) => monitorId(Number(id))));
  expect(states.map(({ status }) => status)).toEqual(monitors.map(() => "active"));
  return states.map(({ since }) => since);
}

async function acceptedIn(database: string, { monitors }: Scene): Promise<readonly Accepted[]> {
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
