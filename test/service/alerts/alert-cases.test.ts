import { actingAs } from "#service/store/audit/actor";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { policyUnwritten } from "#check/alert-policy";
import { channelEvents } from "#service/alerting/channel-rules";
import type { Notice } from "#service/notify/event";
import { monitorId } from "#service/store/ids";
import { after, between, epochMillis, hours, minutes, seconds } from "#base/units";
import { alertedOffice, delivered, type Office, plannedWork } from "./alerted-office.ts";

/** Changes a monitor of the office by call. */
const change = async ({ service, key }: Office, id: string, monitor: object): Promise<void> => {
  await service.monitors(key).updateTCPMonitor({ id, monitor });
};

/** Rounds of 30 s in which these fail and the others pass. */
async function rounds(office: Office, count: number, failing: readonly string[]): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    await office.report("error", failing);
    const well = office.monitors.filter((one) => !failing.includes(one));
    if (well.length > 0) await office.report("success", well);
    await office.pass(30);
  }
}

const deliveriesOf = async ({ store }: Office, channel: number) => {
  const asked = { channel, incident: null, state: null, limit: 9, offset: 0 } as const;
  return (await store.alerts.deliveries.list(asked)).deliveries;
};

const nameIn = (notice: Notice): string => ("monitor" in notice ? notice.monitor.name : "");

test("what depends on a monitor that is down waits, and is said when it fails two rounds after that is up", async () => {
  const office = await alertedOffice(2);
  const [edge = "", shop = ""] = office.monitors;
  await change(office, shop, { alerting: { dependsOn: [edge] } });
  const ops = await office.channel("ops");
  await office.beat();
  await rounds(office, 3, [edge, shop]);
  expect(office.mailbox.notices("ops").map(nameIn)).toEqual(["m0"]);
  const waiting = (await deliveriesOf(office, ops)).filter(({ state }) => state === "waiting");
  expect(waiting).toMatchObject([{ name: "m1", reason: "parent" }]);
  await rounds(office, 5, [shop]);
  expect(office.mailbox.words("ops")).toEqual([
    "monitor.error",
    "monitor.recovered",
    "monitor.error",
  ]);
  expect(office.mailbox.notices("ops")[2]).toMatchObject({
    monitor: { name: "m1" },
    occasion: { why: "parent-recovered", parent: { name: "m0" } },
  });
});

describe("a ring of depends_on", () => {
  const refused = async (call: Promise<unknown>): Promise<string> => {
    const error = await call.then(
      () => null,
      (reason: unknown) => reason,
    );
    return Error.isError(error) ? error.message : "was taken";
  };

  test("is refused by calls with the names of its members", async () => {
    const office = await alertedOffice(3);
    const [a = "", b = "", c = ""] = office.monitors;
    const on = (id: string, dependsOn: string[]) => change(office, id, { alerting: { dependsOn } });
    expect(await refused(on(a, [a]))).toContain(
      'makes a cycle: each monitor waits for the next: "m0" → "m0"',
    );
    await on(a, [b]);
    await on(b, [c]);
    expect(await refused(on(b, [c, a]))).toContain('"m1" → "m0" → "m1"');
    expect(await refused(on(c, [a]))).toContain('"m2" → "m0" → "m1" → "m2"');
  });

  test("by a monitor that is not there yet is refused, and one that was deleted stays named", async () => {
    const office = await alertedOffice(2);
    const [edge = "", shop = ""] = office.monitors;
    const calls = office.service.monitors(office.key);
    const next = String(Number(shop) + 1);
    const monitor = { name: "new", uri: "db.test:1" };
    const alerting = { dependsOn: [next] };
    const made = calls.createTCPMonitor({ monitor: { ...monitor, periodicity: 1, alerting } });
    expect(await refused(made)).toContain(`names the monitor ${next}, which does not exist`);
    await change(office, shop, { alerting: { dependsOn: [edge] } });
    await calls.deleteMonitor({ id: edge });
    expect(await refused(change(office, shop, { labels: { team: "shop" } }))).toBe("was taken");
  });

  test("that an older service took holds back no alert, neither of two on each other nor of one on itself", async () => {
    const office = await alertedOffice(3);
    const [a = "", b = "", self = ""] = office.monitors;
    for (const [id, on] of [
      [a, b],
      [b, a],
      [self, self],
    ] as const) {
      const row = await office.store.state.monitors.get(monitorId(Number(id)));
      if (row === null) throw new Error("it is there");
      const { owner, labels } = row;
      const alerting = { ...policyUnwritten, dependsOn: [on] };
      const definition = { ...row.definition, alerting };
      await office.store.state.monitors.update(row.id, {
        definition,
        owner,
        labels,
        at: office.clock.wall(),
      });
    }
    await office.channel("ops", "webhook");
    await office.beat();
    await rounds(office, 2, office.monitors);
    expect(office.mailbox.notices("ops").map(nameIn).toSorted()).toEqual(["m0", "m1", "m2"]);
    await rounds(office, 3, []);
    expect(office.mailbox.words("ops").filter((word) => word === "monitor.recovered")).toHaveLength(
      3,
    );
  });
});

