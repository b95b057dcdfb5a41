import { expect, test } from "vitest";
import { after, minutes } from "#base/units";
import { again, alertedOffice } from "./alerted-office.ts";

test("a channel fails since its first failure, also once the message that failed first is silenced", async () => {
  const office = await alertedOffice(2);
  const { silences, deliveries } = office.store.alerts;
  const channel = await office.channel("ops");
  office.mailbox.answer = () => again;
  await office.beat();
  const [first = "", second = ""] = office.monitors;
  await office.report("error", [first]);
  await office.until(() => office.mailbox.tries === 1);
  const since = office.clock.wall();
  const until = after(since, minutes(60));
  const covered = { monitors: [Number(first)], locations: [], labels: {} };
  await silences.create({ ...covered, from: since, until, reason: "", by: "ann" });
  await office.report("error", [second]);
  const failing = async () => (await deliveries.lanes([channel])).get(channel)?.failing ?? null;
  await office.until(async () => (await failing()) !== null, 900);
  expect((await failing())?.since).toBe(since);
});
