import { expect, test } from "vitest";
import { alertedOffice } from "../../alerts/alerted-office.ts";
import { reading } from "../../../support/reading-pages.ts";

test("a location that is silent counts as not checked what is not paused", async () => {
  const office = await alertedOffice(3);
  const read = await reading(office);
  const [id = ""] = office.monitors;
  await office.beat();
  await office.report("success");
  await office.service.monitors(office.key).updateTCPMonitor({ id, monitor: { active: false } });
  office.agent.isAlive = false;
  await office.pass(140);
  expect(await read("/")).toContain("2 monitors are not checked from there.");
});
