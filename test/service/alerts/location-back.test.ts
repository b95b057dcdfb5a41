import { expect, test } from "vitest";
import { say } from "#service/notify/message/say";
import { epochMillis, minutes, seconds } from "#base/units";
import { notices } from "../../support/notices.ts";
import { cookieOf } from "../../support/signed-in.ts";
import { alertedOffice, type Office, plannedWork } from "./alerted-office.ts";

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

/** Its agent says goodbye, with nothing that waits, and is away until the location counts as offline. */
async function stopped({ agent, service, token, pass }: Office): Promise<void> {
  agent.isAlive = false;
  await service.agent(token).heartbeat({ instanceId: "a", leaving: true });
  await pass(105);
}

/** It starts again, and checks what was due at once. */
async function started({ agent, beat, report, monitors, pass }: Office): Promise<void> {
  agent.isAlive = true;
  await beat();
  for (const ago of [2, 0]) await report("success", monitors, ago);
  await pass(8);
}

/** The check that an agent makes up for after its start: it has the last slot that was due before that. */
const madeUp = (
  { service, token, agent, clock }: Office,
  status: "error" | "success",
  monitors: readonly string[],
) => {
  const startedAt = BigInt(clock.wall());
  const slot = startedAt - 20_000n;
  const results = monitors.map((monitorId) => ({
    result: {
      case: "tcp" as const,
      value: { monitorId, requestStatus: status, timestamp: startedAt, cronTimestamp: slot },
    },
    detail: status === "error" ? { failure: agent.failure } : {},
  }));
  return service.agent(token).ingestBatch({ instanceId: "a", results });
};

/** Its agent is killed, and is away until the location counts as offline. */
async function killed({ agent, pass }: Office): Promise<void> {
  agent.isAlive = false;
  await pass(140);
}

test("that a location is back names what is down now with its true start, then what was down meanwhile, each once, and nothing in maintenance", async () => {
  const office = await alertedOffice(5);
  const { monitors, clock, mailbox } = office;
  const [down = "", , planned = "", meanwhile = "", silenced = ""] = monitors;
  const others = monitors.filter((one) => one !== down && one !== planned && one !== silenced);
  await office.channel("ops");
  await office.beat();
  const now = clock.wall();
  const window = { from: epochMillis(now - 1_000), to: epochMillis(now + 86_400_000) };
  const work = { ...plannedWork(office, window), monitors: [Number(planned)] };
  await office.store.alerts.maintenances.create(work, false);
  await office.store.alerts.silences.create({
    monitors: [Number(silenced)],
    locations: [],
    labels: {},
    from: window.from,
    until: window.to,
    reason: "",
    by: "",
  });
  const began = epochMillis(Math.floor(clock.wall() / 1_000) * 1_000);
  for (const _turn of [1, 2, 3]) {
    await office.report("error", [down, planned, silenced]);
    await office.report("success", others);
    await office.pass(30);
  }
  expect(mailbox.words("ops")).toEqual(["monitor.error"]);
  await killed(office);
  const comesBack = async (failing: readonly string[]): Promise<void> => {
    office.agent.isAlive = true;
    await office.beat();
    await office.pass(3);
    await madeUp(office, "error", failing);
    await madeUp(
      office,
      "success",
      monitors.filter((one) => !failing.includes(one)),
    );
    const count = mailbox.taken.length;
    await office.until(() => mailbox.taken.length > count, 30);
  };
  for (const ago of [90, 60]) await office.report("error", [meanwhile], ago);
  await office.report("success", [meanwhile], 30);
  await comesBack([down, planned, silenced]);
  const from = epochMillis(Math.floor(clock.wall() / 1_000) * 1_000);
  const first = mailbox.notices("ops").at(-1);
  if (first?.type !== "location.online") throw new Error(`it is ${first?.type}`);
  expect(first.down).toEqual([{ id: down, monitor: "m0", from: began, isSeen: true }]);
  expect(first.wereDown).toMatchObject([{ id: meanwhile, monitor: "m3", downFor: seconds(60) }]);
  expect(first.wereDown[0]?.from).toBeLessThan(from);
  const lines = say(first, "UTC").lines.map(({ lead }) => lead);
  expect(lines[0]).toBe("Down now: m0 since 12:00 UTC");
  expect(lines[1]).toMatch(/^Was down meanwhile: m3, 12 Aug 2026, .* UTC \(1 min\)$/);
  expect(lines).toHaveLength(2);

  // The same incident again: what was said is not said again.
  await office.pass(25);
  await office.report("error", [down, planned, silenced]);
  await office.report("success", others);
  await killed(office);
  expect(mailbox.words("ops").at(-1)).toBe("location.offline");
  await comesBack([down, planned, silenced]);
  const last = mailbox.notices("ops").at(-1);
  if (last?.type !== "location.online") throw new Error(`it is ${last?.type}`);
  expect(last.incident.number).toBe(first.incident.number);
  expect(last.down).toEqual([{ id: down, monitor: "m0", from: began, isSeen: true }]);
  expect(last.wereDown).toEqual([]);
});

