import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { monitorId } from "#service/store/ids";
import { openStore } from "#service/store/open-store";
import { closedPort } from "../servers/scripted.ts";
import { isPostgresInstalled, startPostgres } from "../support/postgres-server.ts";
import { openBalancer } from "./balancer.ts";
import { long, say, tell } from "./figures.ts";
import { expectWhole, ledgerOf } from "./ledger.ts";
import { acceptedOnServer, agentOfAll, startReplica } from "./replica-scene.ts";
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
      const agents = ["one", "two", "three"].map((name) => agentOfAll(scene, balancer.port, name));
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
        const again = agentOfAll(scene, balancer.port, ["one", "two", "three"][killed] ?? "");
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
      const accepted = await acceptedOnServer(database, scene);
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

async function activeSince(database: string, { monitors }: Scene): Promise<readonly number[]> {
  await using store = await openStore({ database, use: "command", onProgress: () => {} });
  const states = await store.state.states.of(monitors.map(({ id }) => monitorId(Number(id))));
  expect(states.map(({ status }) => status)).toEqual(monitors.map(() => "active"));
  return states.map(({ since }) => since);
}
