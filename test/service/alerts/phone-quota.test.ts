import { expect, test } from "vitest";
import { accounts } from "../../support/notices.ts";
import { alertedOffice } from "./alerted-office.ts";

test("once the month's messages to phones are used up, the other channels hear of it", async () => {
  const way = { proxying: { proxy: null, exceptions: [] }, secureContext: undefined } as const;
  const office = await alertedOffice(1, {
    notifying: { ...way, accounts: { ...accounts, phoneMonthlyMax: 1 }, httpAllowed: false },
  });
  await office.channel("ops");
  await office.channel("phone", "sms");
  await office.beat();
  await office.report("success");
  await office.pass(1);
  await office.report("error");
  await office.until(() => office.mailbox.words("phone").length === 1);
  for (let round = 0; round < 2; round += 1) {
    await office.pass(1);
    await office.report("success");
  }
  await office.until(() => office.mailbox.words("ops").includes("channel.failing"));
  expect(office.mailbox.words("phone")).toEqual(["monitor.error"]);
  const failing = office.mailbox.notices("ops").find(({ type }) => type === "channel.failing");
  expect(failing).toMatchObject({
    channel: { url: expect.stringMatching(/\/channels\/\d+$/) },
    itsIncident: { number: 2, url: expect.stringMatching(/\/incidents\/2$/) },
    message:
      "this month's quota of messages to phones (1) is used up: raise PICKET_PHONE_MESSAGES_MAX at the service",
  });
  expect(await office.store.alerts.deliveries.phonesUsed("2026-08")).toBe(1);
});
