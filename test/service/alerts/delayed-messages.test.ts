import { expect, test } from "vitest";
import { minutes, seconds } from "#base/units";
import { alertedOffice, type Office } from "./alerted-office.ts";

/** A check every 30 s, for so many of them. */
async function checks(office: Office, status: "success" | "error", count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    await office.beat();
    await office.report(status);
    await office.pass(30);
  }
}

test("a channel with a wait gets no message of what heals within it, also when it opens again", async () => {
  const office = await alertedOffice();
  await office.channel("phone", "webhook", { delay: minutes(2) });
  await office.channel("chat");
  await checks(office, "error", 5);
  await checks(office, "success", 3);
  expect(office.mailbox.words("phone")).toEqual(["monitor.error", "monitor.recovered"]);
  await checks(office, "error", 1);
  await checks(office, "success", 3);
  expect(office.mailbox.words("phone")).toEqual(["monitor.error", "monitor.recovered"]);
  expect(office.mailbox.words("chat")).toEqual([
    "monitor.error",
    "monitor.recovered",
    "monitor.error",
    "monitor.recovered",
  ]);
  // The third time within an hour it flaps, and is sent once it was down for the wait in all.
  await checks(office, "error", 1);
  await checks(office, "success", 3);
  expect(office.mailbox.words("chat").at(-1)).toBe("monitor.flapping");
  expect(office.mailbox.words("phone")).toHaveLength(2);
  await checks(office, "error", 4);
  expect(office.mailbox.words("phone").slice(2)).toEqual(["monitor.flapping"]);
});

test("a message after a channel's wait is not late, and an outage that opens again waits as long", async () => {
  const office = await alertedOffice();
  await office.channel("phone", "slack", { delay: minutes(2) });
  const sentAfter = async (): Promise<number> => {
    const count = office.mailbox.taken.length;
    await office.beat();
    await office.report("error");
    const begun = office.clock.wall();
    await office.until(() => office.mailbox.taken.length > count, 180);
    return office.clock.wall() - begun;
  };
  const first = await sentAfter();
  await checks(office, "success", 3);
  const second = await sentAfter();
  for (const waited of [first, second]) {
    expect(waited).toBeGreaterThanOrEqual(minutes(2));
    expect(waited).toBeLessThan(minutes(2) + seconds(20));
  }
  const { deliveries } = await office.store.alerts.deliveries.list({
    channel: null,
    incident: 1,
    state: "sent",
    limit: 10,
    offset: 0,
  });
  expect(deliveries.map(({ kind, saidBefore }) => [kind, saidBefore])).toEqual([
    ["reopened", "closed"],
    ["closed", "opened"],
    ["opened", null],
  ]);
  expect(office.mailbox.notices("phone").map(({ late }) => late)).toEqual([null, null, null]);
});
