import { expect, test } from "vitest";
import { flappingOpenings } from "#limits/alerts-limits";
import {
  causeMark,
  passingWords,
  recoveredWords,
  recoveryWords,
  waitingMark,
  waitingWords,
} from "#service/operator/incidents/recovery-words";
import { troubledSince } from "#service/operator/monitors/failed-for";
import type { PicturedMonitor } from "#service/operator/picture";
import { after, epochMillis, type Millis, minutes, seconds } from "#base/units";
import { alertedOffice, type Office } from "../../alerts/alerted-office.ts";
import { reading } from "../../../support/reading-pages.ts";

const pages = ["/", "/incidents", "/incidents/1", "/monitors/1"];

test("between repair and end every page says what the incident waits for", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  const said = async () => {
    const words = await Promise.all(pages.map(read));
    return words.map((one) => /Recovering: [^.]*\./.exec(one)?.[0] ?? "");
  };
  await office.beat();
  await office.report("error");
  await office.until(async () => (await read("/incidents")).includes("1 open incident"));
  expect(await said()).toEqual(["", "", "", ""]);
  await office.pass(30);
  await office.report("success");
  await office.until(async () => (await read("/")).includes("Recovering"));
  const waits = "Recovering: closes after 1 more passing check at office (1 of 2 passed).";
  expect(await said()).toEqual([waits, waits, waits, waits]);
  // The mark at the top is no longer that of a failing monitor.
  expect(await read("/incidents/1")).toMatch(/m0 Recovering Incident 1, open for/);
  await office.pass(30);
  await office.report("success");
  await office.until(async () => (await read("/incidents")).includes("No open incident"));
  expect(await said()).toEqual(["", "", "", ""]);
});

test("a location that is assigned while an incident recovers is waited for, and its last missing check closes the incident", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  const lab = await recoveringWithLab(office);
  const reads = (words: string) => async () => (await read("/incidents/1")).includes(words);
  await office.until(reads("at Lab, office (1 of 2 passed)"), 60);
  await office.report("success");
  await office.until(reads("Recovering: closes after 1 more passing check at Lab (1 of 2"), 60);
  await office.pass(20);
  expect(await read("/incidents/1")).toMatch(/m0 Recovering Incident 1, open for/);
  await lab.report();
  // No other result comes after it.
  await office.until(reads("Resolved Incident 1, it recovered after"), 10);
});

test("of what goes up and down every page says the same, also while one check is not enough to turn it", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  await office.beat();
  const said = async () => {
    const words = await Promise.all(pages.map(read));
    return words.map(
      (one) => /steady\. ((?:(?! at office\.)[^.])*)(?: at office)?\./.exec(one)?.[1] ?? "",
    );
  };
  const turn = async (status: "error" | "success", words: string) => {
    await office.report(status);
    await office.until(async () => (await read("/incidents/1")).includes(words), 10);
    await office.pass(30);
  };
  for (let opening = 0; opening < flappingOpenings; opening += 1) {
    await office.report("error");
    await office.pass(30);
    await office.report("success");
    await office.pass(30);
    await office.report("success");
    await office.pass(30);
  }
  await turn("error", "It is down now.");
  await office.until(async () => (await said()).every((one) => one === "It is down now"), 10);
  // Down or up, it is called the same, and counted from the beginning of its incident.
  const flaps =
    /Flapping: down \d times in \d min( \d+ s)?, and messages pause until it is steady\./;
  for (const path of ["/", "/incidents"]) {
    expect(await read(path)).toMatch(flaps);
    expect(await read(path)).not.toMatch(/Failing m0|or \d s /);
    expect(await read(path)).toMatch(/Flapping m0 /);
  }
  const agreed = async () => {
    expect(await read("/")).toContain("1 flapping, of 1 monitor at 1 location");
    expect(await read("/")).toMatch(/All 1 Flapping 1 Notifies no one 1 /);
    expect(await read("/?state=flapping")).toMatch(/Flapping m0 /);
    for (const state of ["error", "active"])
      expect(await read(`/?state=${state}`)).not.toContain("Flapping m0 ");
    expect(await read("/monitors/1")).toMatch(
      /^ ?Flapping · m0 · Picket .* m0 Flapping for \d min( \d+ s)? TCP /,
    );
  };
  await agreed();
  await office.report("success");
  const once = "It passes now, and is up after 1 more passing check at office (1 of 2 passed)";
  await office.until(async () => (await read("/incidents/1")).includes(once), 10);
  await office.until(async () => (await read("/")).includes(once), 10);
  expect(await said()).toEqual([once, once, once, once]);
  expect(await read("/incidents/1")).toMatch(/m0 Flapping Incident 1, /);
  await office.pass(30);
  await office.report("success");
  await office.until(async () => (await read("/incidents/1")).includes("It is up now"), 10);
  await office.until(async () => (await said()).every((one) => one.startsWith("It is up now")), 10);
  await agreed();
  for (const path of ["/", "/incidents"]) {
    expect(await read(path)).toMatch(flaps);
    expect(await read(path)).toMatch(/Flapping m0 /);
  }
});

