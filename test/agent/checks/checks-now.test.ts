import { expect, test } from "vitest";
import { ChecksNow } from "#agent/checks/checks-now";
import { FakeClock } from "../../support/fake-clock.ts";
import { monitorWith } from "../../support/twins.ts";

const never = new AbortController().signal;

test("an agent that runs only signed monitors tries none that is not saved, and asks no thread to", async () => {
  const monitor = monitorWith({ id: "1" });
  let asked = 0;
  const checker = {
    monitors: new Map([["1", monitor]]),
    checkNow: async () => {
      asked += 1;
      return null;
    },
  };
  const checks = new ChecksNow({ checker, clock: new FakeClock(), signedOnly: true });
  expect(await checks.run({ of: "trial", monitor }, never)).toEqual({
    ran: false,
    error:
      "this agent runs only signed monitors, so it tries none that is not saved and signed: use picket check at its location",
  });
  expect(asked).toBe(0);
  await checks.run({ of: "assigned", monitorId: "1" }, never);
  expect(asked).toBe(1);
});
