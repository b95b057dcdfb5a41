import { expect, test } from "vitest";
import type { ResultStatus } from "#check/verdict";
import { alertedOffice, type Office } from "../../alerts/alerted-office.ts";
import { reading, readingMarkup } from "../../../support/reading-pages.ts";

interface Reported {
  readonly secondsAgo: number;
  readonly status: ResultStatus;
  readonly message: string;
}

/** Checks of the office's monitor that ended so, at their slots. */
async function ended(office: Office, checks: readonly Reported[]): Promise<void> {
  const { service, token, clock, monitors } = office;
  const now = Math.floor(clock.wall() / 1_000) * 1_000;
  const results = checks.map(({ secondsAgo, status, message }) => {
    const slot = BigInt(now - secondsAgo * 1_000);
    const failure = { code: "connection_refused", phase: "connect", message };
    return {
      result: {
        case: "tcp" as const,
        value: {
          monitorId: monitors[0] ?? "",
          requestStatus: status,
          timestamp: slot,
          cronTimestamp: slot,
          message,
        },
      },
      detail: message === "" ? {} : { failure },
    };
  });
  await service.agent(token).ingestBatch({ instanceId: "a", results });
}

const failing = (secondsAgo: number, message: string): Reported => ({
  secondsAgo,
  status: "error",
  message,
});

test("the first failing check is not called the last where the newest results are only slow", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  await office.beat();
  await ended(office, [failing(0, "Connection refused")]);
  await office.until(async () => (await read("/incidents")).includes("1 open incident"));
  await office.pass(110);
  const slow = Array.from({ length: 105 }, (_, index): Reported => ({
    secondsAgo: 105 - index,
    status: "degraded",
    message: "",
  }));
  await ended(office, slow);
  const page = await read("/incidents/1");
  expect(page).toMatch(/First failing check: .* ago/);
  expect(page).not.toContain("Last failing check");
});

test("the first failing check is the first of all, also if only later ones still have their details", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  await office.beat();
  await ended(office, [failing(0, "")]);
  await office.until(async () => (await read("/incidents")).includes("1 open incident"));
  await office.pass(120);
  await ended(office, [failing(60, "Connection refused"), failing(1, "Connection refused again")]);
  const page = await read("/incidents/1");
  expect(page).toMatch(/Last failing check: .* Connection refused again .*First failing check/);
  expect(page).toMatch(/First failing check: [^:]* 2 min ago/);
});

test("the chart of an incident of some minutes begins some checks before it, not a quarter of an hour", async () => {
  const office = await alertedOffice();
  const read = await readingMarkup(office);
  await office.beat();
  for (let slot = 0; slot < 20; slot += 1) {
    await office.report("success");
    await office.pass(30);
  }
  await office.report("error");
  await office.until(async () => (await read("/incidents")).includes("1 open incident"));
  expect(await read("/incidents/1")).toContain("range=custom&amp;from=2026-08-12T12%3A05Z&amp;");
});

test("the list says first that a monitor recovers, and then how it failed", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  await office.beat();
  await ended(office, [failing(0, "Connection refused")]);
  await office.until(async () => (await read("/incidents")).includes("1 open incident"));
  expect(await read("/incidents")).toMatch(/for \d+ s Connection refused/);
  await office.pass(30);
  await ended(office, [{ secondsAgo: 0, status: "success", message: "" }]);
  await office.until(async () => (await read("/incidents")).includes("Recovering"));
  expect(await read("/incidents")).toMatch(
    /Recovering: closes after [^.]*\. Before that: Connection refused/,
  );
});
