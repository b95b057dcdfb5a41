import { describe, expect, test } from "vitest";
import type { SubjectKind } from "#service/alerting/incident";
import { locationId } from "#service/store/ids";
import { after, hours, minutes } from "#base/units";
import { CountedStore } from "../../support/counted-store.ts";
import {
  again,
  alertedOffice,
  delivered,
  gatewayGone,
  type Office,
  plannedWork,
} from "./alerted-office.ts";

const ofKind = async ({ store, locationId: id }: Office, kind: SubjectKind) => {
  const any = {
    subject: null,
    location: locationId(id),
    cause: null,
    before: null,
    isOpen: null,
  } as const;
  return (await store.alerts.incidents.list({ ...any, kind, limit: 9, offset: 0 })).incidents;
};

test("a fault of a location's place is not said again while planned work covers it", async () => {
  const office = await alertedOffice();
  const { mailbox, conditions, clock, store } = office;
  await office.channel("ops");
  await office.beat();
  await office.report("success");
  conditions.push({ cause: gatewayGone });
  await office.beat();
  await office.until(() => mailbox.taken.length === 1, 15);
  const from = clock.wall();
  const window = { from, to: after(from, minutes(11)), monitors: [], notify: false };
  const work = plannedWork(office, { ...window, locations: [office.locationId] });
  await store.alerts.maintenances.create(work, false);
  await office.pass(640);
  expect(mailbox.words("ops")).toEqual(["location.trouble"]);
  await office.until(() => mailbox.taken.length === 2, 90);
  expect(mailbox.words("ops")).toEqual(["location.trouble", "location.trouble"]);
});

test("that a location is back is not said once its agent has stopped again, also if a retry delayed it", async () => {
  const office = await alertedOffice();
  const { mailbox, agent } = office;
  await office.channel("ops");
  await office.beat();
  await office.report("success");
  agent.isAlive = false;
  await office.until(() => mailbox.taken.length > 0, 140);
  expect(mailbox.words("ops")).toEqual(["location.offline"]);
  let isDown = true;
  mailbox.answer = () => (isDown ? again : delivered);
  const tried = mailbox.tries;
  agent.isAlive = true;
  await office.beat();
  await office.report("success");
  await office.until(() => mailbox.tries > tried, 60);
  // The provider did not take it, and the agent says goodbye.
  agent.isAlive = false;
  await office.service.agent(office.token).heartbeat({ instanceId: "a", leaving: true });
  isDown = false;
  await office.pass(60);
  expect(mailbox.words("ops")).toEqual(["location.offline"]);
  // It is back for good: then that is said.
  agent.isAlive = true;
  await office.beat();
  await office.report("success");
  await office.until(() => mailbox.taken.length > 1, 120);
  expect(mailbox.words("ops")).toEqual(["location.offline", "location.online"]);
});

