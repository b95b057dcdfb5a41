import { setTimeout as wait } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { openBalancer } from "../chaos/balancer.ts";
import { tell } from "../chaos/figures.ts";
import { expectWhole, ledgerOf } from "../chaos/ledger.ts";
import { acceptedOnServer, agentOfAll, startReplica } from "../chaos/replica-scene.ts";
import { openScene } from "../chaos/scene.ts";
import { closedPort } from "../servers/scripted.ts";
import { citusPrograms, startCitus } from "./citus-cluster.ts";

const programs = citusPrograms();
/** A replica is killed each five seconds, in turns; in the middle of them a worker is away. */
const kills = 8;
const awayFrom = 2;
const awayUntil = 6;

test.skipIf(programs === null)(
  "replicas are killed each five seconds while a worker is away beneath two agents: every slot is there once",
  { timeout: 300_000 },
  async () => {
    await using cluster = await startCitus(programs ?? "");
    const database = await cluster.fresh();
    await using scene = await openScene({ monitors: 40, database });
    const ports = [await closedPort(), await closedPort()];
    await using balancer = await openBalancer(ports);
    const replicas = await Promise.all(ports.map((port) => startReplica(scene, database, port)));
    const agents = ["one", "two"].map((name) => agentOfAll(scene, balancer.port, name));
    await Promise.all(agents.map((agent) => agent.said(/assignment taken/)));
    await vi.waitFor(
      async () => {
        const checked = (await acceptedOnServer(database, scene)).map((one) => one.monitorId);
        expect(new Set(checked).size).toBe(scene.monitors.length);
      },
      { timeout: 60_000, interval: 1_000 },
    );
    const from = Date.now();
    for (let kill = 0; kill < kills; kill += 1) {
      if (kill === awayFrom) await cluster.killWorker();
      if (kill === awayUntil) await cluster.startWorker();
      const began = Date.now();
      const index = kill % ports.length;
      await replicas[index]?.kill();
      replicas[index] = await startReplica(scene, database, ports[index] ?? 0);
      await wait(Math.max(0, 5_000 - (Date.now() - began)));
    }
    const to = Date.now() - 2_000;
    // What the agents kept for the worker is there once it was sent again.
    const due = scene.monitors.length * Math.floor((to - from) / 10_000);
    await vi.waitFor(
      async () => {
        const since = (await acceptedOnServer(database, scene)).filter(({ slot }) => slot >= from);
        expect(since.length).toBeGreaterThanOrEqual(due);
      },
      { timeout: 90_000, interval: 1_000 },
    );
    for (const agent of agents) expect(await agent.stop()).toBe(0);
    for (const replica of replicas) expect(await replica.stop()).toBe(0);
    const ledger = ledgerOf(scene.monitors, agents, await acceptedOnServer(database, scene), {
      from,
      to,
    });
    tell(`2 replicas on a cluster, 2 agents: ${kills} kills, a worker away for 20 s`, ledger);
    expectWhole(ledger);
  },
);
