import { describe, expect, test } from "vitest";
import { MonitorStatus } from "#contract/openstatus/monitor/v1/monitor_pb";
import { say } from "#service/notify/message/say";
import { channelEvents, rulesDefault } from "#service/alerting/channel-rules";
import { after, epochMillis, hours, minutes, seconds } from "#base/units";
import type { DeliveryRow } from "#service/store/alert-store";
import { accounts } from "../../support/notices.ts";
import {
  again,
  alertedOffice,
  delivered,
  gatewayGone,
  type Office,
  plannedWork,
  troubled,
} from "./alerted-office.ts";

/** Good checks of all monitors until they count as recovered. */
async function recover(office: Office): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await office.pass(15);
    await office.beat();
    await office.report("success");
  }
}

describe("a monitor that fails", () => {
  test("is one message, its end is another, and the message says what was seen", async () => {
    const office = await alertedOffice();
    await office.channel("ops");
    await office.beat();
    await office.report("error");
    await office.until(() => office.mailbox.taken.length > 0);
    expect(office.mailbox.notices("ops")[0]).toMatchObject({
      type: "monitor.error",
      monitor: { name: "m0" },
      locations: [{ name: "office", status: "error" }],
      result: { failure: { code: "connection_refused", phase: "connect" } },
      incident: { number: 1, acknowledged: false },
    });
    await recover(office);
    await office.until(() => office.mailbox.taken.length > 1);
    await office.pass(30);
    expect(office.mailbox.words("ops")).toEqual(["monitor.error", "monitor.recovered"]);
  });
  test("is closed as deactivated or deleted, and the pager is resolved", async () => {
    const office = await alertedOffice(2);
    await office.channel("pager", "pagerduty");
    await office.beat();
    await office.report("error");
    await office.until(() => office.mailbox.taken.length === 2);
    const monitors = office.service.monitors(office.key);
    const [deleted = "", paused = ""] = office.monitors;
    await monitors.deleteMonitor({ id: deleted });
    await monitors.updateTCPMonitor({ id: paused, monitor: { active: false } });
    await office.until(() => office.mailbox.taken.length === 3);
    // Until a deletion cannot be undone, nothing is said of it.
    await office.store.trash.purge(office.clock.wall());
    await office.until(() => office.mailbox.taken.length === 4);
    const ends = office.mailbox.notices("pager").slice(2);
    expect(
      new Set(ends.map((notice) => notice.type === "monitor.closed" && notice.because)),
    ).toEqual(new Set(["deactivated", "deleted"]));
    expect(new Set(ends.map((notice) => say(notice, "UTC").reason.split(" while ")[0]))).toEqual(
      new Set(["The monitor was paused", "The monitor was deleted"]),
    );
  });
  test("is the same incident after a pause that is undone at once: acknowledged as before, and no message", async () => {
    const office = await alertedOffice();
    await office.channel("ops");
    await office.beat();
    await office.report("error");
    await office.until(() => office.mailbox.taken.length > 0);
    const { incidents } = office.store.alerts;
    await incidents.acknowledge(1, office.clock.wall(), "Ann");
    const [id = ""] = office.monitors;
    const change = (active: boolean) =>
      office.service.monitors(office.key).updateTCPMonitor({ id, monitor: { active } });
    const before = await incidents.newest("monitor", [Number(id)]);
    await change(false);
    await office.pass(12);
    expect((await incidents.newest("monitor", [Number(id)]))[0]?.unwatchedSince).not.toBeNull();
    // Its time is kept with the incident: another process goes on with it.
    await office.restart();
    await office.pass(5);
    await change(true);
    await office.pass(10);
    await office.report("error");
    await office.pass(60);
    expect(await incidents.newest("monitor", [Number(id)])).toEqual(before);
    expect(office.mailbox.words("ops")).toEqual(["monitor.error"]);
  });
  test("is paused while its message waits: none is sent, and it is sent after all once the pause is undone", async () => {
    for (const isUndone of [false, true]) {
      const office = await alertedOffice();
      await office.channel("ops");
      await office.beat();
      await office.report("error");
      await office.until(async () => (await office.store.alerts.incidents.story(1)) !== null);
      expect(office.mailbox.tries).toBe(0);
      const [id = ""] = office.monitors;
      const change = (active: boolean) =>
        office.service.monitors(office.key).updateTCPMonitor({ id, monitor: { active } });
      await change(false);
      await office.pass(20);
      expect(office.mailbox.tries).toBe(0);
      if (isUndone) await change(true);
      await office.beat();
      await office.pass(40);
      expect(office.mailbox.words("ops")).toEqual(isUndone ? ["monitor.error"] : []);
    }
  });
  test("after a pause is of checks after it: what was seen before opens nothing, and does not date it", async () => {
    const office = await alertedOffice();
    await office.channel("ops");
    await office.beat();
    await office.report("error");
    await office.until(() => office.mailbox.taken.length > 0);
    const { incidents } = office.store.alerts;
    const [id = ""] = office.monitors;
    const change = (active: boolean) =>
      office.service.monitors(office.key).updateTCPMonitor({ id, monitor: { active } });
    await change(false);
    await office.until(() => office.mailbox.taken.length === 2);
    await change(true);
    await office.pass(5);
    const [closed] = await incidents.newest("monitor", [Number(id)]);
    expect(closed?.ended?.because).toBe("deactivated");
    const resumed = office.clock.wall();
    await office.report("error");
    await office.until(() => office.mailbox.taken.length === 3);
    const [opened] = await incidents.newest("monitor", [Number(id)]);
    expect(opened?.number).not.toBe(closed?.number);
    expect(opened?.startedAt).toBeGreaterThanOrEqual(resumed);
    await office.pass(30);
    await office.report("error");
    await office.pass(5);
    const [later] = await incidents.newest("monitor", [Number(id)]);
    expect(later?.startedAt).toBe(opened?.startedAt);
    expect(office.mailbox.words("ops")).toEqual([
      "monitor.error",
      "monitor.closed",
      "monitor.error",
    ]);
  });
  test("under a maintenance says nothing until its window has ended", async () => {
    const office = await alertedOffice();
    await office.channel("ops");
    const now = office.clock.wall();
    const work = plannedWork(office, {
      from: now,
      to: after(now, minutes(1)),
      recurrence: "FREQ=DAILY",
    });
    await office.store.alerts.maintenances.create(work, false);
    await office.beat();
    await office.report("error");
    await office.pass(50);
    expect(office.mailbox.tries).toBe(0);
    await office.report("error");
    await office.until(() => office.mailbox.taken.length > 0);
    expect(office.mailbox.notices("ops")[0]).toMatchObject({
      occasion: { why: "maintenance-ended", title: "update" },
    });
  });
  test("planned work is announced, its new times are, and its end, on channels that ask for it, by the monitors that it covers", async () => {
    const office = await alertedOffice(2);
    const asking = { ...rulesDefault, events: [...channelEvents] };
    await office.channel("ops");
    await office.channel("plans", "slack", asking);
    const branch = { name: "branch", monitorIds: [], metadata: {} };
    const { id: other } = await office.service.admin.createPrivateLocation(branch);
    await office.channel("elsewhere", "slack", { ...asking, locations: [Number(other)] });
    await office.channel("hook", "webhook", asking);
    const now = office.clock.wall();
    const made = plannedWork(office, {
      message: "of the router",
      from: after(now, seconds(20)),
      to: after(now, minutes(2)),
    });
    const { maintenances, incidents } = office.store.alerts;
    const id = await maintenances.create(made, false);
    await maintenances.create({ ...made, title: "quiet", notify: false }, false);
    await office.beat();
    await office.report("success");
    await office.pass(15);
    expect(office.mailbox.tries).toBe(0);
    await office.until(() => office.mailbox.taken.length === 2);
    await office.pass(20);
    // It is to be over before its time: only channels that heard of it hear that, once.
    await office.channel("later", "slack", asking);
    const to = after(now, minutes(1));
    await maintenances.update(id, { ...made, to }, false);
    await office.until(() => office.mailbox.taken.length === 4);
    await office.until(() => office.mailbox.taken.length === 6);
    await office.pass(120);
    const words = ["maintenance.started", "maintenance.changed", "maintenance.ended"];
    for (const name of ["plans", "hook"]) expect(office.mailbox.words(name)).toEqual(words);
    const { from, to: before } = made;
    expect(office.mailbox.notices("plans")[1]).toMatchObject({
      maintenance: { title: "update", from, to },
      before: { from, to: before },
    });
    expect(office.mailbox.notices("plans")[0]).toMatchObject({
      maintenance: { title: "update", from: made.from, to: made.to, monitorCount: 2 },
    });
    const paths = office.mailbox
      .notices("plans")
      .map((one) => "maintenance" in one && new URL(one.maintenance.url ?? "").pathname);
    expect(paths).toEqual(["/maintenances/1", "/maintenances/1", "/maintenances/1"]);
    expect(office.mailbox.taken).toHaveLength(6);
    const all = {
      kind: null,
      subject: null,
      location: null,
      cause: null,
      before: null,
      isOpen: null,
    } as const;
    expect((await incidents.list({ ...all, limit: 9, offset: 0 })).total).toBe(0);
  });
  test("is said again until a person acknowledges it, and again once it is taken back", async () => {
    const office = await alertedOffice();
    await office.channel("ops", "slack", { reminder: minutes(5) });
    await office.beat();
    await office.report("error");
    await office.until(() => office.mailbox.taken.length > 0);
    const beating = async (rounds: number): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) {
        await office.pass(30);
        await office.beat();
        await office.report("error");
      }
    };
    await beating(11);
    expect(office.mailbox.words("ops")).toEqual(["monitor.error", "monitor.reminder"]);
    await office.store.alerts.incidents.acknowledge(1, office.clock.wall(), "key 1");
    await beating(12);
    expect(office.mailbox.taken).toHaveLength(2);
    await office.store.alerts.incidents.takeBack(1, office.clock.wall(), "key 2");
    // The one that was due meanwhile comes at once.
    await beating(4);
    expect(office.mailbox.words("ops")).toEqual([
      "monitor.error",
      "monitor.reminder",
      "monitor.reminder",
    ]);
  });
});

