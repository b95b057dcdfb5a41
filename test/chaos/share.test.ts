import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import type { AgentRun } from "./agent-run.ts";
import { say } from "./figures.ts";
import { type Link, openLink } from "./link.ts";
import { openScene, type Scene } from "./scene.ts";

/** No monitor may be without a result for longer than this, whichever agent is lost: noticed, and moved. */
const silenceMax = 90_000;
/** For what the service does 90 s after a loss at the latest. */
const patience = { timeout: 180_000, interval: 1_000 };

test("three agents share 300 monitors: one is killed, one cut off, one added, and no monitor falls silent", async () => {
  await using scene = await openScene({ monitors: 300 });
  await scene.startService();
  await using links = new AsyncDisposableStack();
  const start = async (name: string): Promise<{ agent: AgentRun; link: Link }> => {
    const link = links.use(await openLink(scene.port));
    return { link, agent: member(scene, name, link) };
  };
  const [killed, cutOff, steady] = [await start("one"), await start("two"), await start("three")];
  await shared(scene, [killed.agent, cutOff.agent, steady.agent]);
  await everyMonitorChecked(scene, 0);
  await killed.agent.kill();
  cutOff.link.become("silent");
  const added = await start("four");
  // Only the steady and the added one still report: they take over what the other two checked.
  await shared(scene, [steady.agent, added.agent]);
  await everyMonitorChecked(scene, Date.now());
  cutOff.link.become("whole");
  await wait(10_000);
  for (const { agent } of [cutOff, steady, added]) expect(await agent.stop()).toBe(0);
  const accepted = scene.accepted();
  const slots = accepted.map(({ monitorId, slot }) => `${monitorId} ${slot}`);
  expect(new Set(slots).size).toBe(slots.length);
  const silences = [...Map.groupBy(accepted, ({ monitorId }) => monitorId).values()].map((own) => {
    const at = own.map(({ slot }) => slot).toSorted((a, b) => a - b);
    return Math.max(...at.slice(1).map((slot, index) => slot - (at[index] ?? 0)));
  });
  expect(silences).toHaveLength(300);
  const checks = [killed, cutOff, steady, added].map(({ agent }) => agent.all("checked").length);
  say(
    "3 agents, 300 monitors: kill -9, partition, one more",
    `${checks.join(" + ")} checks, ${accepted.length} results, none twice; longest silence of a monitor ${Math.max(...silences) / 1_000} s`,
  );
  expect(Math.max(...silences)).toBeLessThanOrEqual(silenceMax);
});

/** Waits until every monitor has a result of a slot after an instant. */
async function everyMonitorChecked(scene: Scene, from: number): Promise<void> {
  const checked = (): number => {
    const since = scene.accepted().filter(({ slot }) => slot > from);
    return new Set(since.map(({ monitorId }) => monitorId)).size;
  };
  await expect.poll(checked, patience).toBe(scene.monitors.length);
}

/** Waits until these agents have all monitors between them, each of them a share, and none twice. */
async function shared(scene: Scene, agents: readonly AgentRun[]): Promise<void> {
  const shares = (): readonly number[] =>
    agents.map((agent) => Number(agent.all("assignment taken").at(-1)?.fields["monitors"] ?? 0));
  const sum = (): number => (shares().includes(0) ? 0 : shares().reduce((a, b) => a + b, 0));
  await expect.poll(sum, patience).toBe(scene.monitors.length);
}

const member = (scene: Scene, name: string, link: Link): AgentRun =>
  scene.agent({
    port: link.port,
    state: path.join(scene.folder, name),
    env: { PICKET_INSTANCE: name },
  });
