import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { keptIn } from "../support/kept-results.ts";
import type { AgentRun } from "./agent-run.ts";
import { long, tell } from "./figures.ts";
import { startsWithin, expectWhole, ledgerOf } from "./ledger.ts";
import { openLink } from "./link.ts";
import { openScene } from "./scene.ts";

const kills = long ? 200 : 50;

/** For a machine that is busy with much else; 3 s if it is not. */
const lifeMax = 20_000;

test(
  "kill -9 at random instants: what was kept arrives, once, and every other slot is accounted for",
  { timeout: kills * lifeMax },
  async () => {
    await using scene = await openScene({ monitors: 60 });
    await using link = await openLink(scene.port);
    await scene.startService();
    const runs: AgentRun[] = [];
    const kept = new Set<string>();
    const from = Date.now() + startsWithin;
    for (let kill = 0; kill < kills; kill += 1) {
      // Every other life is spent without the service, so that there is something to keep.
      link.become(kill % 2 === 0 ? "whole" : "refused");
      const agent = scene.agent({ port: link.port });
      runs.push(agent);
      await agent.said(/"message":"assignment /);
      // It keeps its assignment a moment after it has taken it, and the next life is to have one.
      await expect
        .poll(() => existsSync(path.join(scene.folder, "state/assignment.json")))
        .toBe(true);
      await wait(Math.random() * 2_500);
      await agent.kill();
      for (const one of keptIn(path.join(scene.folder, "state"))) kept.add(one);
    }
    link.become("whole");
    const last = scene.agent({ port: link.port });
    runs.push(last);
    await last.said(/"message":"checked"/);
    const to = Date.now() - startsWithin;
    expect(await last.stop()).toBe(0);
    const accepted = scene.accepted();
    const stored = new Set(accepted.map(({ monitorId, slot }) => `${monitorId} ${slot}`));
    const lost = [...kept].filter((one) => !stored.has(one));
    const ledger = ledgerOf(scene.monitors, runs, accepted, { from, to });
    tell(
      `killed ${kills} times`,
      ledger,
      `${kept.size} were kept on disk, ${lost.length} of them lost`,
    );
    expect(lost).toEqual([]);
    expect(kept.size).toBeGreaterThan(kills);
    expect(stored.size).toBe(accepted.length);
    expectWhole(ledger);
  },
);
