import { expect, test } from "vitest";
import { alertedOffice, type Office } from "../../alerts/alerted-office.ts";
import { reading } from "../../../support/reading-pages.ts";

const empty = {
  code: "empty_reply",
  phase: "wait",
  message: "The peer closed the connection without an answer",
};
const refused = {
  code: "connection_refused",
  phase: "connect",
  message: "Connection refused (10.0.0.1:50051)",
};

/** A failed check of the slot a second ago, which started a moment after that. */
async function fails(
  { service, token, clock, monitors }: Office,
  failure: typeof empty,
): Promise<void> {
  const slot = BigInt(Math.floor(clock.wall() / 1_000) * 1_000 - 1_000);
  const results = monitors.map((monitorId) => ({
    result: {
      case: "tcp" as const,
      value: {
        monitorId,
        requestStatus: "error",
        timestamp: slot + 7n,
        cronTimestamp: slot,
        message: failure.message,
      },
    },
    detail: { failure },
  }));
  await service.agent(token).ingestBatch({ instanceId: "a", results });
}

test("the check that opened an incident is on its page at once, though it started a moment after its slot", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  await office.beat();
  await fails(office, empty);
  await office.until(async () => (await read("/incidents")).includes("1 open incident"));
  await office.pass(20);
  expect(await read("/incidents/1")).toMatch(/Last failing check: .* ago/);
});

test("an incident whose cause changes says code, phase and advice of the sentence that it shows", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  await office.beat();
  await fails(office, empty);
  await office.until(async () => (await read("/incidents")).includes("1 open incident"));
  const first = await read("/incidents/1");
  expect(first).toContain("without an answer empty_reply while waiting for the answer at office");
  expect(await read("/")).not.toContain("Now: ");
  await office.pass(30);
  await fails(office, refused);
  await office.until(async () => (await read("/incidents/1")).includes("Connection refused"));
  const page = await read("/incidents/1");
  const top = page.slice(0, page.indexOf("Timeline"));
  expect(top).toContain("(10.0.0.1:50051) connection_refused while connecting at office");
  expect(top).not.toContain("empty_reply");
  // The timeline says both, each at its time.
  expect(page.slice(page.indexOf("Timeline"))).toMatch(/empty_reply.*connection_refused/);
  const list = await read("/incidents");
  expect(list).toContain("connection_refused while connecting at office");
  expect(list).not.toContain("empty_reply");
  // It has not failed so for all the time that it has failed.
  expect(await read("/")).toContain("at office. Now: Connection refused");
});

test("what has no data any more says how it failed last and when, on its page, its incident's and in their list", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  await office.beat();
  await fails(office, empty);
  await office.until(async () => (await read("/incidents")).includes("1 open incident"));
  for (let round = 0; round < 2; round += 1) {
    await office.pass(30);
    await office.report("success");
  }
  await office.pass(60);
  await fails(office, refused);
  await office.until(async () => (await read("/incidents")).includes("down twice"));
  office.agent.isAlive = false;
  await office.until(async () => (await read("/monitors/1")).includes("No data"), 300);
  const said = /Last known, 12 Aug, 12:0\d:\d\d UTC ?: Connection refused \(10\.0\.0\.1:50051\)/;
  expect(await read("/monitors/1")).toMatch(said);
  const page = await read("/incidents/1");
  const top = page.slice(0, page.indexOf("Timeline"));
  expect(top).toMatch(said);
  expect(top).toContain("connection_refused while connecting");
  expect(top).not.toContain("empty_reply");
  expect(await read("/incidents")).toMatch(said);
  expect(JSON.parse(await read("/monitors/1.json"))).toMatchObject({
    reason: null,
    last_reason: { code: refused.code, message: refused.message },
  });
});

test("an incident that is over says code and phase of its first sentence, and below that how it failed last", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  await office.beat();
  await fails(office, empty);
  await office.until(async () => (await read("/incidents")).includes("1 open incident"));
  await office.pass(30);
  await fails(office, refused);
  for (let round = 0; round < 2; round += 1) {
    await office.pass(30);
    await office.report("success");
  }
  await office.until(async () => (await read("/incidents")).includes("No open incident"));
  const said = "without an answer empty_reply while waiting for the answer at office";
  const page = await read("/incidents/1");
  expect(page).toContain(said);
  expect(page).toMatch(/At first: .* Last: Connection refused \(10\.0\.0\.1:50051\)/);
  expect(await read("/incidents?state=over")).toContain("empty_reply while waiting");
  expect(await read("/incidents?state=over")).not.toContain("connection_refused");
});

test("an incident that failed and opens again slow says that it is slow, and keeps no cause", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  await office.beat();
  await fails(office, empty);
  await office.until(async () => (await read("/incidents")).includes("1 open incident"));
  for (const status of ["success", "success", "degraded", "degraded", "degraded"] as const) {
    await office.pass(30);
    await office.report(status);
  }
  await office.pass(5);
  const list = await read("/incidents");
  expect(list).toContain("down once, degraded once");
  expect(list).toContain("Now: slower than its threshold");
  expect(list).not.toContain("empty_reply");
  const page = await read("/incidents/1");
  const top = page.slice(0, page.indexOf("Timeline"));
  expect(top).toContain("Now: Slower than its threshold");
  expect(top).not.toContain("empty_reply");
  const [incident] = await office.store.alerts.incidents.named([1]);
  expect(incident?.cause).toBe("");
});
