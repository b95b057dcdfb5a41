import { expect, test } from "vitest";
import { alertedOffice } from "../../alerts/alerted-office.ts";
import { reading } from "../../../support/reading-pages.ts";

test("incidents have the present name of their monitor, and the page of one the name of then", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  const [id = ""] = office.monitors;
  await office.beat();
  await office.report("error");
  await office.pass(5);
  expect(await read("/incidents/1")).not.toContain("Name then");
  for (const status of ["success", "success", "success"] as const) {
    await office.pass(30);
    await office.report(status);
  }
  await office.pass(5);
  await office.service.monitors(office.key).updateTCPMonitor({ id, monitor: { name: "cart" } });
  await office.pass(10);
  const list = await read("/incidents");
  expect(list).toContain("cart");
  expect(list).not.toContain("m0");
  expect(await read("/incidents.json")).toContain('"name":"cart"');
  expect(await read("/incidents/1")).toContain("About Monitor cart db.test:5432 Name then m0 ");
});
