import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { messageLedger } from "../chaos/message-ledger.ts";
import { holds, openNotified } from "../chaos/notified-scene.ts";
import { citusPrograms, startCitus } from "./citus-cluster.ts";
import { heardOf, standingAt } from "./heard-messages.ts";

const programs = citusPrograms();
/** Their ids are the same each time, so that both workers have some of them. */
const failing = 10;
/** Far above the 18 s of a worker without an answer, and the 15 s of a lease whose replica is not seen to have ended. */
const patience = 120_000;

test.skipIf(programs === null)(
  "a worker is killed, replicas are killed each five seconds, and the coordinator is restarted: each alert arrives once, and its end once",
  { timeout: 500_000 },
  async () => {
    await using cluster = await startCitus(programs ?? "");
    await using scene = await openNotified({
      monitors: { office: failing, branch: 1 },
      paged: failing,
      replicas: 2,
      database: await cluster.fresh(),
    });
    await Promise.all([scene.start(0), scene.start(1)]);
    await scene.office.flushed();
    const names = scene.monitors.office.map((_, index) => `office-${index}`);
    const killReplicas = async (times: number): Promise<void> => {
      for (let kill = 0; kill < times; kill += 1) {
        await wait(5_000);
        await scene.kill(kill % 2);
        await scene.start(kill % 2);
      }
    };
    const allHeard = (types: readonly string[]): Promise<void> =>
      holds(
        patience,
        () => `the webhook heard ${JSON.stringify([...heardOf(scene.provider)])}`,
        () => names.every((name) => heardOf(scene.provider).get(name)?.length === types.length),
      );
    scene.office.become(scene.monitors.office, "error");
    await cluster.killWorker();
    await killReplicas(2);
    await cluster.startWorker();
    await allHeard(["monitor.error"]);
    await cluster.endCoordinator("SIGKILL");
    await cluster.startCoordinator();
    scene.office.become(scene.monitors.office, "success");
    await killReplicas(2);
    await allHeard(["monitor.error", "monitor.recovered"]);
    // Each channel's messages have a replica: the pager's may be one that was killed just now, until its lease has ended.
    await holds(
      patience,
      () => `the pager still has ${standingAt(scene.provider).join(", ")}`,
      () => standingAt(scene.provider).length === 0,
    );
    // A message that would come twice comes with the next look of a replica that took over.
    await killReplicas(1);
    await scene.office.flushed();
    const once = names.map((name) => [name, ["monitor.error", "monitor.recovered"]]);
    const heard = heardOf(scene.provider);
    expect(names.map((name) => [name, heard.get(name)])).toEqual(once);
    const { incidents, lost, wrong, uncounted } = await messageLedger(scene);
    const ofMonitors = incidents.filter(({ incident }) => incident.subject.kind === "monitor");
    const ended = ofMonitors.filter(({ incident }) => incident.ended !== null);
    expect(ofMonitors.map(({ name }) => name).toSorted()).toEqual(names);
    expect(ended.length).toBe(names.length);
    expect({ lost, wrong, uncounted }).toEqual({ lost: [], wrong: [], uncounted: [] });
  },
);