describe("an agent in trouble", () => {
  test("is one message a channel and cause, whatever number of monitors it has, and its end is another", async () => {
    const office = await alertedOffice(5);
    const { mailbox, agent } = office;
    await office.channel("ops");
    await office.channel("mail", "webhook");
    await office.channel("errors", "slack", { events: ["error"] });
    await office.beat();
    await office.report("success");
    agent.counts = { resultsGivenUp: 12n };
    await office.beat();
    await office.until(() => mailbox.taken.length === 2, 15);
    agent.counts = { resultsGivenUp: 40n };
    await office.beat();
    await office.pass(240);
    expect(mailbox.notices("ops")).toMatchObject([
      {
        type: "location.trouble",
        trouble: "results-dropped",
        urgency: "warning",
        location: { name: "office", monitorCount: 5 },
        message:
          "probe-1 dropped 12 results before the service had taken them, so those slots are unknown. Look at its way to the service and at its disk. If it was cut off, raise PICKET_SPOOL_MAX_BYTES or PICKET_SPOOL_MAX_AGE.",
      },
    ]);
    await office.until(() => mailbox.taken.length === 4, 120);
    const words = ["location.trouble", "location.well"];
    for (const name of ["ops", "mail"]) expect(mailbox.words(name)).toEqual(words);
    expect(mailbox.words("errors")).toEqual([]);
    expect(await ofKind(office, "agent")).toMatchObject([
      { name: "office", incident: { ended: { because: "recovered" } } },
    ]);
    expect(await ofKind(office, "monitor")).toEqual([]);
  });
  test("with a clock that is off, with rejected results and with missed slots is one message a cause", async () => {
    const office = await alertedOffice();
    const { mailbox, agent } = office;
    await office.channel("hook", "webhook");
    await office.beat();
    await office.report("success");
    const beats = async (beat: (index: number) => void): Promise<void> => {
      for (let index = 1; index <= 4; index += 1) {
        beat(index);
        await office.beat();
        await office.pass(20);
      }
    };
    await beats((index) => {
      agent.counts = {
        resultsRejected: BigInt(index),
        checksRun: BigInt(10 * index),
        missedSlotsOwn: BigInt(index),
      };
    });
    await office.until(() => mailbox.taken.length === 2, 15);
    await beats(() => {
      agent.clockAhead = -75_000;
    });
    await office.until(() => mailbox.taken.length === 3, 15);
    const said = mailbox
      .notices("hook")
      .map((notice) => (notice.type === "location.trouble" ? notice.message : notice.type))
      .toSorted();
    expect(said).toEqual([
      "The clock of probe-1 is 1 min 15 s behind the service's, so its results have wrong times. Set the clocks of both machines by NTP.",
      expect.stringMatching(/^The service rejected \d results of probe-1, so those slots are unk/),
      expect.stringMatching(/^probe-1 missed \d slots by its own fault: it came too late to them/),
    ]);
  });
  test("that falls silent says nothing more: the trouble lasts until an agent reports", async () => {
    const office = await alertedOffice();
    const { mailbox, agent } = office;
    await office.channel("ops");
    await office.beat();
    await office.report("success");
    agent.counts = { resultsGivenUp: 3n };
    await office.beat();
    await office.until(() => mailbox.taken.length === 1, 15);
    agent.isAlive = false;
    await office.pass(420);
    expect(mailbox.words("ops")).toEqual(["location.trouble", "location.offline"]);
    expect(await ofKind(office, "agent")).toMatchObject([{ incident: { ended: null } }]);
    agent.isAlive = true;
    await office.beat();
    await office.until(() => mailbox.words("ops").includes("location.well"), 15);
  });
});

test("open faults and planned work are not read one by one at every look", async () => {
  const counted = new CountedStore();
  const office = await alertedOffice(1, { opensStore: counted.open });
  const { agent, clock, store } = office;
  const work = plannedWork(office, { from: clock.wall(), to: after(clock.wall(), hours(1)) });
  await store.alerts.maintenances.create(work, false);
  await office.beat();
  await office.report("success");
  agent.counts = { resultsGivenUp: 3n };
  await office.beat();
  const open = () => store.alerts.incidents.ongoing(["agent", "maintenance"], 9);
  await office.until(async () => (await open()).length === 2, 15);
  const looks = (): number => counted.count("instances.impaired");
  const [before, read] = [looks(), counted.count("incidents.list")];
  await office.pass(20);
  expect(looks()).toBeGreaterThan(before);
  // The picture of the overview, which is taken meanwhile, lists those of monitors.
  const lists = counted.calls("incidents.list").slice(read);
  expect(lists).toEqual(lists.map(() => [expect.objectContaining({ kind: "monitor" })]));
  expect(counted.count("incidents.story")).toBe(0);
});

test("what is open of a location that is deleted is closed as that: nothing says that it is back, or well", async () => {
  const office = await alertedOffice();
  const { mailbox, agent, service, key } = office;
  await office.channel("ops");
  await office.channel("pager", "pagerduty");
  await office.beat();
  await office.report("success");
  agent.counts = { resultsGivenUp: 3n };
  await office.beat();
  agent.isAlive = false;
  await office.until(() => mailbox.taken.length === 4, 140);
  await service.locations(key).deletePrivateLocation({ id: String(office.locationId) });
  // Until a deletion cannot be undone, nothing is said of it.
  await office.store.trash.purge(office.clock.wall());
  await office.until(() => mailbox.taken.length === 8, 60);
  for (const name of ["ops", "pager"])
    expect(mailbox.notices(name).slice(2)).toMatchObject([
      { type: "location.closed", because: "deleted", location: { name: "office" } },
      { type: "location.closed", because: "deleted", location: { name: "office" } },
    ]);
});
