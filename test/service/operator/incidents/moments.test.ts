import { expect, test } from "vitest";
import { alertedOffice } from "../../alerts/alerted-office.ts";
import { reading } from "../../../support/reading-pages.ts";

test("a timeline counts the attempts of a check apart from the checks that follow it", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  await office.beat();
  const slot = BigInt(office.clock.wall());
  const [monitorId = ""] = office.monitors;
  const failure = { code: "connection_refused", phase: "connect", message: "nothing listens" };
  await office.service.agent(office.token).ingestBatch({
    instanceId: "a",
    results: [
      {
        result: {
          case: "tcp",
          value: { monitorId, requestStatus: "error", timestamp: slot, cronTimestamp: slot },
        },
        detail: { failure, attempts: [{}, {}, {}] },
      },
    ],
  });
  await office.until(async () => (await read("/incidents")).includes("1 open incident"));
  expect(await read("/incidents/1")).toContain("office: failing in this check (3 attempts) ");
  await office.pass(30);
  await office.report("error");
  await office.pass(30);
  await office.report("error");
  expect(await read("/incidents/1")).toContain(
    "office: failing in 3 checks in a row (the first took 3 attempts) ",
  );
});

test("a timeline of a monitor that flaps folds what it did into one line, above how it is now", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  await office.beat();
  for (let round = 0; round < 20; round += 1) {
    await office.report(round % 2 === 0 ? "error" : "success");
    await office.pass(30);
  }
  const timeline = (await read("/incidents/1")).split(" Timeline ").at(-1) ?? "";
  expect(timeline).toContain("Flapped 8 times between 12:00:30 and 12:08:30 ");
  expect(timeline.match(/Flapped/g)).toHaveLength(1);
  // The opening before them, and how it is now, are lines by themselves.
  expect(timeline).toMatch(/Opened: failing.*Flapped/);
  const now = timeline.slice(timeline.indexOf("12:09:00"));
  expect(now).toMatch(
    /^12:09:00 .* office: failing in this check .* office: passing in this check/,
  );
});
