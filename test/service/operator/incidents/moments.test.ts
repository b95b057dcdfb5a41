import { expect, test } from "vitest";
import { after, type EpochMillis, epochMillis, hours, seconds } from "#base/units";
import type { EventKind } from "#service/alerting/incident";
import type { LocatedTurn } from "#service/operator/incidents/incident-turns";
import type { StoryEvent } from "#service/store/alert-store";
import { locationId } from "#service/store/ids";
import { notedIncident } from "../../../support/noted-incident.ts";
import { momentList } from "#service/operator/incidents/moment-list";
import { momentsOf } from "#service/operator/incidents/moments";
import { alertedOffice, plannedWork } from "../../alerts/alerted-office.ts";
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

test("a timeline does not say of the check that an incident began with that it was before the incident", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  await office.beat();
  const [monitorId = ""] = office.monitors;
  const agent = office.service.agent(office.token);
  // Each starts 400 ms after it was due, and the first of them in the next second.
  for (const late of [1_000, 400, 400]) {
    const slot = BigInt(office.clock.wall());
    const times = { timestamp: slot + BigInt(late), cronTimestamp: slot };
    const failure = { code: "connection_refused", phase: "connect", message: "nothing listens" };
    const value = { monitorId, requestStatus: "error", ...times };
    const results = [{ result: { case: "tcp" as const, value }, detail: { failure } }];
    await agent.ingestBatch({ instanceId: "a", results });
    await office.pass(30);
  }
  const page = await read("/incidents/1");
  expect(page).toContain("Began 12 Aug, 12:00:01 UTC");
  expect(page).toMatch(/12:00:01 \+0 s office: failing in 3 checks in a row connection_refused/);
  expect(page).not.toContain("before the incident began");
});

test("a timeline counts from the beginning to the second, as the times next to it do", () => {
  const at = (time: string): EpochMillis => epochMillis(Date.parse(`2026-08-12T${time}Z`));
  const moment = (time: string) =>
    ({ at: at(time), is: "said", look: null, words: "Comment", more: [] }) as const;
  const moments = ["12:00:03.900", "12:00:50.100", "12:01:03.100", "13:02:50.100"].map(moment);
  const list = momentList(moments, at("12:00:03.900"), at("14:00:00.000")).text;
  const offsets = [...list.matchAll(/class="offset"\s*>([^<]*)</g)].map(([, words = ""]) => words);
  expect(offsets.map((words) => words.replaceAll("\u00a0", " "))).toEqual([
    "+0 s",
    "+47 s",
    "+1 min",
    "+1 h 2 min 47 s",
  ]);
});

test("what changed latest says when the first of its checks was, and of one check when that was", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  await office.beat();
  for (const status of ["error", "success", "error"] as const) {
    await office.report(status);
    await office.pass(30);
  }
  expect(await read("/incidents/1")).toContain("Latest office: failing in this check, 30 s ago ");
  for (let more = 0; more < 2; more += 1) {
    await office.report("error");
    await office.pass(30);
  }
  expect(await read("/incidents/1")).toContain(
    "Latest office: failing in 3 checks in a row, the first 1 min ago ",
  );
});

test("a timeline of a monitor that flaps folds what it did before that and after it, above how it is now", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  await office.beat();
  for (let round = 0; round < 20; round += 1) {
    await office.report(round % 2 === 0 ? "error" : "success");
    await office.pass(30);
  }
  const timeline = (await read("/incidents/1")).split(" Timeline ").at(-1) ?? "";
  expect(timeline).toMatch(/Flapped between 12:00:30 and 12:03:00 : went down 3 more times /);
  expect(timeline).toMatch(/Flapped between 12:04:30 and 12:08:30 : went down 4 more times /);
  expect(timeline.match(/Flapped/g)).toHaveLength(2);
  // The opening before them, that it flaps, and how it is now, are lines by themselves.
  expect(timeline).toMatch(/Opened: failing.*Flapped.*Flapping: no more messages.*Flapped/);
  const now = timeline.slice(timeline.indexOf("12:09:00"));
  expect(now).toMatch(
    /^12:09:00 .* office: failing in this check .* office: passing in this check/,
  );
});

