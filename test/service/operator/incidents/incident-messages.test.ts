import { expect, test } from "vitest";
import { after, minutes } from "#base/units";
import { alertedOffice } from "../../alerts/alerted-office.ts";
import { reading } from "../../../support/reading-pages.ts";

test("the page of an incident says until when its messages wait for what it depends on, and for a silence", async () => {
  const office = await alertedOffice(2);
  const read = await reading(office);
  const [edge = "", shop = ""] = office.monitors;
  const client = office.service.monitors(office.key);
  await client.updateTCPMonitor({ id: shop, monitor: { alerting: { dependsOn: [edge] } } });
  await office.channel("ops");
  await office.beat();
  for (let round = 0; round < 3; round += 1) {
    await office.report("error");
    await office.pass(30);
  }
  const shopPage = (await read("/incidents/1")).includes("m1 Failing")
    ? "/incidents/1"
    : "/incidents/2";
  expect(await read(shopPage)).toContain(
    "waits: m0, which it depends on, is down; if this still fails 1 min after that is up, it is sent then",
  );
  for (const length of [30, 5]) {
    await office.report("success", [edge]);
    await office.report("error", [shop]);
    await office.pass(length);
  }
  expect(await read(shopPage)).toMatch(
    /waits: m0, which it depends on, is up again; if this still fails, it is sent at 12:0\d UTC/,
  );
  const from = office.clock.wall();
  const covers = { monitors: [Number(shop)], locations: [], labels: {} };
  const until = after(from, minutes(90));
  await office.store.alerts.silences.create({ ...covers, from, until, reason: "", by: "ann" });
  await office.until(async () => (await read(shopPage)).includes("waits: it is silenced"), 90);
  expect(await read(shopPage)).toContain("waits: it is silenced until 13:32 UTC");
});
