import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { laneAtFirst } from "#service/alerting/attempts";
import { rulesDefault } from "#service/alerting/channel-rules";
import type { Incident, SubjectKind } from "#service/alerting/incident";
import type { Snapshot } from "#service/alerting/snapshot";
import type { IncidentChange, NewEvent, Settlement } from "#service/store/alert-store";
import type { NewChannel } from "#service/store/channel-store";
import type { NewMaintenance } from "#service/store/maintenance-store";
import type { MonitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { after, epochMillis, type EpochMillis, hours, millis, minutes, seconds } from "#base/units";
import { someChannel } from "./channels.ts";
import {
  assigned,
  failedChecks,
  failing,
  noon,
  type OpenFresh,
  slotAfter,
  someResult,
} from "./scene.ts";

const lease = "judge/1";
export const channelSnapshot: Snapshot = {
  of: "channel",
  channel: { id: "9", name: "ops", provider: "Slack" },
  message: "it does not take messages",
};

const agentSnapshot = {
  of: "agent",
  location: { id: "7", name: "office", labels: {}, monitorCount: 1, monitorNames: ["shop"] },
  trouble: "results-dropped",
  urgency: "warning",
} as const;

const everyIncident = {
  isOpen: null,
  kind: null,
  subject: null,
  location: null,
  cause: null,
  before: null,
  limit: 1,
  offset: 0,
};

/** What every engine says of incidents, deliveries and what silences them. */
export function alertsConform(open: OpenFresh): void {
  let store: Store;
  let alerts: Store["alerts"];
  beforeAll(async () => {
    store = await open();
    ({ alerts } = store);
    await store.state.leases.hold("a", [lease], hours(1));
  });
  afterAll(() => store[Symbol.asyncDispose]());

  const opens = (monitor: number, channels: readonly number[]): IncidentChange => ({
    incident: {
      subject: { kind: "monitor", id: monitor },
      severity: "error",
      worst: "error",
      startedAt: slotAfter(-1),
      openedAt: noon,
      ended: null,
      openings: [noon],
      flapping: null,
      noDataSince: null,
      unwatchedSince: null,
      notBefore: null,
      well: [],
      passedSince: null,
      passes: [],
      acknowledged: null,
    },
    name: "shop",
    cause: "7 dns_timeout dns",
    at: noon,
    snapshot: channelSnapshot,
    events: [{ kind: "opened", to: { are: "channels", channels } }],
  });
  const keep = (...incidents: IncidentChange[]): Promise<number | null> =>
    alerts.incidents.keep(lease, "a", { states: [], incidents });
  const newest = async (monitor: number): Promise<Incident> =>
    (await alerts.incidents.newest("monitor", [monitor]))[0]!;
  const happens = async (monitor: number, event: NewEvent, changes: Partial<Incident> = {}) => {
    const incident = { ...(await newest(monitor)), ...changes };
    return keep({ ...opens(monitor, []), incident, at: slotAfter(1), events: [event] });
  };
  const monitor = async (): Promise<MonitorId> => (await assigned(store)).monitors[0]!;
  const nothing: Omit<Settlement, "channel"> = {
    now: noon,
    lane: null,
    recent: null,
    attempted: [],
    dropped: [],
    held: [],
  };
  let channels = 100;
  const channel = (): number => (channels += 1);
  const sentNow = { is: "sent", reference: "m1", moved: null } as const;

  test("an incident of a monitor that has become due since it was judged is not kept, and is the next time", async () => {
    const { monitors, append } = await assigned(store, 2);
    const judged = async () => {
      const read = await store.state.states.of(monitors);
      const said = { status: "error", since: noon, judgeAt: slotAfter(9), memory: "" } as const;
      const states = read.map((one) => ({ ...one, ...said }));
      return { states, incidents: monitors.map((id) => opens(id, [])) };
    };
    const found = async (): Promise<readonly number[]> => {
      const incidents = await alerts.incidents.newest("monitor", monitors);
      return incidents.map(({ subject }) => subject.id).toSorted((a, b) => a - b);
    };
    const late = await judged();
    await append(someResult(monitors[0]!, noon));
    expect(await alerts.incidents.keep(lease, "a", late)).toBe(1);
    expect(await found()).toEqual([monitors[1]]);
    expect(await alerts.incidents.keep(lease, "a", await judged())).toBe(0);
    expect(await found()).toEqual(monitors);
  });

  describe("an incident", () => {
    test("is kept with its deliveries while the lease lasts, numbered, one open for each monitor", async () => {
      const id = await monitor();
      const [first, second] = [channel(), channel()];
      expect(
        await alerts.incidents.keep(lease, "b", { states: [], incidents: [opens(id, [first])] }),
      ).toBeNull();
      expect(await keep(opens(id, [first, second, first]))).toBe(0);
      expect(await keep(opens(id, [first]))).toBe(0);
      const { number, ...rest } = await newest(id);
      expect(rest).toEqual(opens(id, []).incident);
      const all = await alerts.incidents.list({
        isOpen: true,
        kind: "monitor",
        subject: id,
        location: null,
        cause: null,
        before: null,
        limit: 10,
        offset: 0,
      });
      expect(all).toEqual({
        incidents: [{ incident: { number, ...rest }, name: "shop", cause: "7 dns_timeout dns" }],
        total: 1,
      });
      const among = async (...ranges: readonly { from: number; to: number }[]) => {
        const asked = { isOpen: true, kind: null, subject: id, location: null, cause: null };
        const page = { before: null, limit: 10, offset: 0 };
        return (await alerts.incidents.list({ ...asked, ranges, ...page })).total;
      };
      expect(await among({ from: 1, to: number - 1 }, { from: number, to: number })).toBe(1);
      expect(await among({ from: number + 1, to: number + 9 })).toBe(0);
      expect(await among()).toBe(0);
      const standing = await alerts.deliveries.standing([first, 9_999]);
      expect([...standing]).toEqual([[first, { waiting: 1, lastSentAt: null, lastTest: null }]]);
      const written = await alerts.deliveries.list({
        channel: null,
        incident: number,
        state: null,
        limit: 10,
        offset: 0,
      });
      expect(written.deliveries.map((one) => one.channel).toSorted((a, b) => a - b)).toEqual([
        first,
        second,
      ]);
      expect(new Set(written.deliveries.map(({ about }) => about))).toEqual(new Set(["monitor"]));
      const next = await monitor();
      await keep(opens(next, []));
      // Also where another replica had opened one already, or a transaction was undone.
      expect((await newest(next)).number).toBe(number + 1);
    });
    test("is kept with since when it is not watched, and before when it does not begin", async () => {
      const id = await monitor();
      await keep(opens(id, []));
      expect(await newest(id)).toMatchObject({ unwatchedSince: null, notBefore: null });
      const dates = { unwatchedSince: slotAfter(2), notBefore: slotAfter(-3) };
      await keep({ ...opens(id, []), incident: { ...(await newest(id)), ...dates }, events: [] });
      expect(await newest(id)).toMatchObject({ ...dates, ended: null });
    });
    test("is listed before another by its number, the newest first, as many as are asked for", async () => {
      const id = await monitor();
      const ended = { at: slotAfter(1), because: "recovered" } as const;
      for (let count = 0; count < 4; count += 1) {
        await keep(opens(id, []));
        await happens(id, { kind: "closed", to: { are: "channels", channels: [] } }, { ended });
      }
      const { number } = await newest(id);
      const of = { ...everyIncident, kind: "monitor", subject: id, limit: 2 } as const;
      const before = async (one: number) => {
        const { incidents, total } = await alerts.incidents.list({ ...of, before: one });
        return { numbers: incidents.map(({ incident }) => number - incident.number), total };
      };
      expect(await before(number)).toEqual({ numbers: [1, 2], total: 3 });
      expect(await before(number - 2)).toEqual({ numbers: [3], total: 1 });
      expect(await before(number - 3)).toEqual({ numbers: [], total: 0 });
    });
    test("is found by its number, and the numbers of a list are those of its incidents", async () => {
      const ids = [await monitor(), await monitor(), await monitor()];
      for (const id of ids) await keep(opens(id, []));
      const asked = { ...everyIncident, isOpen: true, kind: "monitor", limit: 3 } as const;
      const { incidents } = await alerts.incidents.list(asked);
      const numbers = incidents.map(({ incident }) => incident.number);
      expect(await alerts.incidents.numbers(asked)).toEqual(numbers);
      expect(await alerts.incidents.numbers({ ...asked, limit: 1, offset: 1 })).toEqual(
        numbers.slice(1, 2),
      );
      const named = await alerts.incidents.named([...numbers.slice(1), 999_999]);
      expect(named.toSorted((a, b) => b.incident.number - a.incident.number)).toEqual(
        incidents.slice(1),
      );
    });
    test("comes before an acknowledged one if that is asked for, and one that is slow after both that fail", async () => {
      const ids = [await monitor(), await monitor(), await monitor()] as const;
      for (const id of ids) await keep(opens(id, []));
      const [first, slow, taken] = await Promise.all(ids.map(newest));
      if (first === undefined || slow === undefined || taken === undefined) throw new Error("none");
      await keep({ ...opens(ids[1], []), incident: { ...slow, severity: "degraded" }, events: [] });
      await alerts.incidents.acknowledge(taken.number, slotAfter(1), "ann");
      const open = { ...everyIncident, isOpen: true, urgentFirst: true, kind: "monitor" } as const;
      const own = new Set([first.number, slow.number, taken.number]);
      const numbers = await alerts.incidents.numbers({ ...open, limit: 1_000 });
      const wanted = [first.number, slow.number, taken.number];
      expect(numbers.filter((one) => own.has(one))).toEqual(wanted);
      const { incidents } = await alerts.incidents.list({ ...open, limit: 1_000 });
      expect(incidents.map(({ incident }) => incident.number)).toEqual(numbers);
    });
    test("is announced to a channel that came later, once, with the newest of what says how it stands", async () => {
      const ids = [await monitor(), await monitor(), await monitor()] as const;
      for (const id of ids) await keep(opens(id, []));
      const numbers = await Promise.all(ids.map(async (id) => (await newest(id)).number));
      const [open = 0, known = 0] = numbers;
      await happens(ids[0], { kind: "worsened", to: { are: "channels", channels: [] } });
      await happens(ids[0], { kind: "no_data", to: { are: "channels", channels: [] } });
      await alerts.incidents.acknowledge(known, slotAfter(2), "ann");
      const ended = { at: slotAfter(1), because: "recovered" } as const;
      await happens(ids[2], { kind: "closed", to: { are: "notified", except: [] } }, { ended });
      const made = someChannel({ monitors: ids, at: slotAfter(3) });
      const { id: late, announced } = await alerts.channels.createAnnouncing(made);
      expect(announced).toBe(1);
      expect(await alerts.channels.get(late)).toMatchObject({ monitors: ids });
      const deliveries = async () => {
        const asked = { channel: late, incident: null, state: null, limit: 10, offset: 0 };
        return (await alerts.deliveries.list(asked)).deliveries;
      };
      expect(await deliveries()).toMatchObject([
        { incident: open, kind: "worsened", state: "waiting", createdAt: slotAfter(3) },
      ]);
      await happens(ids[0], { kind: "closed", to: { are: "notified", except: [] } }, { ended });
      expect((await deliveries()).map(({ kind }) => kind)).toEqual(["closed", "worsened"]);
      const other = await alerts.channels.createAnnouncing(someChannel());
      expect(other.announced).toBe(0);
    });
    test("of a certificate, a location or an agent is announced to a channel that came later as one of a monitor is", async () => {
      const here = await assigned(store);
      const id = here.monitors[0]!;
      const at: Snapshot = {
        ...agentSnapshot,
        location: { ...agentSnapshot.location, id: String(here.location) },
        message: "it is off",
      };
      const opened = (kind: SubjectKind, of: number, snapshot: Snapshot): IncidentChange => {
        const change = opens(id, []);
        return { ...change, snapshot, incident: { ...change.incident, subject: { kind, id: of } } };
      };
      await keep(
        opened("certificate", id, channelSnapshot),
        opened("location", here.location, at),
        opened("agent", 100 * here.location, at),
        opened("vantage", 100 * here.location + 1, at),
      );
      const notified = async (changes: Partial<NewChannel>): Promise<readonly string[]> => {
        const made = await alerts.channels.createAnnouncing(someChannel(changes));
        const asked = { channel: made.id, incident: null, state: null, limit: 10, offset: 0 };
        const { deliveries } = await alerts.deliveries.list(asked);
        expect(made.announced).toBe(deliveries.length);
        const { incidents } = await alerts.incidents.list({ ...everyIncident, limit: 100 });
        const kindOf = (number: number) =>
          incidents.find((one) => one.incident.number === number)?.incident.subject.kind ?? "";
        return deliveries.map(({ incident }) => kindOf(incident)).toSorted();
      };
      const ofPlace = ["agent", "location", "vantage"];
      expect(await notified({ monitors: [id] })).toEqual([
        "agent",
        "certificate",
        ...ofPlace.slice(1),
      ]);
      const rules = { ...rulesDefault, locations: [Number(here.location)] };
      expect(await notified({ rules })).toEqual(ofPlace);
      expect(await notified({ rules: { ...rules, events: ["error"] } })).toEqual([]);
      expect(await notified({})).toEqual([]);
    });
    test("is among those since an instant, of however many monitors and incidents", async () => {
      const { monitors } = await assigned(store, 300);
      const ended = { at: slotAfter(1), because: "recovered" } as const;
      for (let round = 0; round < 4; round += 1)
        await keep(
          ...monitors.map((id) => {
            const change = opens(id, []);
            return { ...change, incident: { ...change.incident, ended } };
          }),
        );
      const found = await alerts.incidents.since(monitors, noon);
      const numbers = found.map(({ number }) => number);
      expect(numbers).toHaveLength(1_200);
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      expect(await alerts.incidents.since(monitors, slotAfter(9))).toEqual([]);
    });
    test("is among those since an instant of what it is about, and of nothing else of the same number", async () => {
      const { location, monitors } = await assigned(store);
      const id = monitors[0]!;
      const open = (kind: SubjectKind, subject: number): IncidentChange => {
        const change = opens(id, []);
        return { ...change, incident: { ...change.incident, subject: { kind, id: subject } } };
      };
      await keep(open("monitor", id));
      await alerts.incidents.note(open("location", location));
      await alerts.incidents.note(open("location", location + 1));
      const subjects = async (of: readonly number[], kind?: SubjectKind) =>
        (await alerts.incidents.since(of, noon, kind)).map(({ subject }) => subject);
      const places = [location, location + 1];
      expect(await subjects(places, "location")).toEqual(
        places.map((one) => ({ kind: "location", id: one })),
      );
      expect(await subjects([location], "location")).toHaveLength(1);
      expect(await subjects([id])).toEqual([{ kind: "monitor", id }]);
    });
    test("has a story, and ends in the channels that were notified and want it", async () => {
      const id = await monitor();
      const [first, second] = [channel(), channel()];
      await keep(opens(id, [first, second]));
      const ended = { at: slotAfter(1), because: "recovered" } as const;
      await happens(id, { kind: "closed", to: { are: "notified", except: [second] } }, { ended });
      const { number } = await newest(id);
      const story = await alerts.incidents.story(number);
      expect(story?.events.map(({ kind, number, at }) => [number, kind, at])).toEqual([
        [1, "opened", noon],
        [2, "closed", slotAfter(1)],
      ]);
      expect(story?.events[0]?.snapshot).toEqual(channelSnapshot);
      expect(story?.incident.ended).toEqual(ended);
      const { deliveries } = await alerts.deliveries.list({
        channel: null,
        incident: number,
        state: "waiting",
        limit: 10,
        offset: 0,
      });
      expect(deliveries.map(({ channel, event }) => [channel, event])).toEqual([
        [first, 2],
        [second, 1],
        [first, 1],
      ]);
      expect(await alerts.incidents.story(999_999)).toBeNull();
    });
    test("is listed with what was known as it opened, whatever was known later", async () => {
      const [id, other] = [await monitor(), await monitor()];
      await keep(opens(id, []), opens(other, []));
      const numbers = [(await newest(id)).number, (await newest(other)).number];
      const [before] = await alerts.incidents.newest("monitor", [id]);
      const later: IncidentChange = {
        ...opens(id, []),
        incident: before!,
        snapshot: { ...agentSnapshot, message: "it is off" },
        events: [{ kind: "worsened", to: { are: "channels", channels: [] } }],
      };
      await keep(later);
      const openings = await alerts.incidents.openings([...numbers, 999_999]);
      expect([...openings.keys()].toSorted((a, b) => a - b)).toEqual(numbers);
      expect(openings.get(numbers[0] ?? 0)).toEqual(opens(id, []).snapshot);
    });
    test("is listed with what was known as it ended last, and not while it has not ended", async () => {
      const [id, other] = [await monitor(), await monitor()];
      await keep(opens(id, []), opens(other, []));
      const before = await newest(id);
      const numbers = [before.number, (await newest(other)).number];
      const ends = (kind: "closed" | "settled" | "reminder", message: string): IncidentChange => ({
        ...opens(id, []),
        incident: before,
        snapshot: { ...agentSnapshot, message },
        events: [{ kind, to: { are: "channels", channels: [] } }],
      });
      await keep(ends("closed", "first"));
      await keep(ends("settled", "last"));
      await keep(ends("reminder", "later"));
      const endings = await alerts.incidents.endings(numbers);
      expect([...endings]).toEqual([[before.number, { ...agentSnapshot, message: "last" }]]);
    });
    test("is read with what it became and when, without what changes no severity", async () => {
      const id = await monitor();
      await keep(opens(id, []));
      const before = await newest(id);
      const becomes = (kind: "reminder" | "eased", after: number): IncidentChange => ({
        ...opens(id, []),
        incident: { ...before, severity: "degraded" },
        at: epochMillis(opens(id, []).at + after),
        events: [{ kind, to: { are: "channels", channels: [] } }],
      });
      await keep(becomes("eased", 1_000));
      await keep(becomes("reminder", 2_000));
      const { at, incident } = opens(id, []);
      expect([...(await alerts.incidents.turns([before.number, 999_999]))]).toEqual([
        [
          before.number,
          [
            { kind: "opened", severity: incident.severity, at },
            { kind: "eased", severity: "degraded", at: at + 1_000 },
          ],
        ],
      ]);
    });
    test("of a place or an agent is read with its last words, while it is open", async () => {
      const said = (message: string): Snapshot => ({ ...agentSnapshot, message });
      const fault = (id: number, message: string): IncidentChange => {
        const change = opens(id, []);
        const incident = { ...change.incident, subject: { kind: "agent", id } as const };
        return { ...change, incident, snapshot: said(message) };
      };
      // The others are those of tests before this one.
      const faults = async () =>
        (await alerts.incidents.ongoing(["vantage", "agent"], 99))
          .filter(({ incident }) => [71, 72].includes(incident.subject.id))
          .map(({ incident, last, isReminded }) => [
            incident.subject.id,
            last.of === "agent" ? last.message : last.of,
            isReminded,
          ]);
      expect(await faults()).toEqual([]);
      await keep(fault(71, "it drops results"), fault(72, "its clock is off"));
      const [before] = await alerts.incidents.newest("agent", [72]);
      const reminder = { kind: "reminder", to: { are: "channels", channels: [] } } as const;
      const again = { ...fault(72, "it is off still"), incident: before!, events: [reminder] };
      await keep(again);
      expect(await faults()).toEqual([
        [71, "it drops results", false],
        [72, "it is off still", true],
      ]);
      const ended = { at: slotAfter(1), because: "recovered" } as const;
      const over = { kind: "closed", to: reminder.to } as const;
      await keep({ ...again, incident: { ...before!, ended }, events: [over] });
      expect(await faults()).toEqual([[71, "it drops results", false]]);
    });
    test("that a person acknowledged stays so until it is worse than it was then", async () => {
      const id = await monitor();
      await keep(opens(id, []));
      const { number } = await newest(id);
      const to = { are: "channels", channels: [] } as const;
      const [degraded, error] = [{ severity: "degraded" }, { severity: "error" }] as const;
      const acknowledged = { at: slotAfter(2), by: "key 3", ...error };
      expect(await alerts.incidents.acknowledge(number, slotAfter(2), "key 3")).toMatchObject({
        acknowledged,
      });
      expect(await alerts.incidents.acknowledge(number, slotAfter(3), "key 4")).toMatchObject({
        acknowledged,
      });
      await happens(id, { kind: "eased", to }, degraded);
      await happens(id, { kind: "worsened", to }, error);
      expect((await newest(id)).acknowledged).toEqual(acknowledged);
      await happens(id, { kind: "eased", to }, degraded);
      await alerts.incidents.takeBack(number, slotAfter(4), "key 3");
      await alerts.incidents.acknowledge(number, slotAfter(4), "key 3");
      expect((await newest(id)).acknowledged).toMatchObject(degraded);
      await happens(id, { kind: "worsened", to }, error);
      expect((await newest(id)).acknowledged).toBeNull();
      const ended = { at: slotAfter(1), because: "recovered" } as const;
      await happens(id, { kind: "closed", to: { are: "notified", except: [] } }, { ended });
      expect(await alerts.incidents.acknowledge(number, noon, "key 3")).toBeNull();
      const story = await alerts.incidents.story(number);
      expect(story?.events.map(({ kind }) => kind)).toEqual(
        "opened acknowledged eased worsened eased taken_back acknowledged worsened closed".split(
          " ",
        ),
      );
    });
    test("that a person acknowledged is so no more when it opens again, also as flapping, and stays so while it flaps", async () => {
      const id = await monitor();
      await keep(opens(id, []));
      const to = { are: "channels", channels: [] } as const;
      const { number } = await newest(id);
      for (const kind of ["reopened", "flapping"] as const) {
        await alerts.incidents.acknowledge(number, slotAfter(2), "ann");
        const ended = { at: slotAfter(2), because: "recovered" } as const;
        await happens(id, { kind: "closed", to }, { ended });
        expect((await newest(id)).acknowledged).not.toBeNull();
        await happens(id, { kind, to }, { ended: null });
        expect((await newest(id)).acknowledged).toBeNull();
      }
      await alerts.incidents.acknowledge(number, slotAfter(3), "ann");
      for (const kind of ["flapping", "came_up", "went_down"] as const)
        await happens(id, { kind, to });
      const made = { at: slotAfter(3), by: "ann", severity: "error" };
      expect((await newest(id)).acknowledged).toEqual(made);
    });
    test("that a person acknowledged is so no more once one takes it back, and its story says who did both", async () => {
      const id = await monitor();
      await keep(opens(id, []));
      const { number } = await newest(id);
      const { incidents } = alerts;
      // Of one that no one has acknowledged, there is nothing to take back, and nothing is told.
      expect(await incidents.takeBack(number, slotAfter(1), "bob")).toEqual(await newest(id));
      await incidents.acknowledge(number, slotAfter(2), "ann");
      expect(await incidents.takeBack(number, slotAfter(3), "bob")).toMatchObject({
        number,
        acknowledged: null,
      });
      expect((await newest(id)).acknowledged).toBeNull();
      await incidents.acknowledge(number, slotAfter(4), "cy");
      const ended = { at: slotAfter(5), because: "recovered" } as const;
      await happens(id, { kind: "closed", to: { are: "notified", except: [] } }, { ended });
      expect(await incidents.takeBack(number, slotAfter(6), "bob")).toBeNull();
      expect(await incidents.takeBack(987_654, slotAfter(6), "bob")).toBeNull();
      const story = await incidents.story(number);
      expect(story?.events.map(({ kind, by }) => `${kind} ${by}`.trim())).toEqual([
        "opened",
        "acknowledged ann",
        "taken_back bob",
        "acknowledged cy",
        "closed",
      ]);
    });
    test("is acknowledged with others in one act, which leaves out those that are over or acknowledged", async () => {
      const ids = [await monitor(), await monitor(), await monitor()] as const;
      for (const id of ids) await keep(opens(id, []));
      const [one, other, over] = await Promise.all(
        ids.map(async (id) => (await newest(id)).number),
      );
      const ended = { at: slotAfter(1), because: "recovered" } as const;
      await happens(ids[2], { kind: "closed", to: { are: "notified", except: [] } }, { ended });
      await alerts.incidents.acknowledge(one ?? 0, slotAfter(2), "key 3");
      const all = [over ?? 0, other ?? 0, one ?? 0, 987_654];
      const before = await alerts.incidents.openCount();
      expect(await alerts.incidents.acknowledgeEach(all, slotAfter(3), "key 4")).toBe(1);
      const { open, acknowledged } = await alerts.incidents.openCount();
      expect(open).toBe(before.open);
      expect(acknowledged).toBe(before.acknowledged + 1);
      expect((await newest(ids[0])).acknowledged).toMatchObject({ at: slotAfter(2), by: "key 3" });
      expect((await newest(ids[1])).acknowledged).toMatchObject({ at: slotAfter(3), by: "key 4" });
      expect((await newest(ids[2])).acknowledged).toBeNull();
    });
    test("is acknowledged no more with others whose act is undone, which leaves what others acknowledged", async () => {
      const ids = [await monitor(), await monitor(), await monitor()] as const;
      for (const id of ids) await keep(opens(id, []));
      const [one = 0, other = 0, over = 0] = await Promise.all(
        ids.map(async (id) => (await newest(id)).number),
      );
      const { incidents } = alerts;
      const all = [over, other, one, 987_654];
      expect(await incidents.acknowledgeEach(all, slotAfter(1), "ann")).toBe(3);
      // A person took this one back and acknowledged it again.
      await incidents.takeBack(other, slotAfter(2), "ann");
      await incidents.acknowledge(other, slotAfter(2), "ann");
      const ended = { at: slotAfter(2), because: "recovered" } as const;
      await happens(ids[2], { kind: "closed", to: { are: "notified", except: [] } }, { ended });
      const made = { at: slotAfter(1), by: "ann" };
      const byOther = { ...made, by: "bob" };
      expect(await incidents.takeBackEach(all, byOther, slotAfter(3), "bob")).toBe(0);
      expect(await incidents.takeBackEach(all, made, slotAfter(3), "bob")).toBe(1);
      expect((await newest(ids[0])).acknowledged).toBeNull();
      expect((await newest(ids[1])).acknowledged).toMatchObject({ at: slotAfter(2), by: "ann" });
      const story = await incidents.story(one);
      expect(story?.events.map(({ kind, by }) => `${kind} ${by}`.trim())).toEqual([
        "opened",
        "acknowledged ann",
        "taken_back bob",
      ]);
      expect(await incidents.takeBackEach(all, made, slotAfter(4), "bob")).toBe(0);
    });
    test("has what people wrote about it, the oldest first, and an incident that is not there has nothing", async () => {
      const id = await monitor();
      await keep(opens(id, []));
      const { number } = await newest(id);
      const { comments } = alerts;
      const first = { at: slotAfter(1), author: "ann", who: "account 1", message: "I look\nnow" };
      const second = { at: slotAfter(2), author: "ops", who: "key 3", message: "the disk is full" };
      expect(await comments.add(number, first)).toBe(true);
      expect(await comments.add(number, second)).toBe(true);
      expect(await comments.add(999_999, first)).toBe(false);
      const unedited = { id: expect.any(Number), editedAt: null, edits: 0 };
      const written = [
        { ...first, ...unedited },
        { ...second, ...unedited },
      ];
      expect(await comments.of(number)).toEqual(written);
      expect(await comments.of(999_999)).toEqual([]);
    });
    test("has a comment as it was edited, without one that was deleted, and with it again once it is put back", async () => {
      const id = await monitor();
      await keep(opens(id, []));
      const { number } = await newest(id);
      const { comments } = alerts;
      for (const message of ["one", "two"])
        await comments.add(number, { at: slotAfter(1), author: "ann", who: "account 1", message });
      const [one, two] = await comments.of(number);
      const edit = (message: string) => comments.edit(number, one?.id ?? 0, message, slotAfter(2));
      expect(await edit("one")).toBe(true);
      expect(await comments.of(number)).toEqual([one, two]);
      expect(await edit("once more")).toBe(true);
      const edited = { ...one, message: "once more", editedAt: slotAfter(2), edits: 1 };
      expect(await comments.of(number)).toEqual([edited, two]);
      expect(await comments.edit(number + 1, one?.id ?? 0, "of another", slotAfter(2))).toBe(false);
      const removed = await comments.remove(number, one?.id ?? 0);
      expect(removed).toEqual(edited);
      expect(await comments.remove(number, one?.id ?? 0)).toBeNull();
      expect(await comments.of(number)).toEqual([two]);
      if (removed === null) throw new Error("nothing was removed");
      expect(await comments.putBack(number, removed)).toBe(true);
      expect(await comments.putBack(number, removed)).toBe(false);
      expect(await comments.putBack(999_999, removed)).toBe(false);
      expect(await comments.of(number)).toEqual([edited, two]);
    });
    test("is an orphan once its monitor was deleted, and all open ones of one cause are known", async () => {
      const [one, other] = [await monitor(), await monitor()];
      const cause = "77 connection_refused connect";
      const opened = opens(one, []);
      const passing = { ...opened.incident, passedSince: slotAfter(1) };
      await keep({ ...opened, incident: passing, cause }, { ...opens(other, []), cause });
      const [first, second] = [(await newest(one)).number, (await newest(other)).number];
      await alerts.incidents.acknowledge(second, slotAfter(1), "ann");
      const ofOther = { number: second, isAcknowledged: true, isFailing: true };
      expect(await alerts.incidents.causes([cause])).toEqual(
        new Map([[cause, [{ number: first, isAcknowledged: false, isFailing: false }, ofOther]]]),
      );
      const { total } = await alerts.incidents.list(everyIncident);
      await store.state.monitors.delete(one);
      expect(await alerts.incidents.orphans(10)).toEqual([]);
      const counted = await alerts.incidents.list({ ...everyIncident, limit: 0 });
      expect(counted).toEqual({ incidents: [], total: total - 1 });
      expect(await alerts.incidents.causes([cause])).toEqual(new Map([[cause, [ofOther]]]));
      await store.trash.purge(epochMillis(Number.MAX_SAFE_INTEGER));
      const orphans = await alerts.incidents.orphans(10);
      expect(orphans.map(({ incident }) => incident.subject.id)).toEqual([one]);
    });
  });

  describe("a channel", () => {
    test("is one replica's at a time, and another's when the lease has ended or was given back", async () => {
      const own = channel();
      await keep(opens(await monitor(), [own]));
      expect(await alerts.deliveries.due(noon)).toContain(own);
      expect(await alerts.deliveries.claim("a", own, minutes(5))).not.toBeNull();
      expect(await alerts.deliveries.claim("b", own, minutes(5))).toBeNull();
      expect(await alerts.deliveries.due(noon)).not.toContain(own);
      await alerts.deliveries.release("a", own);
      expect(await alerts.deliveries.claim("b", own, millis(0))).not.toBeNull();
      expect(await alerts.deliveries.settle("b", { ...nothing, channel: own })).toBe(false);
      expect(await alerts.deliveries.claim("a", own, minutes(5))).not.toBeNull();
    });
    test("claimed by many at once is claimed by one", async () => {
      const own = channel();
      await keep(opens(await monitor(), [own]));
      const all = ["a", "b", "c", "d", "e"].map((one) =>
        alerts.deliveries.claim(one, own, minutes(5)),
      );
      expect((await Promise.all(all)).filter((claim) => claim !== null)).toHaveLength(1);
    });
    test("gets the waiting messages, and those sent before", async () => {
      const [own, id] = [channel(), await monitor()];
      await keep(opens(id, [own]));
      const first = await alerts.deliveries.claim("a", own, minutes(5));
      expect(first).toMatchObject({ lane: laneAtFirst, recent: [], accepted: [] });
      const [waiting] = first?.queues[0]?.waiting ?? [];
      expect(waiting).toMatchObject({ event: 1, kind: "opened", attempts: 0, held: null });
      const attempted = [{ ids: [waiting!.id], triedAt: noon, fate: sentNow }];
      const recent = [{ at: noon, isDigest: false, cause: "" }];
      const lane = { ...laneAtFirst, failures: 0 };
      expect(
        await alerts.deliveries.settle("a", { ...nothing, channel: own, attempted, recent, lane }),
      ).toBe(true);
      expect((await alerts.deliveries.claim("a", own, minutes(5)))?.queues).toEqual([]);
      const ended = { at: slotAfter(1), because: "recovered" } as const;
      await happens(id, { kind: "closed", to: { are: "notified", except: [] } }, { ended });
      const second = await alerts.deliveries.claim("a", own, minutes(5));
      expect(second?.recent).toEqual(recent);
      expect(second?.queues[0]?.sent).toMatchObject({ kind: "opened", at: noon, together: 1 });
      expect([...(second?.references ?? [])][0]?.[1]).toBe("m1");
    });
    test("that failed rests, keeps what was tried, and has it tried again once it takes messages", async () => {
      const own = channel();
      await keep(opens(await monitor(), [own]), opens(await monitor(), [own]));
      const claim = await alerts.deliveries.claim("a", own, minutes(5));
      const [one, other] = claim?.queues.map(({ waiting }) => waiting[0]!.id) ?? [];
      const waits = { is: "waiting", retryAt: slotAfter(50), message: "503" } as const;
      const fate = { ...waits, isInDoubt: false };
      const failing = { since: noon, message: "503" };
      const resting = {
        failures: 5,
        restUntil: slotAfter(2),
        failing,
        isDisabled: false,
        refusals: 2,
      };
      const attempted = [{ ids: [one!], triedAt: noon, fate }];
      await alerts.deliveries.settle("a", { ...nothing, channel: own, lane: resting, attempted });
      await alerts.deliveries.release("a", own);
      expect(await alerts.deliveries.due(slotAfter(1))).not.toContain(own);
      expect(await alerts.deliveries.due(slotAfter(2))).toContain(own);
      expect((await alerts.deliveries.lanes([own])).get(own)).toEqual(resting);
      const again = await alerts.deliveries.claim("a", own, minutes(5));
      expect(again?.queues[0]?.waiting[0]).toMatchObject({
        attempts: 1,
        firstTriedAt: noon,
        retryAt: slotAfter(50),
        held: "retry",
      });
      const passed = [{ ids: [other!], triedAt: noon, fate: sentNow }];
      await alerts.deliveries.settle("a", {
        ...nothing,
        channel: own,
        lane: laneAtFirst,
        attempted: passed,
      });
      const third = await alerts.deliveries.claim("a", own, minutes(5));
      expect(third?.queues[0]?.waiting[0]?.retryAt).toBeNull();
    });
    test("holds and drops with a reason, and a dropped delivery can be tried again; a sent one cannot", async () => {
      const [own, id] = [channel(), await monitor()];
      await keep(opens(id, [own]));
      const claim = await alerts.deliveries.claim("a", own, minutes(5));
      const delivery = claim?.queues[0]?.waiting[0]?.id ?? 0;
      const held = [{ id: delivery, reason: "silence", dueAt: slotAfter(9) }] as const;
      await alerts.deliveries.settle("a", { ...nothing, channel: own, held });
      await alerts.deliveries.release("a", own);
      expect(await alerts.deliveries.due(slotAfter(8))).not.toContain(own);
      // Written by a clock that was hours ahead.
      expect(await alerts.deliveries.due(epochMillis(slotAfter(9) - hours(3)))).toContain(own);
      await alerts.deliveries.claim("a", own, minutes(5));
      const dropped = [{ id: delivery, reason: "silenced" }] as const;
      await alerts.deliveries.settle("a", { ...nothing, channel: own, dropped });
      const asked = { channel: own, incident: null, state: null, limit: 1, offset: 0 };
      const row = (await alerts.deliveries.list(asked)).deliveries[0];
      expect(row).toMatchObject({ state: "dropped", reason: "silenced", settledAt: noon });
      expect(await alerts.deliveries.retry(delivery, slotAfter(3))).toBe("due");
      expect((await alerts.deliveries.list(asked)).deliveries[0]?.state).toBe("waiting");
      const attempted = [{ ids: [delivery], triedAt: noon, fate: sentNow }];
      await alerts.deliveries.settle("a", { ...nothing, channel: own, attempted });
      expect(await alerts.deliveries.retry(delivery, noon)).toBe("taken");
      expect(await alerts.deliveries.retry(999_999, noon)).toBeNull();
    });
    test("tries an alert again with its end, and not once it has taken the end", async () => {
      const [own, id] = [channel(), await monitor()];
      await keep(opens(id, [own]));
      const ended = { at: slotAfter(1), because: "recovered" } as const;
      const to = { are: "channels", channels: [own] } as const;
      await happens(id, { kind: "closed", to }, { ended });
      const claimed = async (): Promise<readonly number[]> => {
        const claim = await alerts.deliveries.claim("a", own, minutes(5));
        return claim?.queues.flatMap(({ waiting }) => waiting.map((one) => one.id)) ?? [];
      };
      const both = await claimed();
      const dropped = both.map((one) => ({ id: one, reason: "over" }) as const);
      await alerts.deliveries.settle("a", { ...nothing, channel: own, dropped });
      expect(await claimed()).toEqual([]);
      const [alert = 0, end = 0] = both;
      expect(await alerts.deliveries.retry(alert, noon)).toBe("due");
      expect(await claimed()).toEqual(both);
      const attempted = [{ ids: [end], triedAt: noon, fate: sentNow }];
      await alerts.deliveries.settle("a", { ...nothing, channel: own, attempted });
      const claim = await alerts.deliveries.claim("a", own, minutes(5));
      expect(claim?.queues[0]?.sent).toMatchObject({ event: 2, kind: "closed" });
      expect(await alerts.deliveries.retry(alert, noon)).toBe("overtaken");
    });
    test("keeps that a message was sent after its claim was lost, and nothing else", async () => {
      const own = channel();
      await keep(opens(await monitor(), [own]));
      const claim = await alerts.deliveries.claim("a", own, millis(0));
      const id = claim?.queues[0]?.waiting[0]?.id ?? 0;
      await alerts.deliveries.claim("b", own, minutes(5));
      const settlement = {
        ...nothing,
        channel: own,
        lane: { ...laneAtFirst, failures: 9 },
        attempted: [{ ids: [id], triedAt: noon, fate: sentNow }],
      };
      expect(await alerts.deliveries.settle("a", settlement)).toBe(false);
      expect((await alerts.deliveries.lanes([own])).get(own)?.failures).toBe(0);
      const asked = { channel: own, incident: null, state: "sent", limit: 1, offset: 0 } as const;
      expect((await alerts.deliveries.list(asked)).total).toBe(1);
    });
    test("is in doubt from the beginning of an attempt until it certainly came to nothing", async () => {
      const own = channel();
      await keep(opens(await monitor(), [own]));
      const claim = await alerts.deliveries.claim("a", own, minutes(5));
      const id = claim?.queues[0]?.waiting[0]?.id ?? 0;
      const doubted = async (): Promise<boolean | undefined> =>
        (await alerts.deliveries.claim("a", own, minutes(5)))?.queues[0]?.waiting[0]?.isInDoubt;
      const settled = async (isInDoubt: boolean): Promise<boolean | undefined> => {
        const waits = { is: "waiting", retryAt: noon, message: "503" } as const;
        const attempted = [{ ids: [id], triedAt: noon, fate: { ...waits, isInDoubt } }];
        await alerts.deliveries.settle("a", { ...nothing, channel: own, attempted });
        return doubted();
      };
      expect(await doubted()).toBe(false);
      expect(await alerts.deliveries.begin("b", own, [id], "")).toBe(false);
      expect(await doubted()).toBe(false);
      expect(await alerts.deliveries.begin("a", own, [id], "Down: shop")).toBe(true);
      expect(await doubted()).toBe(true);
      expect(await settled(false)).toBe(false);
      await alerts.deliveries.begin("a", own, [id], "Down: shop");
      expect(await settled(true)).toBe(true);
      await alerts.deliveries.begin("a", own, [id], "Down: shop, again");
      expect(await settled(false)).toBe(true);
      const asked = { channel: own, incident: null, state: null, limit: 1, offset: 0 };
      const [row] = (await alerts.deliveries.list(asked)).deliveries;
      expect(row?.said).toBe("Down: shop, again");
    });
    test("that was dropped in doubt is followed by its end, and one that certainly came to nothing is not", async () => {
      const dropped = { is: "dropped", reason: "refused", message: "400" } as const;
      const ends = async (lost: boolean, refused: boolean) => {
        const [own, id] = [channel(), await monitor()];
        await keep(opens(id, [own]));
        const claimed = async () => (await alerts.deliveries.claim("a", own, minutes(5)))?.queues;
        const ids = [(await claimed())?.[0]?.waiting[0]?.id ?? 0];
        const waits = { is: "waiting", retryAt: noon, message: "", isInDoubt: lost } as const;
        for (const fate of [waits, { ...dropped, isInDoubt: !refused }]) {
          await alerts.deliveries.begin("a", own, ids, "Down: shop");
          const attempted = [{ ids, triedAt: noon, fate }];
          await alerts.deliveries.settle("a", { ...nothing, channel: own, attempted });
        }
        const ended = { at: slotAfter(1), because: "recovered" } as const;
        await happens(id, { kind: "closed", to: { are: "notified", except: [] } }, { ended });
        return claimed();
      };
      const end = { waiting: [{ kind: "closed" }], sent: null, droppedInDoubt: ["opened"] };
      expect(await ends(true, true)).toMatchObject([end]);
      expect(await ends(false, false)).toMatchObject([end]);
      expect(await ends(false, true)).toEqual([]);
    });
    test("no longer doubts what was dropped before the last that was taken", async () => {
      const [own, id] = [channel(), await monitor()];
      await keep(opens(id, [own]));
      const to = { are: "channels", channels: [own] } as const;
      await happens(id, { kind: "worsened", to });
      await happens(id, { kind: "reminder", to });
      const claimed = async () => (await alerts.deliveries.claim("a", own, minutes(5)))?.queues[0];
      const [first = 0, second = 0] = (await claimed())?.waiting.map((one) => one.id) ?? [];
      await alerts.deliveries.begin("a", own, [first], "Down: shop");
      const dropped = [{ id: first, reason: "nothing_changed" } as const];
      await alerts.deliveries.settle("a", { ...nothing, channel: own, dropped });
      expect(await claimed()).toMatchObject({ sent: null, droppedInDoubt: ["opened"] });
      const attempted = [{ ids: [second], triedAt: noon, fate: sentNow }];
      await alerts.deliveries.settle("a", { ...nothing, channel: own, attempted });
      expect(await claimed()).toMatchObject({ sent: { event: 2 }, droppedInDoubt: [] });
    });
    test("counts messages to phones by their month", async () => {
      const used = (month: string): Promise<number> => alerts.deliveries.phonesUsed(month);
      expect(await used("2026-08")).toBe(0);
      await alerts.deliveries.usePhone("2026-08");
      await alerts.deliveries.usePhone("2026-08");
      expect(await used("2026-08")).toBe(2);
      expect(await used("2026-09")).toBe(0);
    });
    test("shares a bucket with every replica", async () => {
      const pace = { burst: 2, span: seconds(1) };
      const take = (): Promise<number | null> => alerts.deliveries.token("slack", pace, noon);
      const all = await Promise.all([take(), take(), take(), take()]);
      expect(all.filter((waits) => waits === null)).toHaveLength(2);
      expect(all.filter((waits) => waits === noon + 1_000)).toHaveLength(2);
    });
  });

  test("what was notified of an open incident is known with when; what is over and old is forgotten", async () => {
    const [own, id] = [channel(), await monitor()];
    await keep(opens(id, [own]));
    expect(await alerts.deliveries.oldestWaiting()).not.toBeNull();
    const claim = await alerts.deliveries.claim("a", own, minutes(5));
    const ids = [claim?.queues[0]?.waiting[0]?.id ?? 0];
    const attempted = [{ ids, triedAt: noon, fate: sentNow }];
    await alerts.deliveries.settle("a", { ...nothing, channel: own, attempted });
    const own2 = async (): Promise<readonly unknown[]> =>
      (await alerts.deliveries.sent(1_000)).filter((one) => one.channel === own);
    expect(await own2()).toMatchObject([{ channel: own, sentAt: noon, name: "shop" }]);
    expect(await alerts.deliveries.forget(slotAfter(9))).toBe(false);
    expect(await own2()).toHaveLength(1);
    const ended = { at: slotAfter(1), because: "recovered" } as const;
    await happens(id, { kind: "closed", to: { are: "channels", channels: [] } }, { ended });
    expect(await own2()).toEqual([]);
    await alerts.deliveries.forget(slotAfter(9));
    const asked = { channel: own, incident: null, state: null, limit: 9, offset: 0 };
    expect((await alerts.deliveries.list(asked)).total).toBe(0);
  });

  test("the last test of a channel is kept while its day is, whether it failed, and without any delivery", async () => {
    const own = channel();
    const lastTest = async (): Promise<unknown> =>
      (await alerts.deliveries.standing([own])).get(own)?.lastTest ?? null;
    expect(await lastTest()).toBeNull();
    await alerts.deliveries.tested(own, { at: noon, trouble: "" });
    await alerts.deliveries.tested(own, { at: slotAfter(1), trouble: "it was refused" });
    expect(await lastTest()).toEqual({ at: slotAfter(1), trouble: "it was refused" });
    await alerts.deliveries.forget(slotAfter(1));
    expect(await lastTest()).not.toBeNull();
    await alerts.deliveries.forget(slotAfter(9));
    expect(await lastTest()).toBeNull();
  });

  test("a silence lasts until its end, which may be put off while it lasts, or until it is ended", async () => {
    const made = {
      monitors: [1],
      locations: [2],
      labels: { team: "shop" },
      reason: "known",
      by: "key 3",
      from: noon,
      until: slotAfter(10),
    };
    const id = await alerts.silences.create(made);
    expect(await alerts.silences.list(slotAfter(9))).toContainEqual({ ...made, id });
    expect(await alerts.silences.list(slotAfter(10))).toEqual([]);
    expect(await alerts.silences.extend(id, slotAfter(10), slotAfter(5))).toBe(false);
    expect(await alerts.silences.extend(id, slotAfter(20), slotAfter(5))).toBe(true);
    expect(await alerts.silences.list(slotAfter(10))).toEqual([
      { ...made, id, until: slotAfter(20) },
    ]);
    expect(await alerts.silences.extend(id, slotAfter(30), slotAfter(20))).toBe(false);
    expect(await alerts.silences.end(id, slotAfter(5))).toBe(true);
    expect(await alerts.silences.end(id, slotAfter(5))).toBe(false);
    expect(await alerts.silences.list(slotAfter(5))).toEqual([]);
    // An end is put back once, by whoever saw it as it is.
    const back = { seen: slotAfter(5), to: slotAfter(20) };
    expect(await alerts.silences.putBack(id, back)).toBe(true);
    expect(await alerts.silences.putBack(id, back)).toBe(false);
    expect(await alerts.silences.list(slotAfter(10))).toEqual([
      { ...made, id, until: slotAfter(20) },
    ]);
    expect(await alerts.silences.end(id, slotAfter(5))).toBe(true);
  });

  const work: Omit<NewMaintenance, "to"> = {
    title: "update",
    message: "of the router",
    from: noon,
    recurrence: "",
    timeZone: "UTC",
    page: "4",
    components: ["5"],
    monitors: [1],
    locations: [],
    owner: "",
    notify: false,
    at: noon,
  };

  test("a maintenance is made, changed, listed by page, and current while it may have a window", async () => {
    const made: NewMaintenance = { ...work, to: slotAfter(10) };
    const { at, ...facts } = made;
    const id = await alerts.maintenances.create(made, false);
    expect(await alerts.maintenances.get(id)).toEqual({
      ...facts,
      id,
      says: { reminder: false, times: false },
      createdAt: at,
      updatedAt: at,
      plannedAt: at,
      earlierPlans: [],
      movedEnds: [],
    });
    const later = { ...made, page: "", recurrence: "FREQ=DAILY", at: slotAfter(1) };
    expect(await alerts.maintenances.update(id, later, false)).toBe(true);
    expect(await alerts.maintenances.update(999_999, later, false)).toBe(false);
    const once = await alerts.maintenances.create(made, false);
    const current = async (when: number): Promise<readonly number[]> =>
      (await alerts.maintenances.between(epochMillis(when), epochMillis(when))).map(
        (one) => one.id,
      );
    expect(await current(slotAfter(1))).toEqual([id, once]);
    expect(await current(slotAfter(20))).toEqual([id]);
    expect(await current(slotAfter(-1))).toEqual([]);
    const page = { limit: 10, offset: 0 };
    expect((await alerts.maintenances.list("4", page)).maintenances.map((one) => one.id)).toEqual([
      once,
    ]);
    expect((await alerts.maintenances.list(null, page)).total).toBe(2);
    expect(await alerts.maintenances.delete(id)).toBe(true);
    expect(await alerts.maintenances.delete(id)).toBe(false);
    expect(await alerts.maintenances.get(id)).toBeNull();
  });

  test("what a maintenance was planned as before is kept with the time for which it held", async () => {
    const made: NewMaintenance = { ...work, to: slotAfter(10) };
    const { maintenances } = alerts;
    const id = await maintenances.create(made, false);
    const before = async (): Promise<unknown> => {
      const row = await maintenances.get(id);
      return [row?.plannedAt, row?.earlierPlans];
    };
    await maintenances.update(id, { ...made, title: "by Ben", at: slotAfter(1) }, false);
    expect(await before()).toEqual([noon, []]);
    const earlier = { ...made, from: slotAfter(-60), at: slotAfter(2) };
    await maintenances.update(id, earlier, false);
    const { from, to, recurrence, timeZone, page, components } = made;
    const first = { from, to, recurrence, timeZone, page, components };
    const held = { ...first, movedEnds: [], since: noon, until: slotAfter(2) };
    expect(await before()).toEqual([slotAfter(2), [held]]);
    const window = { from: slotAfter(-60), planned: to, seen: to };
    const moved = { ...window, to: slotAfter(20), isUndo: false, at: slotAfter(3) };
    expect(await maintenances.moveEnd(id, moved)).toBe(true);
    const second = { ...held, from: slotAfter(-60), since: slotAfter(2), until: slotAfter(3) };
    expect(await before()).toEqual([slotAfter(3), [held, second]]);
    await maintenances.update(id, { ...earlier, components: ["5", "6"], at: slotAfter(4) }, false);
    expect(await before()).toMatchObject([slotAfter(4), [held, second, { to: slotAfter(20) }]]);
  });

  test("the end of a maintenance is moved by itself, once, and only as it was seen", async () => {
    const made: NewMaintenance = { ...work, to: slotAfter(10) };
    const id = await alerts.maintenances.create(made, false);
    // Another person changes what it says meanwhile.
    await alerts.maintenances.update(id, { ...made, title: "by Ben", at: slotAfter(1) }, false);
    const window = { from: noon, planned: slotAfter(10), seen: slotAfter(10) };
    const moved = { ...window, to: slotAfter(20), isUndo: false, at: slotAfter(2) };
    const both = await Promise.all([
      alerts.maintenances.moveEnd(id, moved),
      alerts.maintenances.moveEnd(id, { ...moved, to: slotAfter(30) }),
    ]);
    expect(both.toSorted()).toEqual([false, true]);
    expect(await alerts.maintenances.get(id)).toMatchObject({
      title: "by Ben",
      to: both[0] ? slotAfter(20) : slotAfter(30),
      updatedAt: slotAfter(2),
    });
    const seen = both[0] ? slotAfter(20) : slotAfter(30);
    const empty = { ...window, seen, to: noon, isUndo: false, at: noon };
    expect(await alerts.maintenances.moveEnd(id, empty)).toBe(false);
    const kept = await alerts.maintenances.create({ ...made, owner: "team" }, false);
    expect(await alerts.maintenances.moveEnd(kept, moved)).toBe(false);
    // That one time of what repeats has another end is nothing that a file says.
    const daily = { ...made, owner: "team", recurrence: "FREQ=DAILY" };
    const repeats = await alerts.maintenances.create(daily, false);
    expect(await alerts.maintenances.moveEnd(repeats, moved)).toBe(true);
  });

  test("the beginning of a maintenance that happens once is moved, and only as it was seen", async () => {
    const { maintenances } = alerts;
    const made: NewMaintenance = { ...work, from: slotAfter(10), to: slotAfter(20) };
    const id = await maintenances.create(made, false);
    const moved = { seen: slotAfter(10), end: slotAfter(20), isUndo: false, at: slotAfter(2) };
    const both = await Promise.all([
      maintenances.moveBegin(id, { ...moved, from: slotAfter(1), to: slotAfter(11) }),
      maintenances.moveBegin(id, { ...moved, from: slotAfter(2), to: slotAfter(20) }),
    ]);
    expect(both.toSorted()).toEqual([false, true]);
    expect(await maintenances.get(id)).toMatchObject({
      from: both[0] ? slotAfter(1) : slotAfter(2),
      to: both[0] ? slotAfter(11) : slotAfter(20),
      plannedAt: slotAfter(2),
      earlierPlans: [],
    });
    const kept = await maintenances.create({ ...made, owner: "team" }, false);
    const early = { ...moved, from: slotAfter(1), to: slotAfter(11) };
    expect(await maintenances.moveBegin(kept, early)).toBe(false);
  });

  test("of what repeats, the next time alone begins early and is put back, and it is found before the first was to begin", async () => {
    const { maintenances } = alerts;
    const made = { ...work, from: slotAfter(100), to: slotAfter(110), recurrence: "FREQ=DAILY" };
    const id = await maintenances.create(made, false);
    const at = slotAfter(2);
    const [planned, early] = [
      { from: slotAfter(100), to: slotAfter(110) },
      { from: slotAfter(1), to: slotAfter(11) },
    ];
    const begin = { seen: planned.from, end: planned.to, ...early, isUndo: false, at };
    const later = { ...begin, from: slotAfter(50), to: slotAfter(60) };
    expect(await maintenances.moveBegin(id, later)).toBe(false);
    const both = await Promise.all([begin, begin].map((one) => maintenances.moveBegin(id, one)));
    expect(both.filter(Boolean)).toHaveLength(1);
    const kept = { from: planned.from, planned: planned.to, to: early.to, begins: early.from };
    // Others of this store may be under way at the same instant.
    const own = async (instant: EpochMillis) =>
      (await maintenances.between(instant, instant)).filter((one) => one.id === id);
    expect(await own(at)).toMatchObject([
      {
        id,
        from: planned.from,
        movedEnds: [kept],
        plannedAt: at,
        earlierPlans: [],
      },
    ]);
    const end = { from: early.from, planned: early.to, seen: early.to, at: slotAfter(3) };
    expect(await maintenances.moveEnd(id, { ...end, to: slotAfter(20), isUndo: false })).toBe(true);
    const undo = {
      seen: early.from,
      end: slotAfter(20),
      ...planned,
      isUndo: true,
      at: slotAfter(4),
    };
    expect(await maintenances.moveBegin(id, { ...undo, end: early.to })).toBe(false);
    expect(await maintenances.moveBegin(id, undo)).toBe(true);
    expect(await maintenances.get(id)).toMatchObject({ movedEnds: [] });
    expect(await own(slotAfter(5))).toEqual([]);
  });

  test("of what repeats, the end of one time is moved and put back, and the plan stays as it is", async () => {
    const { maintenances } = alerts;
    const made: NewMaintenance = { ...work, to: slotAfter(10), recurrence: "FREQ=DAILY" };
    const id = await maintenances.create(made, false);
    const time = { from: noon, planned: slotAfter(10) };
    const move = (seen: EpochMillis, to: EpochMillis, at: EpochMillis) =>
      maintenances.moveEnd(id, { ...time, seen, to, at, isUndo: false });
    const kept = async () => {
      const row = await maintenances.get(id);
      return [row?.to, row?.movedEnds, row?.plannedAt, row?.earlierPlans.length];
    };
    expect(await move(slotAfter(9), slotAfter(20), slotAfter(1))).toBe(false);
    expect(await move(slotAfter(10), noon, slotAfter(1))).toBe(false);
    expect(await move(slotAfter(10), slotAfter(20), slotAfter(1))).toBe(true);
    expect(await move(slotAfter(10), slotAfter(30), slotAfter(1))).toBe(false);
    const longer = { ...time, to: slotAfter(20) };
    expect(await kept()).toEqual([slotAfter(10), [longer], noon, 0]);
    expect(await move(slotAfter(20), slotAfter(2), slotAfter(2))).toBe(true);
    const early = { ...time, to: slotAfter(2) };
    expect(await kept()).toEqual([slotAfter(10), [early], noon, 0]);
    // What was planned while it had ended is kept as it was then.
    expect(await move(slotAfter(2), slotAfter(10), slotAfter(3))).toBe(true);
    expect(await kept()).toEqual([slotAfter(10), [], slotAfter(3), 1]);
    expect(await maintenances.get(id)).toMatchObject({
      earlierPlans: [{ movedEnds: [early], since: noon, until: slotAfter(3) }],
    });
  });

  test("a time that was ended early stays so when its work is edited, and one that was extended if its times stay", async () => {
    const { maintenances } = alerts;
    const made: NewMaintenance = { ...work, to: slotAfter(10), recurrence: "FREQ=DAILY" };
    for (const [to, stays] of [
      [slotAfter(2), true],
      [slotAfter(20), false],
    ] as const) {
      const id = await maintenances.create(made, false);
      const time = { from: noon, planned: slotAfter(10), to };
      const move = { ...time, seen: slotAfter(10), at: slotAfter(2), isUndo: false };
      expect(await maintenances.moveEnd(id, move)).toBe(true);
      await maintenances.update(id, { ...made, title: "by Ben", at: slotAfter(3) }, false);
      expect((await maintenances.get(id))?.movedEnds).toEqual([time]);
      await maintenances.update(id, { ...made, to: slotAfter(15), at: slotAfter(3) }, false);
      expect((await maintenances.get(id))?.movedEnds).toEqual(stays ? [time] : []);
      const old = await maintenances.get(id);
      expect(old?.earlierPlans.at(-1)?.movedEnds).toEqual([time]);
    }
  });

  describe("results", () => {
    test("say since when a location sees what it sees, late ones too, and how many checks failed", async () => {
      const { monitors, append, location } = await assigned(store);
      const id = monitors[0]!;
      const result = (slot: number, changes = {}) => someResult(id, slotAfter(slot), changes);
      const blameless = { ...failing, failure: { code: "agent_error", phase: "agent" } };
      await append(result(0), result(3, failing));
      const turn = async () => (await alerts.evidence.turns(id))[0];
      expect(await turn()).toEqual({
        location,
        wellSince: null,
        troubleSince: slotAfter(3) + 40,
        lastGoodAt: noon + 40,
      });
      await append(result(1, blameless), result(2, failing));
      expect(await turn()).toMatchObject({ troubleSince: slotAfter(2) + 40 });
      await append(result(6), result(5));
      expect(await turn()).toMatchObject({ troubleSince: null, wellSince: slotAfter(5) + 40 });
      expect(await failedChecks(alerts, id, noon, slotAfter(9))).toBe(2);
      // An incident begins with the start of its first check, some milliseconds after the slot: that one counts.
      const began = epochMillis(slotAfter(2) + 40);
      expect(await failedChecks(alerts, id, began, slotAfter(9))).toBe(2);
      expect(await failedChecks(alerts, id, epochMillis(began + 1), slotAfter(9))).toBe(1);
      const views = await store.results.views([id]);
      expect(views[0]?.seen?.recent).toEqual(["success", "success", "error", "success"]);
      await append(result(7, { status: "degraded" }));
      const asked = { monitor: id, from: began, to: slotAfter(20), period: seconds(30) };
      expect(await alerts.evidence.checked(asked)).toEqual({
        failed: 2,
        slow: 1,
        times: { slow: 30_000, unknown: 30_000 + slotAfter(20) - slotAfter(8) - 40 },
      });
    });
    test("of a location that is back say what was kept, and what was down meanwhile", async () => {
      const { monitors, append, location } = await assigned(store, 2);
      const [one, other] = [monitors[0]!, monitors[1]!];
      await append(
        someResult(one, slotAfter(1)),
        someResult(one, slotAfter(2), failing),
        someResult(one, slotAfter(3), failing),
        someResult(other, slotAfter(2)),
      );
      // Of a check that is made up for after the end, only the slot lies in it.
      const startedAt = slotAfter(10);
      await append(someResult(other, slotAfter(7), { ...failing, startedAt }));
      const failed = { from: after(slotAfter(2), millis(40)), to: after(slotAfter(3), millis(40)) };
      expect(await alerts.evidence.replay(location, noon, slotAfter(9))).toEqual([
        { monitor: one, results: 3, kept: 0, failed },
        { monitor: other, results: 2, kept: 0, failed: null },
      ]);
      const late = { location, storedAt: slotAfter(8), results: [someResult(other, slotAfter(4))] };
      await store.results.append(late);
      expect(await alerts.evidence.replay(location, noon, slotAfter(9))).toMatchObject([
        { monitor: one, kept: 0 },
        { monitor: other, results: 3, kept: 1 },
      ]);
    });
  });
}