test("that a location is back whose agent was stopped twice counts no result as kept, sums its time offline, and waits for nothing", async () => {
  const office = await alertedOffice(3);
  await office.channel("ops");
  await office.beat();
  await office.report("success");
  await stopped(office);
  await started(office);
  expect(office.mailbox.words("ops")).toEqual(["location.offline", "location.online"]);
  expect(office.mailbox.notices("ops")[1]).toMatchObject({ replayed: 0 });
  for (const _turn of [1, 2, 3]) {
    await office.pass(30);
    await office.report("success");
  }
  await stopped(office);
  await started(office);
  const last = office.mailbox.notices("ops").at(-1);
  expect(last).toMatchObject({ type: "location.online", replayed: 0 });
  if (last?.type !== "location.online") throw new Error("it is not said to be back");
  const whole = last.endedAt - last.incident.startedAt;
  expect(whole - last.offlineFor).toBeGreaterThanOrEqual(seconds(90));
  expect(last.offlineFor).toBeGreaterThanOrEqual(2 * seconds(90));
  const page = await (await reader(office))("/incidents/1");
  expect(page).toMatch(/Offline for \d+ min( \d+ s)? of \d+ min/);
});

test("that a location is back waits while its agent has results to send", async () => {
  const office = await alertedOffice();
  const { mailbox, agent, monitors } = office;
  await office.channel("ops");
  await office.beat();
  await office.report("success");
  agent.isAlive = false;
  await office.pass(140);
  agent.isAlive = true;
  agent.counts = { resultsWaiting: 2n };
  await office.beat();
  await office.pass(10);
  expect(mailbox.words("ops")).toEqual(["location.offline"]);
  for (const ago of [60, 30]) await office.report("success", monitors, ago);
  agent.counts = { resultsWaiting: 0n };
  await office.beat();
  await office.until(() => mailbox.taken.length > 1, 30);
  expect(mailbox.notices("ops")[1]).toMatchObject({ type: "location.online", replayed: 2 });
});

test("the message of an incident in which it was back for a while says how long it was offline in all", () => {
  const online = notices["location.online"];
  const at = (time: string) => Date.parse(`2026-11-22T${time}Z`);
  const startedAt = epochMillis(at("16:00:33"));
  const endedAt = epochMillis(at("16:06:01"));
  const incident = { ...online.incident, startedAt };
  const notice = { ...online, incident, endedAt, offlineFor: minutes(4), replayed: 0 };
  const facts = new Map(say(notice, "UTC").facts.map(({ name, value }) => [name, value]));
  expect(facts.get("Offline")?.replaceAll("\u00a0", " ")).toBe(
    "22 Nov 2026, 16:00:33 to 16:06:01 UTC (offline for 4 min of 5 min 28 s)",
  );
  expect(facts.get("Sent since")).toBe("no kept results");
});