describe("a location that falls silent", () => {
  test("is one message, and none of its monitors; back, it says what was kept", async () => {
    const office = await alertedOffice(5);
    await office.channel("ops");
    await office.beat();
    await office.report("success");
    office.agent.isAlive = false;
    await office.until(() => office.mailbox.taken.length > 0, 140);
    expect(office.mailbox.words("ops")).toEqual(["location.offline"]);
    await office.pass(120);
    expect(office.mailbox.taken).toHaveLength(1);
    office.agent.isAlive = true;
    await office.beat();
    await office.report("success");
    await office.until(() => office.mailbox.taken.length > 1);
    expect(office.mailbox.words("ops")).toEqual(["location.offline", "location.online"]);
  });
});

describe("an open incident whose only location falls silent", () => {
  test("stays open, without data since the last check that was seen", async () => {
    const { beat, report, pass, until, agent, store, clock, monitors } = await alertedOffice();
    const kept = async () =>
      (await store.alerts.incidents.newest("monitor", monitors.map(Number)))[0];
    await beat();
    await report("success");
    await pass(30);
    await report("error");
    await pass(30);
    await report("error");
    const lastCheck = clock.wall();
    await until(async () => (await kept()) !== undefined);
    expect(await kept()).toMatchObject({ ended: null, noDataSince: null });
    agent.isAlive = false;
    await until(async () => (await kept())?.noDataSince !== null, 180);
    expect(await kept()).toMatchObject({ ended: null, noDataSince: lastCheck });
  });
});

