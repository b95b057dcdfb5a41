import { expect, test } from "vitest";
import { after, minutes, seconds } from "#base/units";
import { reading } from "../../support/reading-pages.ts";
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

test("what flaps and stays down is an outage after five minutes: a message says so, and reminders follow", async () => {
  const office = await alertedOffice();
  await office.channel("ops", "slack", { reminder: minutes(5) });
  await office.channel("program", "webhook");
  await checks(office, "x..x..x");
  const before = office.mailbox.words("ops").length;
  expect(office.mailbox.words("ops").at(-1)).toBe("monitor.flapping");
  await checks(office, "x".repeat(22));
  expect(office.mailbox.words("ops").slice(before)).toEqual([
    "monitor.settled",
    "monitor.reminder",
  ]);
  expect(office.mailbox.notices("ops")[before]).toMatchObject({ status: "error", unknown: 0 });
  await checks(office, "...");
  expect(office.mailbox.words("ops").at(-1)).toBe("monitor.recovered");
});

test("what stays down, and was not seen for a while, is said with how long no one saw it", async () => {
  const office = await alertedOffice();
  await office.channel("ops");
  await checks(office, `x..x..x${"x".repeat(4)}`);
  await office.pass(90);
  await checks(office, "x".repeat(6));
  expect(office.mailbox.notices("ops").at(-1)).toMatchObject({
    type: "monitor.settled",
    status: "error",
    unknown: seconds(90),
  });
});

test("what flaps and stays down is not said to whoever has acknowledged it, except to programs", async () => {
  const office = await alertedOffice();
  await office.channel("ops", "slack", { reminder: minutes(5) });
  await office.channel("program", "webhook");
  await checks(office, "x..x..x");
  await office.store.alerts.incidents.acknowledge(1, office.clock.wall(), "Ann");
  await checks(office, "x".repeat(22));
  expect(office.mailbox.words("ops").at(-1)).toBe("monitor.flapping");
  expect(office.mailbox.words("program").at(-1)).toBe("monitor.settled");
});

test("what flaps and stays down is not said while it is silenced", async () => {
  const office = await alertedOffice();
  await office.channel("ops");
  await checks(office, "x..x..x");
  const now = office.clock.wall();
  await office.store.alerts.silences.create({
    from: now,
    until: after(now, minutes(20)),
    reason: "",
    by: "ann",
    monitors: office.monitors.map(Number),
    locations: [],
    labels: {},
  });
  await checks(office, "x".repeat(22));
  expect(office.mailbox.words("ops").at(-1)).toBe("monitor.flapping");
  await checks(office, "x".repeat(20));
  expect(office.mailbox.words("ops").at(-1)).toBe("monitor.settled");
});

test("what flaps is said after quiet hours with the figures of then, not of when they held it", async () => {
  const office = await alertedOffice();
  const quietHours = [{ days: [], from: "12:00", to: "12:10" }];
  await office.channel("ops", "slack", { quietHours, timeZone: "UTC" });
  await checks(office, "x..x..xxxxxx..xxxx...");
  expect(office.mailbox.words("ops")).toEqual(["monitor.flapping"]);
  const lasted = { downFor: minutes(6) };
  expect(office.mailbox.notices("ops")[0]).toMatchObject(lasted);
  const read = await reading(office);
  expect(JSON.parse(await read("/incidents/1.json"))).toMatchObject({ down_ms: lasted.downFor });
});

test("what fails every second check is said to flap, and that it is steady", async () => {
  const office = await alertedOffice();
  await office.channel("ops", "slack", { reminder: minutes(5) });
  await checks(office, "x.x.x.x");
  expect(office.mailbox.words("ops")).toEqual(["monitor.error"]);
  await checks(office, ".x");
  expect(office.mailbox.words("ops").at(-1)).toBe("monitor.flapping");
  expect(office.mailbox.notices("ops").at(-1)).toMatchObject({
    times: { down: 5, slow: 0 },
    status: "error",
  });
  await checks(office, ".x".repeat(12));
  expect(office.mailbox.words("ops")).toEqual(["monitor.error", "monitor.flapping"]);
  await checks(office, ".".repeat(64));
  expect(office.mailbox.words("ops").at(-1)).toBe("monitor.settled");
  expect(office.mailbox.notices("ops").at(-1)).toMatchObject({
    status: "active",
    times: { down: 17, slow: 0 },
  });
  const read = await reading(office);
  expect(await read("/incidents/1")).toContain("It was down 17 times, and well in between");
});
