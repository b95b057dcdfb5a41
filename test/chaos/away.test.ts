import { expect, test } from "vitest";
import { openScene } from "./scene.ts";

/** The agent promises 5 s; its threads may be late on a busy machine. Slots alone would take the whole period. */
const firstChecksWithin = 20_000;

test("an agent that was killed, and starts while the service is away, runs what it ran last within seconds", async () => {
  await using scene = await openScene({ monitors: 50, periodicity: "30s" });
  await scene.startService();
  const first = scene.agent();
  await first.said(/"message":"checked"/);
  // One that was stopped would know what it has checked, and go on at the next slots.
  await first.kill();
  await scene.service.kill();
  const again = scene.agent();
  await again.said(/assignment read from disk/);
  const firstSlots = (): ReadonlyMap<unknown, number> =>
    new Map(
      again
        .all("checked")
        .toReversed()
        .map(({ fields }) => [fields["monitor"], Number(fields["slot"])]),
    );
  await expect.poll(() => firstSlots().size, { timeout: 120_000 }).toBe(50);
  const [started] = again.all("picket agent started");
  const from = Date.parse(String(started?.fields["timestamp"]));
  const latest = Math.max(...firstSlots().values()) - from;
  expect(latest).toBeLessThan(firstChecksWithin);
  await scene.startService();
  await again.said(/connected to the service|the service is back/);
  expect(await again.stop()).toBe(0);
  const accepted = scene.accepted();
  const checked = again
    .all("checked")
    .map(({ fields }) => `${String(fields["monitor"])} ${String(fields["slot"])}`);
  const stored = new Set(accepted.map(({ monitorId, slot }) => `${monitorId} ${slot}`));
  expect(checked.filter((one) => !stored.has(one))).toEqual([]);
});