describe("a location that cannot see", () => {
  test("moves no monitor, and what fails after it opens a round later, with that it may be older", async () => {
    const office = await alertedOffice(2);
    const { monitors, mailbox, service, key } = office;
    await office.channel("ops");
    await office.beat();
    await office.report("success");
    await office.pass(30);
    await office.miss();
    await office.pass(30);
    await office.miss();
    const [id = ""] = monitors;
    const status = async () => service.monitors(key).getMonitorStatus({ id });
    expect(await status()).toMatchObject({
      status: MonitorStatus.UNSPECIFIED,
      locations: [
        {
          stale: true,
          notMeasuredSince: "2026-08-12T12:00:30.000Z",
          notMeasuredBecause: "the gateway 10.0.0.1 does not answer on this network",
        },
      ],
    });
    await office.pass(30);
    await office.report("error");
    await office.pass(15);
    expect(mailbox.words("ops")).toEqual([]);
    expect(await status()).toMatchObject({ locations: [{ stale: false, notMeasuredSince: "" }] });
    await office.pass(15);
    await office.report("error", [id]);
    await office.report(
      "success",
      monitors.filter((one) => one !== id),
    );
    await office.until(() => mailbox.taken.length > 0);
    expect(mailbox.notices("ops")).toMatchObject([
      { type: "monitor.error", monitor: { id }, late: { away: "sight", name: "office" } },
    ]);
  });
});