test("a timeline folds ends and beginnings of an incident from the third cycle on, with a count", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  await office.beat();
  const timelineAfter = async (checks: string) => {
    for (const one of checks) {
      await office.report(one === "x" ? "error" : "success");
      await office.pass(30);
    }
    return (await read("/incidents/1")).split(" Timeline ").at(-1) ?? "";
  };
  expect(await timelineAfter("x..x..x")).not.toContain("Flapped between");
  expect(await timelineAfter("..x..")).toMatch(/Flapped between \S+ and \S+ : went down once more/);
});

test("a timeline folds no end of an incident, and not that it opened again, while those are few", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  await office.beat();
  for (const one of "xx..xx.x.x.xxx") {
    await office.report(one === "x" ? "error" : "success");
    await office.pass(30);
  }
  const page = await read("/incidents/1");
  const timeline = page.split(" Timeline ").at(-1) ?? "";
  expect(timeline).toMatch(
    /Opened: failing.* Closed Passed at office\..* Open again: failing.* Flapped between/,
  );
  // What is counted is how often it was down, and that has one name.
  expect(page).toMatch(/m0 Failing Incident 1, open for 7 min, down twice /);
  expect(timeline).toMatch(/^ ?It was down twice, and well in between\./);
  expect(page).not.toMatch(/Flapped \d|failed twice|changes/);
});

test("a timeline folds what two locations saw in step, though it was worse and better each time", () => {
  const began = epochMillis(0);
  const noted = notedIncident({ kind: "monitor", id: 1 }, began);
  const turn = (at: number, location: number, isDown: boolean): LocatedTurn => ({
    at: after(began, seconds(at)),
    location: locationId(location),
    status: isDown ? "error" : "success",
    failure: null,
    message: "",
    attempts: 1,
    checks: 1,
    checksBefore: 0,
  });
  const said = (at: number, kind: EventKind, number: number): StoryEvent => ({
    number,
    kind,
    severity: kind === "eased" ? "degraded" : "error",
    at: after(began, seconds(at)),
    snapshot: noted.snapshot,
    by: "",
  });
  const rounds = [0, 60, 120, 180, 240];
  const story = {
    incident: { ...noted.incident, number: 1 },
    turns: rounds.flatMap((at) => [
      turn(at, 1, true),
      turn(at + 2, 2, true),
      turn(at + 30, 1, false),
      turn(at + 32, 2, false),
    ]),
    events: [
      ...rounds.flatMap((at, index) => [
        said(at + 1, "reopened", 4 * index + 1),
        said(at + 3, "worsened", 4 * index + 2),
        said(at + 31, "eased", 4 * index + 3),
        said(at + 33, "closed", 4 * index + 4),
      ]),
      said(300, "acknowledged", 21),
    ],
    comments: [],
    silences: [],
    reports: [],
  };
  const list = momentList(momentsOf(story, { locations: [] }), began, after(began, seconds(400)));
  expect(list.text.match(/Flapped/g)).toHaveLength(1);
  expect(list.text.replaceAll(/\s+/g, " ")).toContain("Flapped between");
});

test("a timeline says of the outage that began in a maintenance that it did, and of no later one", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  await office.beat();
  const from = office.clock.wall();
  const to = after(from, hours(4));
  const work = plannedWork(office, { from, to, recurrence: "FREQ=DAILY" });
  const { maintenances } = office.store.alerts;
  const id = await maintenances.create(work, false);
  const rounds = async (count: number, status: "error" | "success"): Promise<void> => {
    for (let round = 0; round < count; round += 1) {
      await office.pass(30);
      await office.report(status);
    }
  };
  await rounds(3, "error");
  const at = office.clock.wall();
  await maintenances.moveEnd(id, { from, planned: to, seen: to, to: at, isUndo: false, at });
  await rounds(2, "error");
  await rounds(3, "success");
  await rounds(2, "error");
  await office.pass(5);
  const page = await read("/incidents/2");
  expect(page).toContain("Open again: failing");
  expect(page.split("It began in the maintenance update.")).toHaveLength(2);
});
