import { expect, test } from "vitest";
import { alertedOffice, type Office } from "./alerted-office.ts";

/** A check every 30 s: x fails. */
async function checks(office: Office, line: string): Promise<void> {
  for (const one of line) {
    await office.beat();
    await office.report(one === "x" ? "error" : "success");
    await office.pass(30);
  }
}

test("what opens again as flapping is acknowledged no more, and what is acknowledged while it flaps stays so", async () => {
  const office = await alertedOffice();
  const { incidents } = office.store.alerts;
  const monitors = office.monitors.map(Number);
  const newest = async () => (await incidents.newest("monitor", monitors))[0];
  await checks(office, "x..x");
  await incidents.acknowledge(1, office.clock.wall(), "Ann");
  await checks(office, "...");
  expect(await newest()).toMatchObject({
    ended: { because: "recovered" },
    acknowledged: { by: "Ann" },
  });
  await checks(office, "x");
  expect(await newest()).toMatchObject({ ended: null, flapping: {}, acknowledged: null });
  expect(await incidents.openCount()).toEqual({ open: 1, acknowledged: 0 });
  await incidents.acknowledge(1, office.clock.wall(), "Bob");
  await checks(office, "...x...x");
  expect(await newest()).toMatchObject({
    ended: null,
    flapping: { isDown: true },
    acknowledged: { by: "Bob" },
  });
});