describe("a fault of a location's own place", () => {
  test("is one message a channel, its end is another, and after ten minutes all but pagers and phones hear it again", async () => {
    const way = { proxying: { proxy: null, exceptions: [] }, secureContext: undefined } as const;
    const office = await alertedOffice(3, { notifying: { ...way, accounts, httpAllowed: false } });
    const { mailbox, conditions, store } = office;
    await office.channel("ops");
    await office.channel("hook", "webhook", { reminder: hours(4) });
    await office.channel("pager", "pagerduty");
    await office.channel("phone", "sms");
    await office.beat();
    await office.report("success");
    await office.pass(30);
    conditions.push({ cause: gatewayGone });
    await office.beat();
    await office.miss();
    await office.until(() => mailbox.taken.length === 4, 15);
    expect(mailbox.notices("ops")).toMatchObject([
      {
        type: "location.trouble",
        trouble: "vantage",
        urgency: "critical",
        location: { name: "office", monitorCount: 3 },
        message:
          "The gateway 10.0.0.1 does not answer on this network. So far 2 of 3 monitors are not measured there. No other location measures them, so their state is unknown. Check that the gateway is on and has that address: ip neigh shows the entry.",
      },
    ]);
    for (let minute = 0; minute < 11; minute += 1) {
      await office.miss();
      await office.pass(60);
    }
    const said = ["location.trouble", "location.trouble"];
    for (const name of ["ops", "hook"]) expect(mailbox.words(name)).toEqual(said);
    conditions.length = 0;
    await office.beat();
    await office.report("success");
    await office.until(() => mailbox.notices("ops").length === 3, 15);
    await office.pass(30);
    for (const name of ["ops", "hook"])
      expect(mailbox.words(name)).toEqual([...said, "location.well"]);
    for (const name of ["pager", "phone"])
      expect(mailbox.words(name)).toEqual(["location.trouble", "location.well"]);
    const asked = {
      isOpen: null,
      kind: null,
      subject: null,
      location: null,
      cause: null,
      before: null,
      limit: 9,
      offset: 0,
    };
    expect((await store.alerts.incidents.list(asked)).incidents).toMatchObject([
      { incident: { subject: { kind: "vantage" } } },
    ]);
  });
});

describe("many monitors that fail at once", () => {
  test("are at most three messages a channel, the first within ten seconds, and as few when they end", async () => {
    const office = await alertedOffice(200);
    await office.channel("ops");
    await office.beat();
    // Their slots are spread over the period of 30 s.
    const began = office.clock.wall();
    for (let part = 0; part < 10; part += 1) {
      await office.report("error", office.monitors.slice(part * 20, part * 20 + 20));
      await office.pass(3);
      if (part === 3) expect(office.mailbox.taken).toHaveLength(1);
    }
    expect(office.clock.wall() - began).toBe(30_000);
    await office.pass(70);
    const words = office.mailbox.words("ops");
    expect(words.length).toBeLessThanOrEqual(3);
    const counted = office.mailbox
      .notices("ops")
      .map((notice) => (notice.type === "digest" ? notice.count : 1));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(200);
    await recover(office);
    await office.pass(70);
    expect(office.mailbox.taken.length - words.length).toBeLessThanOrEqual(3);
  });
});

test("targets that are killed at once are one message with the cause, also when some of them were down just before", async () => {
  const office = await alertedOffice(25);
  const { monitors, mailbox } = office;
  await office.channel("ops");
  await office.beat();
  const before = monitors.slice(0, 3);
  await office.report("error", before);
  await office.until(() => mailbox.taken.length === 3);
  for (const _ of [1, 2]) {
    await office.pass(30);
    await office.report("success");
  }
  await office.until(() => mailbox.taken.length === 6);
  await office.pass(60);
  // A busy agent's results come bit by bit, those that open again among them.
  for (const from of [0, 8, 16]) {
    await office.report("error", monitors.slice(from, from + 8));
    await office.pass(4);
  }
  await office.until(() => mailbox.taken.length > 6);
  await office.pass(60);
  expect(mailbox.notices("ops").slice(6)).toMatchObject([
    { type: "digest", because: "same-cause", count: 24, cause: { failing: 24, of: 25 } },
  ]);
});

