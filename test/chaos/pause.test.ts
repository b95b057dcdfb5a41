import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { long, tell } from "./figures.ts";
import { expectRan, expectWhole, ledgerOf, startsWithin } from "./ledger.ts";
import { openScene } from "./scene.ts";

/** On a busy machine its threads go on until one of them has taken a signal. */
const signalledWithin = 3_000;
const pause = long ? 120_000 : 25_000;

test("a process that was suspended misses slots, says so, and runs no burst", async () => {
  await using scene = await openScene({ monitors: 60 });
  await scene.startService();
  const agent = scene.agent();
  await agent.said(/assignment taken/);
  const from = Date.now() + startsWithin;
  await wait(12_000);
  agent.child.kill("SIGSTOP");
  const stopped = Date.now();
  await wait(pause);
  const continued = Date.now();
  agent.child.kill("SIGCONT");
  await wait(13_000);
  // A burst would be every slot that was missed; what may be met late are those of the last 5 s.
  const slots = agent.all("checked").map(({ fields }) => Number(fields["slot"]));
  const tooLate = slots.filter(
    (slot) => slot > stopped + signalledWithin && slot < continued - startsWithin - signalledWithin,
  );
  expect(tooLate).toEqual([]);
  const to = Date.now() - startsWithin;
  expect(await agent.stop()).toBe(0);
  const ledger = ledgerOf(scene.monitors, [agent], scene.accepted(), { from, to });
  tell(`suspended for ${pause / 1_000} s`, ledger);
  expectWhole(ledger);
  expect(ledger.missed["late"] ?? 0).toBeGreaterThan(0);
  expectRan(ledger);
});
