import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import type { AgentRun } from "./agent-run.ts";
import { say } from "./figures.ts";
import { type Link, openLink } from "./link.ts";
import { openScene, type Scene } from "./scene.ts";
import { everyMonitorChecked, shared } from "./shares.ts";

/** Whichever agent is lost, that is noticed and its share has moved after 90 s; a busy machine may take as long again. */
const silenceMax = 180_000;
/** Each of its waits has `patience`. */
const timeout = 1_200_000;

test(
  "three agents share 300 monitors: one is killed, one cut off, one added, and no monitor falls silent",
  { timeout },
  async () => {
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
    const silences = [...Map.groupBy(accepted, ({ monitorId }) => monitorId).values()].map(
      (own) => {
        const at = own.map(({ slot }) => slot).toSorted((a, b) => a - b);
        return Math.max(...at.slice(1).map((slot, index) => slot - (at[index] ?? 0)));
      },
    );
    expect(silences).toHaveLength(300);
    const checks = [killed, cutOff, steady, added].map(({ agent }) => agent.all("checked").length);
    say(
      "3 agents, 300 monitors: kill -9, partition, one more",
      `${checks.join(" + ")} checks, ${accepted.length} results, none twice; longest silence of a monitor ${Math.max(...silences) / 1_000} s`,
    );
    expect(Math.max(...silences)).toBeLessThanOrEqual(silenceMax);
  },
);

const member = (scene: Scene, name: string, link: Link): AgentRun =>
  scene.agent({
    port: link.port,
    state: path.join(scene.folder, name),
    env: { PICKET_INSTANCE: name },
  });
