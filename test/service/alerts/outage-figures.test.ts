import { expect, test } from "vitest";
import { locationId, monitorId } from "#service/store/ids";
import { shownFigures } from "#service/alerts/outage-figures";
import { epochMillis, hours, minutes, seconds } from "#base/units";
import {
  assigned,
  failing,
  noon,
  openQuietly,
  period,
  slotAfter,
  someResult,
} from "../store/conformance/scene.ts";
import { notedIncident } from "../../support/noted-incident.ts";
import { temporaryFolder } from "../../support/running-service.ts";
import { cookieOf } from "../../support/signed-in.ts";
import { alertedOffice, type Office } from "./alerted-office.ts";

/** Gives pages as a person reads them. */
async function reader({
  service: { url },
  key,
}: Office): Promise<(path: string) => Promise<string>> {
  const signedIn = await fetch(`${url}/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { accept: "text/html" },
    body: new URLSearchParams({ secret: key }),
  });
  const headers = { cookie: cookieOf(signedIn) };
  return async (path) => {
    const page = await (await fetch(`${url}${path}`, { headers })).text();
    return page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  };
}

test("what a person's check finds is downtime from that check on, on the incident's page as in the monitor's day and the report", async () => {
  const office = await alertedOffice();
  await office.beat();
  await office.report("success");
  await office.pass(12);
  const asked = { trigger: "api", startedAt: office.clock.wall(), period: seconds(30) } as const;
  const [monitor = ""] = office.monitors;
  await office.store.results.append({
    location: locationId(office.locationId),
    storedAt: office.clock.wall(),
    results: [
      someResult(monitorId(Number(monitor)), office.clock.wall(), { ...failing, ...asked }),
    ],
  });
  await office.pass(18);
  await office.report("error");
  await office.pass(20);
  const read = await reader(office);
  expect(await read("/incidents/1")).toMatch(/Began 12 Aug, 12:00:12 UTC Down for 38 s /);
  expect(await read("/monitors/1")).toContain("12 Aug down for 38 s; Incident 1, open");
  expect(await read("/report")).toContain("1 was down, for 38 s in all, with 1 incident.");
});

test("a monitor that fails anew a moment ago has been down for that moment, not until its next check", async () => {
  const office = await alertedOffice();
  for (const [status, lasts] of [
    ["error", 30],
    ["success", 30],
    ["error", 1],
  ] as const) {
    await office.beat();
    await office.report(status);
    await office.pass(lasts);
  }
  const read = await reader(office);
  expect(await read("/incidents/1")).toContain("Down for 31 s of 1 min 1 s");
  expect(await read("/monitors/1")).toContain("12 Aug down for 31 s; Incident 1, open");
  expect(await read("/report")).toContain("1 was down, for 31 s in all, with 1 incident.");
});

test("a recovery has the figures of the incident's page: what was slow or not seen is not called down", async () => {
  const office = await alertedOffice();
  await office.channel("ops");
  await office.beat();
  for (const status of ["error", "error", "degraded", "degraded", null, null, "success"] as const) {
    if (status !== null) await office.report(status);
    await office.pass(30);
  }
  await office.report("success");
  await office.pass(30);
  const over = office.mailbox.notices("ops").at(-1);
  expect(over).toMatchObject({
    type: "monitor.recovered",
    lasted: {
      inTrouble: 2 * seconds(30),
      slow: 2 * seconds(30),
      unknown: 2 * seconds(30),
      failedChecks: 2,
      slowChecks: 2,
    },
  });
  const read = await reader(office);
  const document = JSON.parse(await read("/incidents/1.json"));
  expect(await read("/incidents/1")).toContain(
    "Down for 1 min of 3 min, slow for 1 min, not known for 1 min",
  );
  expect(document).toMatchObject({
    down_ms: 60_000,
    slow_ms: 60_000,
    unknown_ms: 60_000,
    failed_checks: 2,
    slow_checks: 2,
  });
});

const downAlone = { slowFor: null, unknownFor: null, failedChecks: null, slowChecks: null };

test("of an incident with very many checks, or whose checks are no longer kept, its page has how long it was down alone", async () => {
  await using store = await openQuietly(`${temporaryFolder()}/picket.db`);
  const { monitors, append } = await assigned(store, 2);
  const [id, other] = [monitors[0]!, monitors[1]!];
  await append(...[0, 1, 2].map((count) => someResult(id, slotAfter(count), failing)));
  const begun = epochMillis(noon + 40);
  const figures = (monitor: number, length: number, ended: number | null = null) => {
    const noted = notedIncident({ kind: "monitor", id: monitor }, begun).incident;
    const at = epochMillis(noon + (ended ?? 0));
    const end = ended === null ? null : ({ at, because: "recovered" } as const);
    const incident = { ...noted, number: 1, ended: end };
    return shownFigures(store, incident, epochMillis(noon + length), period);
  };
  const [down, over, days] = [seconds(90), minutes(10), hours(24)];
  expect(await figures(id, down)).toMatchObject({ failedChecks: 3, slowChecks: 0 });
  expect(await figures(id, 8 * days)).toEqual({ ...downAlone, downFor: down });
  const whole = { failedChecks: 3, unknownFor: over - down };
  expect(await figures(id, days, over)).toMatchObject(whole);
  expect(await figures(id, 15 * days, over)).toEqual({ ...downAlone, downFor: down });
  expect(await figures(other, days, over)).toEqual({ ...downAlone, downFor: null });
});

/** A check of the slot of so many seconds ago, whose attempts began so many seconds after it. */
async function reportAttempts(
  { clock, service, token, agent, monitors: [monitorId = ""] }: Office,
  secondsAgo: number,
  ...attempts: readonly number[]
): Promise<void> {
  const slot = clock.wall() - secondsAgo * 1_000;
  const began = attempts.map((after) => BigInt(slot + after * 1_000));
  const { failure } = agent;
  const timestamp = began.at(-1) ?? BigInt(slot);
  const value = { monitorId, requestStatus: "error", timestamp, cronTimestamp: BigInt(slot) };
  const detail = { failure, attempts: began.map((startedAt) => ({ startedAt, failure })) };
  await service
    .agent(token)
    .ingestBatch({ instanceId: "a", results: [{ result: { case: "tcp", value }, detail }] });
}

test("an outage begins with the first attempt of the first check that failed, in messages and on all pages alike", async () => {
  const office = await alertedOffice();
  await office.channel("ops");
  await office.beat();
  await office.report("success");
  await office.pass(30);
  // A target that hangs, with a timeout of 10 s and one retry: its verdict is there after 21 s.
  for (let check = 0; check < 6; check += 1) {
    await office.pass(21);
    await reportAttempts(office, 21, 0, 11);
    await office.pass(9);
  }
  await office.report("success");
  await office.pass(30);
  await office.report("success");
  await office.pass(30);
  const began = Date.parse("2026-08-12T12:00:30Z");
  const [failed, over] = office.mailbox.notices("ops");
  expect(failed).toMatchObject({ type: "monitor.error", incident: { startedAt: began } });
  const lasted = { inTrouble: 180_000, unknown: 0, failedChecks: 6 };
  expect(over).toMatchObject({ type: "monitor.recovered", endedAt: began + 180_000, lasted });
  const read = await reader(office);
  expect(await read("/incidents/1")).toContain("Down for 3 min");
  expect(JSON.parse(await read("/incidents/1.json"))).toMatchObject({
    started_at: "2026-08-12T12:00:30.000Z",
    down_ms: 180_000,
    unknown_ms: 0,
  });
  expect(await read("/monitors/1")).toContain("12 Aug down for 3 min; Incident 1");
  expect(await read("/report")).toContain("1 was down, for 3 min in all, with 1 incident.");
});