test("a channel gets what its labels and locations select, as urgent as the monitor says", async () => {
  const office = await alertedOffice(2);
  const [shop = ""] = office.monitors;
  await change(office, shop, { labels: { team: "shop" }, alerting: { severity: "warning" } });
  await office.channel("shop", "webhook", { labels: { team: "shop" } });
  await office.channel("any-team", "webhook", { labels: { team: "" } });
  await office.channel("other", "webhook", { labels: { team: "web" } });
  await office.channel("here", "webhook", { locations: [office.locationId] });
  const branch = { name: "branch", monitorIds: [], metadata: {} };
  const { id: other } = await office.service.admin.createPrivateLocation(branch);
  await office.channel("elsewhere", "webhook", { locations: [Number(other)] });
  await office.beat();
  await office.report("error");
  await office.until(() => office.mailbox.taken.length >= 4);
  await office.pass(20);
  const heard = (channel: string) =>
    office.mailbox
      .notices(channel)
      .map((one) => `${nameIn(one)} ${"urgency" in one ? one.urgency : ""}`)
      .toSorted();
  expect(heard("shop")).toEqual(["m0 warning"]);
  expect(heard("any-team")).toEqual(["m0 warning"]);
  expect(heard("here")).toEqual(["m0 warning", "m1 critical"]);
  expect([...heard("other"), ...heard("elsewhere")]).toEqual([]);
});

describe("results that an agent kept while it was cut off", () => {
  /** Ten minutes in which no heartbeat and no result comes; then both do. */
  async function cutOff(office: Office): Promise<void> {
    await office.channel("ops", "webhook");
    await office.beat();
    await office.report("success");
    office.agent.isAlive = false;
    await office.pass(600);
    expect(office.mailbox.words("ops")).toEqual(["location.offline"]);
    office.agent.isAlive = true;
    await office.beat();
  }
  test("of what is well by now are said with the location's return alone", async () => {
    const office = await alertedOffice();
    await cutOff(office);
    for (const ago of [540, 510, 480]) await office.report("error", office.monitors, ago);
    for (const ago of [60, 30, 0]) await office.report("success", office.monitors, ago);
    await office.pass(60);
    expect(office.mailbox.words("ops")).toEqual(["location.offline", "location.online"]);
    expect(office.mailbox.notices("ops")[1]).toMatchObject({
      replayed: 5,
      wereDown: [{ monitor: "m0" }],
    });
  });
  test("of what is down still are one message with the true start, and why it is late", async () => {
    const office = await alertedOffice();
    const { clock, mailbox } = office;
    await cutOff(office);
    const start = Math.floor(clock.wall() / 1_000) * 1_000 - 540_000;
    for (const ago of [540, 510, 60, 30, 0]) await office.report("error", office.monitors, ago);
    await office.until(() => mailbox.taken.length === 3, 60);
    await office.pass(30);
    const down = mailbox.notices("ops").filter(({ type }) => type === "monitor.error");
    expect(down).toMatchObject([
      { incident: { startedAt: start }, late: { away: "location", name: "office" } },
    ]);
  });
});

