import { expect, test } from "vitest";
import { failedFor, heldFor } from "#service/operator/monitors/failed-for";
import { after, epochMillis, seconds } from "#base/units";
import { alertedOffice } from "../../alerts/alerted-office.ts";
import { reading } from "../../../support/reading-pages.ts";

test("a state says for how long it has held, and the incident for how long it is open", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  await office.beat();
  await office.report("success");
  for (let check = 0; check < 6; check += 1) {
    await office.pass(30);
    await office.report("degraded");
  }
  await office.until(async () => (await read("/incidents")).includes("1 open incident"));
  expect(await read("/monitors/1")).toMatch(/Degraded for 2 min TCP/);
  await office.pass(30);
  await office.report("error");
  await office.until(async () => (await read("/")).includes("1 failing"));
  await office.pass(5);
  expect(await read("/monitors/1")).toMatch(/Failing for \d s TCP/);
  expect(await read("/monitors/1")).toMatch(/By location Failing office for \d s/);
  // Both lists have the time of the incident.
  expect(await read("/")).toMatch(/For 3 min( \d+ s)? at office\. [^.]* ?incident 1/i);
  expect(await read("/incidents")).toMatch(/Failing m0 for 3 min/);
  expect(await read("/locations/1")).toMatch(/refused for \d s \( ?incident 1/);
  expect(await read("/incidents/1")).toMatch(
    /Failing Incident 1, open for 3 min.* Down for \d+ s of 3 min \d+ s, slow for 3 min/,
  );
  // What passes again says since when, too.
  await office.pass(25);
  await office.report("success");
  await office.until(async () => (await read("/monitors/1")).includes("Recovering for"));
  expect(await read("/monitors/1")).toMatch(/m0 Recovering for \d s TCP/);
  // It is in a tile by itself, and not in that of what passes.
  expect(await read("/")).toMatch(/1 monitor at 1 location, all recovering .*All 1 Recovering 1 /);
  expect(await read("/?state=recovering")).toMatch(/Recovering m0/);
  expect(await read("/?state=active")).toContain("No monitor matches");
  expect(await read("/overview.json")).toMatch(/"recovering":\s*1,\s*"active":\s*0/);
});

test("the list of locations says the same as the state after a silence, and so do calls", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  const report = async (checks: number): Promise<void> => {
    for (let check = 0; check < checks; check += 1) {
      await office.beat();
      await office.report("success");
      await office.pass(30);
    }
  };
  await report(4);
  office.agent.isAlive = false;
  await office.pass(300);
  expect(await read("/monitors/1")).toContain("m0 No data for");
  office.agent.isAlive = true;
  await report(3);
  await office.until(async () => (await read("/monitors/1")).includes("m0 Passing for"));
  const page = await read("/monitors/1");
  const [, ofAll = ""] = /m0 Passing (for 1 min \d+ s) TCP/.exec(page) ?? [];
  expect(page).toContain(`By location Passing office ${ofAll} `);
  const status = await office.service.monitors(office.key).getMonitorStatus({ id: "1" });
  expect(status.locations.map(({ since }) => since)).toEqual([status.since]);
});

test("monitors of one cause have failed for as long as the first of those that fail now", () => {
  const since = epochMillis(1_000_000);
  const status = "error";
  const incident = { number: 1, cause: "", since, acknowledged: false, flapping: null };
  const later = { status, since: after(since, seconds(3)), incident: null } as const;
  const monitors = [
    later,
    // It passed in between: its incident lasts.
    { status, since: after(since, seconds(11)), incident },
    { status, since: null, incident: null },
  ] as const;
  const words = (all: Parameters<typeof failedFor>[0]) =>
    failedFor(all, after(since, seconds(15)))
      ?.text.replaceAll(/<[^>]*>/g, "")
      .trim();
  expect(words(monitors)).toBe("For 15\u00a0s.");
  const recovers = { status: "active", since: after(since, seconds(11)), incident } as const;
  expect(words([later, recovers])).toBe("For 12\u00a0s.");
  expect(words([recovers, recovers])).toBe("For 15\u00a0s.");
});

test("seconds are left out from two minutes on, so that rows do not change at every look", () => {
  const words = (held: number): string | undefined =>
    heldFor(epochMillis(0), epochMillis(held * 1000))?.text.replaceAll(/<[^>]*>|\n */g, "");
  expect([5, 119, 120, 881, 7_381].map(words)).toEqual([
    "for 5\u00a0s",
    "for 1\u00a0min\u00a059\u00a0s",
    "for 2\u00a0min",
    "for 14\u00a0min",
    "for 2\u00a0h\u00a03\u00a0min",
  ]);
});
