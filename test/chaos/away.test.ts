import { expect, test } from "vitest";
import { openScene } from "./scene.ts";

test("an agent that starts while the service is away runs what it ran last within 5 s", async () => {
  await using scene = await openScene({ monitors: 50 });
  await scene.startService();
  const first = scene.agent();
  await first.said(/"message":"checked"/);
  expect(await first.stop()).toBe(0);
  await scene.service.kill();
  const again = scene.agent();
  await again.said(/assignment read from disk/);
  expect(again.all("checked").length).toBe(0);
  await expect
    .poll(() => new Set(again.all("checked").map(({ fields }) => fields["monitor"])).size, {
      timeout: 10_000,
    })
    .toBe(50);
  const { from } = again.span ?? { from: 0 };
  expect(
    Math.max(
      ...again
        .all("checked")
        .slice(0, 50)
        .map(({ at }) => at - from),
    ),
  ).toBeLessThan(6_000);
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
