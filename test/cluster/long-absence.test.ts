import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { startService } from "#service/server";
import { openBalancer } from "../chaos/balancer.ts";
import { tell } from "../chaos/figures.ts";
import { expectRan, expectWhole, ledgerOf } from "../chaos/ledger.ts";
import { openMoodyProvider } from "../chaos/moody-provider.ts";
import { call } from "../chaos/notified-scene.ts";
import { acceptedOnServer, agentOfAll, startReplica } from "../chaos/replica-scene.ts";
import { openScene, type Scene } from "../chaos/scene.ts";
import { closedPort } from "../servers/scripted.ts";
import { citusPrograms, startCitus } from "./citus-cluster.ts";
import { heardOf } from "./heard-messages.ts";

const programs = citusPrograms();
/** In this time at 10 s each monitor has as many results as in ten minutes at a minute, and two agents report each. */
const awayFor = 100_000;
const monitors = 150;
/** Their ids are the same each time, so that both workers have some of them. */
const failing = 10;
/** A message comes some seconds after the check, and the backlog of two agents comes first. */
const patience = { timeout: 200_000, interval: 1_000 };

/** Has the monitors that are to fail notify a webhook; the sealing key is that of the replicas. */
async function notifyWebhook(scene: Scene, database: string, endpoint: string): Promise<void> {
  const secretFile = path.join(scene.folder, "sealing-key");
  const place = { database, secretFile, host: "127.0.0.1", port: 0 } as const;
  await using service = await startService({ ...place, clock: systemClock, log: silentLogger });
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const method = "openstatus.notification.v1.NotificationService/CreateNotification";
  await call(service.url, key, method, {
    name: "hook",
    provider: "NOTIFICATION_PROVIDER_WEBHOOK",
    data: { webhook: { endpoint } },
    monitorIds: scene.monitors.slice(0, failing).map(({ id }) => id),
  });
}

test.skipIf(programs === null)(
  "a worker is away until agents have a backlog for it: every slot is there once, and a webhook receives each failure and each end once",
  { timeout: 600_000 },
  async () => {
    await using cluster = await startCitus(programs ?? "");
    const database = await cluster.fresh();
    await using scene = await openScene({ monitors, database });
    await using provider = await openMoodyProvider();
    const ports = [await closedPort(), await closedPort()];
    await using balancer = await openBalancer(ports);
    const replicas = await Promise.all(ports.map((port) => startReplica(scene, database, port)));
    await notifyWebhook(scene, database, `${provider.url}/hook`);
    const agents = ["one", "two"].map((name) => agentOfAll(scene, balancer.port, name));
    await Promise.all(agents.map((agent) => agent.said(/assignment taken/)));
    const stored = () => acceptedOnServer(database, scene);
    await vi.waitFor(async () => {
      const checked = (await stored()).map(({ monitorId }) => monitorId);
      expect(new Set(checked).size).toBe(monitors);
    }, patience);
    const from = Date.now();
    await cluster.killWorker();
    scene.target.failFirst(failing);
    await wait(awayFor);
    await cluster.startWorker();
    const names = Array.from({ length: failing }, (_, index) => `m${index}`);
    const allHeard = (types: readonly string[]): Promise<void> =>
      vi.waitFor(() => {
        const heard = heardOf(provider);
        expect(names.map((name) => heard.get(name))).toEqual(names.map(() => types));
      }, patience);
    await allHeard(["monitor.error"]);
    scene.target.failFirst(0);
    await allHeard(["monitor.error", "monitor.recovered"]);
    const to = Date.now() - 10_000;
    const due = monitors * Math.floor((to - from) / 10_000);
    await vi.waitFor(async () => {
      const since = (await stored()).filter(({ slot }) => slot >= from && slot < to);
      expect(since.length).toBeGreaterThanOrEqual(due);
    }, patience);
    for (const agent of agents) expect(await agent.stop()).toBe(0);
    for (const replica of replicas) expect(await replica.stop()).toBe(0);
    const ledger = ledgerOf(scene.monitors, agents, await stored(), { from, to });
    tell(`2 replicas on a cluster, 2 agents: a worker away for ${awayFor / 1e3} s`, ledger);
    expectWhole(ledger);
    expectRan(ledger);
    const once = names.map((name) => [name, ["monitor.error", "monitor.recovered"]] as const);
    expect(heardOf(provider)).toEqual(new Map(once));
  },
);