describe("in the middle of a delivery", () => {
  /** Holds the first message to a channel until it is let go. */
  function holding({ mailbox }: Office, name: string) {
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    mailbox.answer = async (channel) => {
      if (channel.name === name) {
        reached.resolve();
        await released.promise;
      }
      return delivered;
    };
    return { reached: reached.promise, release: () => released.resolve() };
  }
  test("a channel that is deleted takes nothing else with it", async () => {
    const office = await alertedOffice();
    const ops = await office.channel("ops");
    await office.channel("mail", "webhook");
    const { release } = holding(office, "ops");
    await office.beat();
    await office.report("error");
    await office.until(() => office.mailbox.tries === 2);
    const headers = { "x-service-key": office.key };
    const path = "/rpc/openstatus.notification.v1.NotificationService/DeleteNotification";
    expect((await office.service.post(path, { id: String(ops) }, headers)).status).toBe(200);
    release();
    await office.pass(20);
    await rounds(office, 3, []);
    expect(office.mailbox.words("mail")).toEqual(["monitor.error", "monitor.recovered"]);
    expect(office.mailbox.words("ops")).toEqual(["monitor.error"]);
    expect(await deliveriesOf(office, ops)).toSatisfy((all: readonly { state: string }[]) =>
      all.every(({ state }) => state !== "waiting"),
    );
  });
  test("a monitor that is deleted is closed as that, and the other one's message comes", async () => {
    const office = await alertedOffice(2);
    await office.channel("ops", "webhook");
    const { release } = holding(office, "ops");
    await office.beat();
    await office.report("error");
    // Both are under way side by side.
    await office.until(() => office.mailbox.tries === 2);
    const [gone = ""] = office.monitors;
    await office.service.monitors(office.key).deleteMonitor({ id: gone });
    release();
    await office.until(() => office.mailbox.taken.length === 2);
    // Until the deletion cannot be undone, nothing is said of it.
    await office.store.trash.purge(office.clock.wall());
    await office.until(() => office.mailbox.taken.length === 3);
    expect(office.mailbox.words("ops").toSorted()).toEqual([
      "monitor.closed",
      "monitor.error",
      "monitor.error",
    ]);
    expect(office.mailbox.notices("ops").at(-1)).toMatchObject({ monitor: { id: gone } });
  });
});

test("messages of a channel whose key file was replaced wait until it is back, and the channel says so", async () => {
  const office = await alertedOffice();
  const ops = await office.channel("ops");
  const file = `${office.service.database}.key`;
  const key = readFileSync(file);
  await office.stop();
  writeFileSync(file, randomBytes(32).toString("base64"));
  await office.restart();
  await office.beat();
  await office.report("error");
  const trouble = async () => (await deliveriesOf(office, ops))[0];
  await office.until(async () => (await trouble())?.attempts === 1);
  expect(await trouble()).toMatchObject({
    state: "waiting",
    reason: "retry",
    message: expect.stringContaining("put the key file of the backup back"),
  });
  expect(office.mailbox.tries).toBe(0);
  await office.stop();
  writeFileSync(file, key);
  await office.restart();
  await office.store.alerts.deliveries.retry((await trouble())?.id ?? 0, office.clock.wall());
  await office.until(() => office.mailbox.taken.length === 1);
});

test("a link that acknowledges does so for the opening that it was sent for, and for no later one", async () => {
  const office = await alertedOffice();
  await office.channel("ops", "webhook");
  await office.beat();
  await rounds(office, 1, office.monitors);
  const linkIn = (notice: Notice | undefined): string =>
    notice !== undefined && "incident" in notice ? (notice.incident.acknowledgeUrl ?? "") : "";
  const open = async (notice: Notice | undefined) => {
    const { pathname } = new URL(linkIn(notice));
    return (await fetch(`${office.service.url}${pathname}`)).status;
  };
  const [first] = office.mailbox.notices("ops");
  expect(await open(first)).toBe(200);
  await rounds(office, 3, []);
  await rounds(office, 1, office.monitors);
  const again = office.mailbox.notices("ops").at(-1);
  expect(again).toMatchObject({ type: "monitor.error", occasion: { why: "reopened" } });
  expect([await open(first), await open(again)]).toEqual([410, 200]);
});

test("a reminder is left out while a maintenance covers what is down", async () => {
  const office = await alertedOffice();
  await office.channel("ops", "slack", { reminder: minutes(5) });
  await office.beat();
  await rounds(office, 1, office.monitors);
  const now = office.clock.wall();
  const work = plannedWork(office, { from: now, to: after(now, minutes(10)), notify: false });
  await office.store.alerts.maintenances.create(work, false);
  await rounds(office, 19, office.monitors);
  expect(office.mailbox.words("ops")).toEqual(["monitor.error"]);
  await rounds(office, 3, office.monitors);
  expect(office.mailbox.words("ops")).toEqual(["monitor.error", "monitor.reminder"]);
});

test("announced work that is deleted is cancelled once that cannot be undone, and put back before that it says nothing", async () => {
  const office = await alertedOffice();
  await office.channel("ops", "slack", { events: [...channelEvents] });
  await office.beat();
  const from = office.clock.wall();
  const work = plannedWork(office, { from, to: after(from, hours(4)), notify: true });
  const { alerts, trash } = office.store;
  const id = await alerts.maintenances.create(work, false);
  const passing = (halfMinutes: number): Promise<void> => rounds(office, halfMinutes, []);
  const deleted = (): Promise<boolean> =>
    actingAs({ kind: "command", name: "test", from: "", at: office.clock.wall() }, () =>
      alerts.maintenances.delete(id),
    );
  await passing(2);
  expect(office.mailbox.words("ops")).toEqual(["maintenance.started"]);
  expect(await deleted()).toBe(true);
  await passing(4);
  expect(await trash.restore("maintenance", id, from)).toBe("restored");
  await passing(8);
  expect(office.mailbox.words("ops")).toEqual(["maintenance.started"]);
  expect(await deleted()).toBe(true);
  await passing(8);
  expect(office.mailbox.words("ops")).toEqual(["maintenance.started"]);
  await passing(20);
  expect(office.mailbox.words("ops")).toEqual(["maintenance.started", "maintenance.ended"]);
  expect(office.mailbox.notices("ops")[1]).toMatchObject({
    isCancelled: true,
    maintenance: { title: "update", url: null },
  });
});

