import { expect, test } from "vitest";
import { recoveryWords } from "#service/operator/incidents/recovery-words";
import { alertedOffice } from "../../alerts/alerted-office.ts";
import { reading } from "../../../support/reading-pages.ts";

const pages = ["/", "/incidents", "/incidents/1", "/monitors/1"];

test("between repair and end every page says what the incident waits for", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  const said = async () => {
    const words = await Promise.all(pages.map(read));
    return words.map((one) => /Recovering: [^.]*\./.exec(one)?.[0] ?? "");
  };
  await office.beat();
  await office.report("error");
  await office.until(async () => (await read("/incidents")).includes("1 open incident"));
  expect(await said()).toEqual(["", "", "", ""]);
  await office.pass(30);
  await office.report("success");
  await office.until(async () => (await read("/")).includes("Recovering"));
  const waits = "Recovering: closes after 1 more passing check at office (1 of 2 passed).";
  expect(await said()).toEqual([waits, waits, waits, waits]);
  // The mark at the top is no longer that of a failing monitor.
  expect(await read("/incidents/1")).toMatch(/m0 Recovering Incident 1, open for/);
  await office.pass(30);
  await office.report("success");
  await office.until(async () => (await read("/incidents")).includes("No open incident"));
  expect(await said()).toEqual(["", "", "", ""]);
});

test("what an incident waits for is said of each location that is without enough checks", () => {
  const short = [
    { location: "Warehouse", passed: 0 },
    { location: "Office", passed: 1 },
    { location: "Berlin", passed: 1 },
  ];
  expect(recoveryWords({ short, enough: 3, wanted: 2 })).toBe(
    "Recovering: closes after 1 more passing check at Berlin, Office (1 of 2 passed) and 2 more passing checks at Warehouse (0 of 2 passed)",
  );
  expect(recoveryWords({ short, enough: 2, wanted: 2 })).toBe(
    "Recovering: closes after enough passing checks at 2 of 3 locations: 1 more passing check at Berlin, Office (1 of 2 passed), 2 more passing checks at Warehouse (0 of 2 passed)",
  );
  const many = Array.from({ length: 7 }, (_, index) => ({ location: `L${index}`, passed: 0 }));
  expect(recoveryWords({ short: many, enough: 7, wanted: 1 })).toBe(
    "Recovering: closes after 1 more passing check at L0, L1, L2, L3, L4 and 2 other locations (0 of 1 passed)",
  );
});
