import { expect, test } from "vitest";
import type { ResultStatus } from "#check/verdict";
import { reading } from "../../../support/reading-pages.ts";
import { alertedOffice, type Office } from "../../alerts/alerted-office.ts";

/** A check every 30 s: x fails, d is slow. */
async function checks(office: Office, line: string): Promise<void> {
  const seen: Readonly<Record<string, ResultStatus>> = { x: "error", d: "degraded" };
  for (const one of line) {
    await office.beat();
    await office.report(seen[one] ?? "success");
    await office.pass(30);
  }
}

test("an incident that is slow and then fails again is acknowledged as before, and no message says that it is down", async () => {
  const office = await alertedOffice();
  await office.channel("ops");
  const read = await reading(office);
  await checks(office, "x");
  await office.store.alerts.incidents.acknowledge(1, office.clock.wall(), "ann");
  await checks(office, "ddd");
  expect(await read("/incidents/1")).toContain("Better: degraded");
  await checks(office, "xx");
  const page = await read("/incidents/1");
  expect(page).toMatch(/Now failing \(was degraded\)/);
  expect(page).toContain("Acknowledged by ann ");
  expect(page).not.toContain("Acknowledgement ended");
  expect(office.mailbox.words("ops")).toEqual(["monitor.error", "monitor.degraded"]);
});

test("an incident says until when someone had acknowledged it, and its timeline why that ended", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  const { incidents } = office.store.alerts;
  await checks(office, "ddd");
  await incidents.acknowledge(1, office.clock.wall(), "ann");
  await checks(office, "x");
  const worse = await read("/incidents/1");
  expect(worse).toMatch(
    /Acknowledged by no one was acknowledged by ann until 12 Aug, 12:01:31 UTC , it got worse/,
  );
  expect(worse).toMatch(
    /Acknowledgement ended: it got worse, so reminders follow again It was by ann, 12 Aug/,
  );
  await incidents.acknowledge(1, office.clock.wall(), "bob");
  await checks(office, "...x");
  const again = await read("/incidents/1");
  expect(again).toMatch(/was acknowledged by bob until 12 Aug, \S+ UTC , it opened again/);
  expect(again).toMatch(/Open again: failing .*Acknowledgement ended: it opened again/);
  await incidents.acknowledge(1, office.clock.wall(), "cy");
  await incidents.takeBack(1, office.clock.wall(), "dee");
  const taken = await read("/incidents/1");
  expect(taken).toMatch(/was acknowledged by cy until 12 Aug, \S+ UTC , dee took it back/);
  // That is a line of the timeline already.
  expect(taken.match(/Acknowledgement ended/g)).toHaveLength(2);
});
