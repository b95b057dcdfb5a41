import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { long, tell } from "./figures.ts";
import { expectRan, expectWhole, ledgerOf, startsWithin } from "./ledger.ts";
import { type Condition, openLink } from "./link.ts";
import { openScene } from "./scene.ts";

const faultFor = long ? 60_000 : 7_000;

test("a service that is cut off in every way, and killed, has every slot once in the end", async () => {
  await using scene = await openScene({ monitors: 60 });
  await using link = await openLink(scene.port);
  await scene.startService();
  const agent = scene.agent({ port: link.port });
  await agent.said(/assignment taken/);
  const from = Date.now() + startsWithin;
  const faults: readonly Condition[] = ["cut", "refused", "silent"];
  for (const fault of faults) {
    await wait(3_000);
    link.become(fault);
    await wait(faultFor);
    link.become("whole");
  }
  await wait(3_000);
  await scene.service.kill();
  await wait(faultFor);
  await scene.startService();
  await wait(3_000);
  const to = Date.now() - startsWithin;
  expect(await agent.stop()).toBe(0);
  const ledger = ledgerOf(scene.monitors, [agent], scene.accepted(), { from, to });
  tell("service cut in mid-answer, refused, silent, killed", ledger, `${link.cuts} answers cut`);
  expectWhole(ledger);
  expect(link.cuts).toBeGreaterThan(0);
  expectRan(ledger);
});

test("SIGTERM with 200 checks in flight: every one of them ends and is stored, and the exit code is 0", async () => {
  await using scene = await openScene({ monitors: 200, periodicity: "30s", holdsAnswers: true });
  await scene.startService();
  const agent = scene.agent();
  await expect.poll(() => scene.target.held, { timeout: 60_000 }).toBe(200);
  const stopped = agent.stop();
  await agent.said(/stopping: waits at most 30 s for 200 checks in flight/);
  expect(agent.all("checked")).toEqual([]);
  scene.target.answer();
  expect(await stopped).toBe(0);
  const accepted = scene.accepted();
  expect(new Set(accepted.map(({ monitorId }) => monitorId)).size).toBe(200);
  expect(accepted.filter(({ status }) => status !== "success")).toEqual([]);
});