describe("a provider that is away", () => {
  test("gets the waiting messages when it is back", async () => {
    const office = await alertedOffice();
    await office.channel("ops");
    await office.beat();
    office.mailbox.answer = () => again;
    await office.report("error");
    await office.until(() => office.mailbox.tries >= 3);
    office.mailbox.answer = () => delivered;
    await office.until(() => office.mailbox.taken.length > 0, 200);
    expect(office.mailbox.words("ops")).toEqual(["monitor.error"]);
  });
  test("until the incident is over gets one message that says both; a pager gets none", async () => {
    const office = await alertedOffice();
    await office.channel("ops");
    await office.channel("pager", "pagerduty");
    await office.beat();
    office.mailbox.answer = () => again;
    await office.report("error");
    await office.until(() => office.mailbox.tries >= 6);
    await recover(office);
    await office.pass(5);
    office.mailbox.answer = () => delivered;
    await office.until(() => office.mailbox.taken.length > 0, 300);
    await office.pass(60);
    expect(office.mailbox.notices("ops")).toMatchObject([
      { type: "monitor.recovered", announced: false, late: { away: "channel", name: "ops" } },
    ]);
    const asked = { channel: null, incident: 1, state: "dropped", limit: 10, offset: 0 } as const;
    const { deliveries } = office.store.alerts;
    const rows = async (): Promise<readonly DeliveryRow[]> =>
      (await deliveries.list(asked)).deliveries;
    // Its rest after what failed may last a while yet.
    await office.until(async () => (await rows()).length > 1, 300);
    expect((await rows()).map(({ reason }) => reason)).toEqual(["over", "over"]);
    // A person who asks for the alert again does not have it stand at the pager.
    const alert = (await rows()).find(({ kind }) => kind === "opened")?.id ?? 0;
    expect(await deliveries.retry(alert, office.clock.wall())).toBe("due");
    await office.until(async () => (await rows()).length > 1, 300);
    expect((await rows()).map(({ reason }) => reason)).toEqual(["over", "over"]);
    expect(office.mailbox.words("pager")).toEqual([]);
  });
  test("for good is said once on the other channels", async () => {
    const office = await alertedOffice();
    await office.channel("broken");
    await office.channel("mail", "webhook");
    await office.beat();
    office.mailbox.answer = ({ name }) => (name === "broken" ? troubled("disabled") : delivered);
    await office.report("error");
    await office.until(() => office.mailbox.taken.length >= 2);
    await office.pass(30);
    expect(office.mailbox.words("mail").toSorted()).toEqual(["channel.failing", "monitor.error"]);
    const tries = office.mailbox.tries;
    await recover(office);
    await office.until(() => office.mailbox.words("mail").length > 2);
    expect(office.mailbox.tries).toBe(tries + 1);
  });
});

describe("a stop of the service", () => {
  /** Twenty minutes in which only the service is away: its agent comes back within half a minute. */
  async function away(office: Office): Promise<void> {
    await office.stop();
    office.clock.suspend(20 * 60_000);
    office.agent.isAlive = false;
    await office.restart();
    await office.pass(25);
    office.agent.isAlive = true;
    await office.beat();
  }
  test("loses no message, and the message says why it is late", async () => {
    const office = await alertedOffice();
    const { store, mailbox, monitors } = office;
    await office.channel("ops");
    await office.beat();
    await office.report("error");
    const opened = async () => store.alerts.incidents.newest("monitor", monitors.map(Number));
    await office.until(async () => (await opened()).length > 0);
    expect(mailbox.tries).toBe(0);
    const stoppedAt = office.clock.wall();
    await away(office);
    const from = epochMillis(stoppedAt);
    const to = epochMillis(stoppedAt + minutes(20));
    await office.pass(30);
    expect(mailbox.notices("ops")).toMatchObject([
      { type: "monitor.error", late: { away: "service", name: "Picket", from, to } },
    ]);
  });
  test("is not what a message says that quiet hours held, though the service was started again meanwhile", async () => {
    const office = await alertedOffice();
    const quietHours = [{ days: [], from: "12:00", to: "12:30" }];
    await office.channel("ops", "slack", { quietHours });
    await office.beat();
    await office.report("error");
    const eventAt = office.clock.wall();
    await office.pass(10);
    await away(office);
    office.clock.suspend(minutes(9));
    await office.report("error");
    await office.until(() => office.mailbox.taken.length > 0);
    const [notice] = office.mailbox.notices("ops");
    expect(notice?.late).toMatchObject({ away: "quiet-hours" });
    expect((notice?.late?.from ?? 0) - eventAt).toBeLessThan(minutes(1));
  });
  test("is no silence of the agents, which could not reach it", async () => {
    const office = await alertedOffice();
    await office.channel("ops");
    await office.beat();
    await office.report("success");
    await away(office);
    await office.pass(60);
    expect(office.mailbox.words("ops")).toEqual([]);
    // Nor is its machine's sleep.
    office.clock.suspend(20 * 60_000);
    await office.pass(60);
    expect(office.mailbox.words("ops")).toEqual([]);
    office.agent.isAlive = false;
    await office.until(() => office.mailbox.taken.length > 0, 140);
    expect(office.mailbox.words("ops")).toEqual(["location.offline"]);
  });
});
