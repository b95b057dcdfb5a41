import { expect, test } from "vitest";
import { lettersOf } from "#service/operator/incidents/delivery-table";
import type { DeliveryRow } from "#service/store/alert-store";
import { epochMillis, minutes } from "#base/units";
import { alertedOffice } from "../../alerts/alerted-office.ts";
import { reading } from "../../../support/reading-pages.ts";

const row = (id: number, more: Partial<DeliveryRow>): DeliveryRow => ({
  id,
  channel: 1,
  incident: id,
  event: 1,
  kind: "opened",
  about: "monitor",
  name: `m${id}`,
  state: "sent",
  reason: "",
  message: "",
  said: "",
  createdAt: epochMillis(minutes(id)),
  attempts: 1,
  letter: id,
  firstTriedAt: null,
  settledAt: null,
  retryAt: null,
  saidBefore: null,
  ...more,
});

test("a channel's messages are in the order of the times that they show, and those of one message are together", () => {
  const at = (minute: number) => epochMillis(minutes(minute));
  const letters = lettersOf([
    row(5, { state: "waiting", letter: null, attempts: 0 }),
    row(4, { settledAt: at(6) }),
    row(3, { settledAt: at(9), letter: 2 }),
    row(2, { settledAt: at(9) }),
    row(1, { state: "waiting", firstTriedAt: at(7) }),
  ]);
  const ids = letters.map(({ all }) => all.map(({ id }) => id));
  expect(ids).toEqual([[3, 2], [1], [4], [5]]);
  // What waited longest says how late the message was.
  expect(letters[0]?.lead.id).toBe(2);
});

test("what was tried together and waits for different reasons is not in one row", () => {
  const at = (minute: number) => epochMillis(minutes(minute));
  const tried = { letter: 1, state: "waiting", createdAt: at(1) } as const;
  const broken = { ...tried, reason: "retry", message: "it has a fault", retryAt: at(9) };
  const ids = (rows: readonly DeliveryRow[]) =>
    lettersOf(rows).map(({ all }) => all.map((one) => one.id));
  expect(ids([row(2, broken), row(1, broken)])).toEqual([[2, 1]]);
  const silenced = { ...tried, reason: "silence" };
  const closed: Partial<DeliveryRow> = { ...broken, kind: "closed", createdAt: at(3) };
  expect(ids([row(3, closed), row(2, silenced), row(1, broken)])).toEqual([[3], [2], [1]]);
  // One was given up at another time than the other.
  const dropped = {
    letter: 1,
    state: "dropped",
    reason: "expired",
    message: "it has a fault",
  } as const;
  expect(
    ids([row(2, { ...dropped, settledAt: at(8) }), row(1, { ...dropped, settledAt: at(7) })]),
  ).toEqual([[2], [1]]);
});

test("the page of a channel has one row for a message about several monitors", async () => {
  const office = await alertedOffice(6);
  office.agent.failure = { code: "protocol_error", phase: "receive", message: "it is not HTTP" };
  const ops = await office.channel("ops");
  await office.beat();
  for (let count = 0; count < 2; count += 1) {
    await office.report("error");
    await office.pass(30);
  }
  expect(office.mailbox.words("ops")).toEqual(["digest of 6"]);
  const page = await (await reading(office))(`/channels/${ops}`);
  expect(page).toMatch(
    /Attempts 6 m5 5 m4 4 m3 3 more incidents 3 m2 2 m1 1 m0 Opened Sent 12\sAug, 12:00:\d\d UTC 1 /,
  );
});