/** An incident of which one good check is there, when a second location begins to check as well. */
async function recoveringWithLab(office: Office) {
  await office.beat();
  await office.report("error");
  const { incidents } = office.store.alerts;
  const [monitor = 0] = office.monitors.map(Number);
  await office.until(async () => (await incidents.newest("monitor", [monitor])).length > 0);
  await office.pass(30);
  await office.report("success");
  const wanted = { name: "Lab", monitorIds: office.monitors, metadata: {} };
  const { token } = await office.service.admin.createPrivateLocation(wanted);
  const agent = office.service.agent(token);
  const report = () => {
    const timestamp = BigInt(Math.floor(office.clock.wall() / 1_000) * 1_000);
    const slot = { timestamp, cronTimestamp: timestamp };
    const results = office.monitors.map((monitorId) => ({
      result: { case: "tcp" as const, value: { monitorId, requestStatus: "success", ...slot } },
      detail: {},
    }));
    return agent.ingestBatch({ instanceId: "b", results });
  };
  await agent.heartbeat({ instanceId: "b", hostname: "probe-2", monitorCount: 1n });
  await office.pass(5);
  await report();
  return { report };
}

test("what an incident waits for is said of each location that is without enough checks", () => {
  const short = [
    { location: "Warehouse", passed: 0 },
    { location: "Office", passed: 1 },
    { location: "Berlin", passed: 1 },
  ];
  expect(recoveryWords({ short, enough: 3, wanted: 2 })).toBe(
    "Recovering: closes after 1 more passing check at Berlin, Office (1 of 2 passed) and 2 more passing checks at Warehouse (0 of 2 passed)",
  );
  expect(recoveryWords({ short, enough: 2, wanted: 2 })).toBe(
    "Recovering: closes after enough passing checks at 2 of 3 locations: 1 more passing check at Berlin, Office (1 of 2 passed), 2 more passing checks at Warehouse (0 of 2 passed)",
  );
  expect(recoveryWords({ short: [], enough: 0, wanted: 2 })).toBe(
    "Recovering: enough checks have passed, and it closes within seconds",
  );
  const many = Array.from({ length: 7 }, (_, index) => ({ location: `L${index}`, passed: 0 }));
  expect(recoveryWords({ short: many, enough: 7, wanted: 1 })).toBe(
    "Recovering: closes after 1 more passing check at L0, L1, L2, L3, L4 and 2 other locations (0 of 1 passed)",
  );
});

test("a monitor that flaps has the same words and name while it is down and while it is up, and its colour says which", () => {
  const began = epochMillis(1_000_000);
  const at = after(began, minutes(8));
  const since = after(at, seconds(-3));
  const known = { number: 7, cause: "", since, acknowledged: false, flaps: { began, times: 5 } };
  const down = { ...blank, status: "error", incident: { ...known, flapping: "down" } } as const;
  const up = { ...blank, incident: { ...known, flapping: "up" } } as const;
  const flaps = "Flapping: down 5 times in 8\u00a0min, and messages pause until it is steady";
  expect(waitingWords(down, at)).toBe(`${flaps}. It is down now`);
  expect(waitingWords(up, at)).toBe(`${flaps}. It is up now`);
  expect(waitingWords({ ...up, status: "unknown" }, at)).toBe(flaps);
  expect(waitingMark(down)?.text).toMatch(/mark error.*Flapping/s);
  expect(waitingMark(up)?.text).toMatch(/mark degraded.*Flapping/s);
  expect(causeMark([down, up]).text).toMatch(/mark error.*Flapping/s);
  expect(causeMark([down, { ...blank, status: "error" }]).text).toMatch(/mark error.*Failing/s);
  expect(troubledSince(down)).toBe(began);
  const pause = "flap, and their messages pause until they are steady.";
  expect(passingWords([down, down])).toBe(`All ${pause}`);
  expect(passingWords([down, up, { ...blank, status: "error" }])).toBe(
    `2 of 3 ${pause} 1 of 3 passes now.`,
  );
});

test("several that all recover say for how long they were down, and since when all pass", () => {
  const began = epochMillis(1_000_000);
  const recovers = (downFor: Millis, flapping: "up" | null = null) => ({
    ...blank,
    status: "active" as const,
    since: after(began, downFor),
    incident: { number: 1, cause: "", since: began, acknowledged: false, flapping },
    recovery: { short: [], enough: 0, wanted: 2 },
  });
  const at = after(began, seconds(690));
  const both = [recovers(minutes(10)), recovers(minutes(11))];
  expect(recoveredWords(both, at)).toBe("Was down for 11\u00a0min; all pass now for 30\u00a0s.");
  expect(recoveredWords([...both, recovers(minutes(1), "up")], at)).toBe("");
  expect(recoveredWords([...both, { ...blank, status: "error" }], at)).toBe("");
});