test("this time of work that repeats is ended early: that is announced, and what is down opens at once", async () => {
  const office = await alertedOffice();
  await office.channel("ops", "slack", { events: [...channelEvents] });
  await office.beat();
  const from = office.clock.wall();
  const to = after(from, hours(4));
  const work = plannedWork(office, { from, to, recurrence: "FREQ=DAILY", notify: true });
  const { maintenances } = office.store.alerts;
  const id = await maintenances.create(work, false);
  await rounds(office, 4, office.monitors);
  expect(office.mailbox.words("ops")).toEqual(["maintenance.started"]);
  const at = office.clock.wall();
  const end = { from, planned: to, seen: to, to: at, isUndo: false, at };
  expect(await maintenances.moveEnd(id, end)).toBe(true);
  await rounds(office, 2, office.monitors);
  expect(office.mailbox.words("ops").toSorted()).toEqual([
    "maintenance.ended",
    "maintenance.started",
    "monitor.error",
  ]);
  expect(office.mailbox.notices("ops").find(({ type }) => type === "monitor.error")).toMatchObject({
    occasion: { why: "maintenance-ended", title: "update" },
  });
});

test.each([
  ["before", "update"],
  ["after", null],
] as const)(
  "planned work that was planned %s an incident began is said of its beginning as %j",
  async (order, title) => {
    const office = await alertedOffice();
    await office.channel("ops");
    await office.beat();
    const now = office.clock.wall();
    const plan = async () => {
      const times = { from: epochMillis(now - minutes(1)), to: after(now, minutes(5)) };
      await office.store.alerts.maintenances.create(
        { ...plannedWork(office, times), notify: false, at: office.clock.wall() },
        false,
      );
    };
    if (order === "before") await plan();
    await rounds(office, 4, office.monitors);
    if (order === "after") await plan();
    await rounds(office, 12, office.monitors);
    await rounds(office, 14, []);
    const { incidents } = office.store.alerts;
    const story = await incidents.story(1);
    const last = story?.events.at(-1)?.snapshot;
    expect(last?.of === "monitor" ? last.maintenance : "none").toBe(title);
  },
);

test("two outages within minutes are one incident whose messages say what was down, and every failed check", async () => {
  const office = await alertedOffice();
  await office.channel("ops", "webhook");
  await office.beat();
  const [monitor] = office.monitors;
  const failing = monitor === undefined ? [] : [monitor];
  await rounds(office, 4, failing);
  await rounds(office, 14, []);
  await rounds(office, 2, failing);
  await rounds(office, 4, []);
  const said = office.mailbox.notices("ops");
  expect(said.map(({ type }) => type)).toEqual([
    "monitor.error",
    "monitor.recovered",
    "monitor.error",
    "monitor.recovered",
  ]);
  const [opened, , again, over] = said.map((one) => ("incident" in one ? one.incident : null));
  expect(again?.number).toBe(opened?.number);
  expect(opened?.downSince).toBe(opened?.startedAt);
  expect(between(opened?.startedAt ?? epochMillis(0), again?.downSince ?? epochMillis(0))).toBe(
    18 * seconds(30),
  );
  expect(over?.startedAt).toBe(opened?.startedAt);
  expect(said[1]).toMatchObject({ lasted: { inTrouble: 4 * seconds(30), failedChecks: 4 } });
  expect(said[3]).toMatchObject({ lasted: { inTrouble: 6 * seconds(30), failedChecks: 6 } });
});

test("what flapped and is steady again says how long it was down since its incident began, by its checks", async () => {
  const office = await alertedOffice();
  await office.channel("ops");
  await office.beat();
  for (const one of "xx..x..x..x..") {
    await office.report(one === "x" ? "error" : "success");
    await office.pass(30);
  }
  for (let minute = 0; minute < 31; minute += 1) {
    await office.report("success");
    await office.pass(60);
  }
  expect(office.mailbox.notices("ops").at(-1)).toMatchObject({
    type: "monitor.settled",
    status: "active",
    downFor: 5 * seconds(30),
  });
});
