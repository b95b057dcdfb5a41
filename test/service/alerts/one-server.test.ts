import { expect, test } from "vitest";
import { minutes } from "#base/units";
import { alertedOffice } from "./alerted-office.ts";

test("four monitors of one server that fail one after the other are a first message and one more, and so are their reminders and their ends", async () => {
  const office = await alertedOffice(4);
  const { agent, mailbox, monitors } = office;
  agent.failure = { code: "protocol_error", phase: "receive", message: "it is not HTTP" };
  await office.channel("mail", "slack", { reminder: minutes(5) });
  await office.channel("patient", "slack", { delay: minutes(1) });
  await office.channel("program", "webhook");
  /** Each monitor is checked every 30 s, some seconds after the one before. */
  const round = async (status: "success" | "error"): Promise<void> => {
    await office.beat();
    for (const monitor of monitors) {
      await office.report(status, [monitor]);
      await office.pass(7);
    }
    await office.pass(2);
  };
  await round("error");
  expect(mailbox.words("mail")).toEqual(["monitor.error"]);
  await round("error");
  expect(mailbox.words("mail")).toEqual(["monitor.error", "digest of 3"]);
  expect(mailbox.notices("mail")[1]).toMatchObject({
    because: "same-cause",
    cause: { failing: 3, of: 4, location: { name: "office" } },
  });
  for (let count = 0; count < 10; count += 1) await round("error");
  expect(mailbox.words("patient")).toEqual(["monitor.error", "digest of 3"]);
  expect(mailbox.words("mail").slice(2)).toEqual(["monitor.reminder", "digest of 3"]);
  expect(mailbox.words("program")).toEqual(Array(4).fill("monitor.error"));
  for (let count = 0; count < 4; count += 1) await round("success");
  const ends = ["monitor.recovered", "digest of 3"];
  expect(mailbox.words("mail").slice(4)).toEqual(ends);
  expect(mailbox.words("patient").slice(2)).toEqual(ends);
  expect(mailbox.words("program").slice(4)).toEqual(Array(4).fill("monitor.recovered"));
});