test("an incident says the downtime that its monitor's page and the report have, and how long it is open", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  await office.beat();
  // One check that passes does not close it, and is no downtime.
  for (const one of "xx.x.xx") {
    await office.report(one === "x" ? "error" : "success");
    await office.pass(30);
  }
  const plain = async (path: string) => (await read(path)).replaceAll("\u00a0", " ");
  expect(await plain("/incidents/1")).toContain("Incident 1, open for 3 min 30 s");
  expect(await plain("/incidents/1")).toContain("Down for 2 min 30 s of 3 min 30 s ");
  expect(await plain("/monitors/1")).toContain("down for 2 min 30 s");
  // Its chart marks the three stretches in which checks failed, each by an area and a line.
  expect((await plain("/incidents/1")).match(/Incident 1, open(?! for)/g)).toHaveLength(6);
  for (const one of "..x..") {
    await office.report(one === "x" ? "error" : "success");
    await office.pass(30);
  }
  await office.until(async () => (await read("/incidents")).includes("No open incident"));
  expect(await plain("/incidents/1")).toContain("it recovered after 5 min, down twice ");
  expect(await plain("/incidents/1")).toContain("Down for 3 min of 5 min ");
  expect(await plain("/incidents")).toMatch(/m0 lasted 5 min, 3 min down .* down twice/);
  for (const path of ["/monitors/1", "/uptime"]) expect(await plain(path)).toMatch(/\b3 min\b/);
});

test("a closed incident names in its list each location that saw it, also if it failed there later", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  const lab = await locationOf(office, "Lab", "b");
  const shop = await locationOf(office, "Shop", "c");
  await office.beat();
  await lab("success");
  await shop("success");
  await office.pass(30);
  await office.report("error");
  await lab("error");
  await office.until(async () => (await read("/incidents")).includes("1 open incident"), 10);
  await office.pass(25);
  await office.report("error");
  await shop("error");
  for (let check = 0; check < 3; check += 1) {
    await office.pass(30);
    await Promise.all([office.report("success"), lab("success"), shop("success")]);
  }
  await office.until(async () => (await read("/incidents")).includes("No open incident"), 60);
  expect(await read("/incidents")).toContain("while connecting at Lab, Shop and office ");
});

/** A further location of the monitors, and a report of it. */
async function locationOf(office: Office, name: string, instanceId: string) {
  const wanted = { name, monitorIds: office.monitors, metadata: {} };
  const { token } = await office.service.admin.createPrivateLocation(wanted);
  const agent = office.service.agent(token);
  const failure = { code: "connection_refused", phase: "connect", message: "nothing listens" };
  return async (requestStatus: "error" | "success") => {
    const timestamp = BigInt(Math.floor(office.clock.wall() / 1_000) * 1_000);
    const slot = { timestamp, cronTimestamp: timestamp };
    const results = office.monitors.map((monitorId) => ({
      result: { case: "tcp" as const, value: { monitorId, requestStatus, ...slot } },
      detail: requestStatus === "error" ? { failure } : {},
    }));
    await agent.heartbeat({ instanceId, hostname: instanceId, monitorCount: 1n });
    await agent.ingestBatch({ instanceId, results });
  };
}

test("the row of several that all recover does not count on after they passed, and neither do their lines", async () => {
  const office = await alertedOffice(3);
  const read = await reading(office);
  await office.beat();
  for (let check = 0; check < 4; check += 1) {
    await office.report("error");
    await office.pass(30);
  }
  const list = async () => (await read("/incidents")).replaceAll("\u00a0", " ");
  expect(await list()).toMatch(/Failing 3 monitors: .* for 2 min .* Failing m0 for 2 min/);
  await office.report("success");
  await office.until(async () => (await list()).includes("Recovering 3 monitors"), 10);
  await office.pass(15);
  const recovered =
    /Recovering 3 monitors: .* was down for 2 min .*All pass now for \d\d s\. .* Recovering m0 for \d\d s/;
  expect(await list()).toMatch(recovered);
});

const blank: PicturedMonitor = {
  id: 1,
  name: "m",
  kind: "tcp",
  target: "db:5432",
  labels: {},
  owner: "",
  period: seconds(30),
  status: "active",
  since: null,
  lastCheckedAt: null,
  seenBy: [],
  reason: null,
  unread: false,
  unheard: false,
  incident: null,
  recovery: null,
  latency: null,
  usual: null,
  medianToday: null,
  days: [],
};
