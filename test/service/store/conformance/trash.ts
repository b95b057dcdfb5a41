import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pageComponentsMax } from "#limits/status-limits";
import { channelId, type LocationId, type MonitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { actingAs } from "#service/store/audit/actor";
import { pageDefaults } from "#service/status-page/page-definition";
import { epochMillis, type EpochMillis, minutes, after } from "#base/units";
import { notedIncident } from "../../../support/noted-incident.ts";
import { someChannel } from "./channels.ts";
import {
  noon,
  type OpenFresh,
  slotAfter,
  someLocation,
  someMonitor,
  someResult,
  someToken,
} from "./scene.ts";

const justBefore = epochMillis(noon - 1);
const tenMinutesLater = after(noon, minutes(10));

/** What every engine says of what was deleted and can be put back. */
export function trashConforms(open: OpenFresh): void {
  let store: Store;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store[Symbol.asyncDispose]());

  const deleted = <T>(work: () => T, at: EpochMillis = noon): T =>
    actingAs({ kind: "person", name: "ann", from: "", at }, work);
  let slugs = 0;
  const newPage = async (sealed = ""): Promise<number> => {
    slugs += 1;
    const definition = { ...pageDefaults, title: "Acme", slug: `trash-${slugs}` };
    const page = { uid: definition.slug, definition, sealed, owner: "", labels: {}, at: noon };
    return Number(await store.pages.pages.create(page));
  };
  const component = async (
    page: number,
    monitor: MonitorId | null,
    group: number | null = null,
  ) => {
    const said = { name: "Shop", description: "", order: null, at: noon };
    return Number(await store.pages.components.create({ page, monitor, group, ...said }));
  };
  const newGroup = async (page: number, name: string, defaultOpen: boolean) =>
    Number(await store.pages.groups.create({ page, name, defaultOpen, createdAt: noon }));

  test("what one person deleted lately is found, the newest first, and nothing of anyone else", async () => {
    const make = () => store.state.monitors.create(someMonitor());
    const [old, one, other, ofBob] = [await make(), await make(), await make(), await make()];
    const times = { [old]: 60_000, [one]: 61_000, [other]: 62_000 };
    for (const id of [old, one, other])
      await deleted(() => store.state.monitors.delete(id), epochMillis(noon + (times[id] ?? 0)));
    const bob = { kind: "person", name: "bob", from: "", at: epochMillis(noon + 63_000) } as const;
    await actingAs(bob, () => store.state.monitors.delete(ofBob));
    const since = epochMillis(noon + 60_000);
    const found = await store.trash.recent("person ann", since, 10);
    expect(found).toEqual([
      {
        kind: "monitor",
        id: other,
        name: "shop",
        deletedAt: noon + 62_000,
        cancelled: null,
        page: null,
      },
      {
        kind: "monitor",
        id: one,
        name: "shop",
        deletedAt: noon + 61_000,
        cancelled: null,
        page: null,
      },
    ]);
    expect(await store.trash.recent("person ann", since, 2)).toHaveLength(1);
  });

  describe("a monitor that is deleted", () => {
    let monitor: MonitorId;
    let location: LocationId;
    let channel: number;
    let page: number;
    beforeAll(async () => {
      monitor = await store.state.monitors.create(someMonitor());
      location = await store.state.locations.create(
        someLocation({ monitors: [monitor] }),
        someToken(),
      );
      channel = await store.alerts.channels.create(someChannel({ monitors: [monitor] }));
      page = await newPage();
      await component(page, monitor);
      await store.results.append({
        location,
        storedAt: slotAfter(1),
        results: [someResult(monitor, slotAfter(0)), someResult(monitor, slotAfter(1))],
      });
    });

    test("says before what goes with it", async () => {
      expect(await store.trash.belongings("monitor", monitor)).toMatchObject({
        name: "shop",
        results: 2,
        incidents: 0,
        locations: 1,
        channels: 1,
        pages: 1,
      });
      expect(await store.trash.belongings("monitor", 999_999)).toBeNull();
    });
    test("is nowhere meanwhile, and its agents get it no more", async () => {
      const { revision } = (await store.state.locations.get(location)) ?? { revision: "" };
      await deleted(() => store.state.monitors.delete(monitor));
      expect(await store.state.monitors.get(monitor)).toBeNull();
      const at = await store.state.locations.get(location);
      expect(at?.monitors).toEqual([]);
      expect(at?.revision).not.toBe(revision);
      expect((await store.alerts.channels.get(channelId(channel)))?.monitors).toEqual([]);
      expect((await store.pages.pages.content(page))?.components).toEqual([]);
      expect(await store.trash.get("monitor", monitor, justBefore)).toEqual({
        kind: "monitor",
        id: monitor,
        name: "shop",
        deletedAt: noon,
        cancelled: null,
        page: null,
        by: "person ann",
        owner: "",
      });
    });
    test("keeps its results while old ones are forgotten", async () => {
      const never = epochMillis(0);
      while (
        await store.results.forget({ results: never, details: never, hours: never, days: never })
      );
      expect(await store.trash.restore("monitor", monitor, justBefore)).toBe("restored");
      const belongings = await store.trash.belongings("monitor", monitor);
      expect(belongings?.results).toBe(2);
    });
    test("is back whole: with its id, its locations, channels and pages, and is judged", async () => {
      expect((await store.state.monitors.get(monitor))?.locations).toEqual([location]);
      expect((await store.alerts.channels.get(channelId(channel)))?.monitors).toEqual([monitor]);
      const content = await store.pages.pages.content(page);
      expect(content?.components.map(({ monitor: shown }) => shown)).toEqual([monitor]);
      const due = await store.state.states.due(noon, { parts: 1, rests: [0] }, 1_000);
      expect(due).toContain(monitor);
      expect(await store.trash.restore("monitor", monitor, justBefore)).toBe("there");
    });
    test("comes back without a link to what was deleted meanwhile", async () => {
      await deleted(() => store.state.monitors.delete(monitor));
      await store.state.locations.delete(location);
      await store.pages.pages.delete(page);
      expect(await store.trash.restore("monitor", monitor, justBefore)).toBe("restored");
      expect((await store.state.monitors.get(monitor))?.locations).toEqual([]);
    });
    test("comes back without a component of a page that is full or of files", async () => {
      const [shown, files, full] = [
        await store.state.monitors.create(someMonitor()),
        await newPage(),
        await newPage(),
      ];
      const links = [await component(files, shown), await component(full, shown)];
      const places = () => Promise.all(links.map((id) => store.pages.components.get(id)));
      const before = await places();
      await deleted(() => store.state.monitors.delete(shown));
      expect(await places()).toEqual([null, null]);
      expect(await store.trash.restore("monitor", shown, justBefore)).toBe("restored");
      expect(await places()).toEqual(before);
      await deleted(() => store.configuration.own("page", files, "team-shop", ""));
      await deleted(() => store.state.monitors.delete(shown));
      for (let count = 0; count < pageComponentsMax; count += 1) await component(full, null);
      expect(await store.trash.restore("monitor", shown, justBefore)).toBe("partly");
      expect((await store.state.monitors.get(shown))?.id).toBe(shown);
      expect(await places()).toEqual([null, null]);
      expect(await store.pages.components.countOf(full)).toBe(pageComponentsMax);
      expect(await store.trash.restore("monitor", shown, justBefore)).toBe("there");
    });
    test("is purged after its time, once, and then cannot be put back", async () => {
      await deleted(() => store.state.monitors.delete(monitor));
      expect(await store.trash.restore("monitor", monitor, noon)).toBe("gone");
      expect(await store.trash.purge(epochMillis(tenMinutesLater - minutes(10) - 1))).toBe(false);
      expect(await store.trash.get("monitor", monitor, justBefore)).not.toBeNull();
      await Promise.all([store.trash.purge(noon), store.trash.purge(noon)]);
      expect(await store.trash.restore("monitor", monitor, justBefore)).toBe("gone");
    });
  });

  test("an incident of what is in the trash is in no list that does not ask for it, and is over in one that does", async () => {
    const id = await store.state.monitors.create(someMonitor());
    await store.alerts.incidents.note(notedIncident({ kind: "monitor", id }, noon));
    const listed = async (
      isOpen: boolean | null = null,
      withDeleted = false,
    ): Promise<readonly number[]> => {
      const asked = {
        isOpen,
        withDeleted,
        location: null,
        cause: null,
        before: null,
        limit: 9,
        offset: 0,
      };
      const about = { kind: "monitor", subject: id } as const;
      const { incidents } = await store.alerts.incidents.list({ ...asked, ...about });
      return incidents.map(({ incident }) => incident.number);
    };
    const [number = 0] = await listed();
    expect([await listed(true, true), await listed(false, true)]).toEqual([[number], []]);
    await deleted(() => store.state.monitors.delete(id));
    expect(await listed()).toEqual([]);
    expect([await listed(true, true), await listed(false, true)]).toEqual([[], [number]]);
    expect((await store.alerts.incidents.story(number))?.incident.subject.id).toBe(id);
    expect(await store.trash.restore("monitor", id, justBefore)).toBe("restored");
    expect(await listed()).toEqual([number]);
  });

  test("a location comes back with its sealed token, its monitors and what it saw, and its monitors are judged", async () => {
    const monitor = await store.state.monitors.create(someMonitor());
    const token = someToken();
    const wanted = someLocation({ name: "Berlin", monitors: [monitor] });
    const id = await store.state.locations.create(wanted, token);
    const results = [someResult(monitor, slotAfter(0))];
    await store.results.append({ location: id, storedAt: slotAfter(1), results });
    const before = await store.state.locations.get(id);
    await deleted(() => store.state.locations.delete(id));
    expect(await store.state.locations.get(id)).toBeNull();
    expect(await store.state.locations.ofToken(token.hash)).toBeNull();
    expect(await store.trash.get("location", id, justBefore)).toMatchObject({ name: "Berlin" });
    const never = epochMillis(0);
    while (
      await store.results.forget({ results: never, details: never, hours: never, days: never })
    );
    expect(await store.trash.restore("location", id, justBefore)).toBe("restored");
    const after = await store.state.locations.get(id);
    expect(after).toEqual({ ...before, revision: after?.revision });
    expect(after?.revision).not.toBe(before?.revision);
    expect((await store.state.locations.ofToken(token.hash))?.id).toBe(id);
    const tokens = await store.state.locations.tokens(id, noon);
    expect(tokens.map(({ sealed }) => sealed)).toEqual([token.sealed]);
    expect(await store.trash.belongings("location", id)).toMatchObject({ results: 1, monitors: 1 });
    const due = await store.state.states.due(noon, { parts: 1, rests: [0] }, 1_000);
    expect(due).toContain(monitor);
    await deleted(() => store.state.locations.delete(id));
    await store.trash.purge(noon);
    expect(await store.trash.restore("location", id, justBefore)).toBe("gone");
  });
  test("a channel comes back with its sealed configuration, its rules, its monitors and its last test", async () => {
    const monitor = await store.state.monitors.create(someMonitor());
    const id = await store.alerts.channels.create(someChannel({ monitors: [monitor] }));
    const before = await store.alerts.channels.get(id);
    const lastTest = { at: epochMillis(1_000), trouble: "the provider answers 403" };
    await store.alerts.deliveries.tested(id, lastTest);
    await deleted(() => store.alerts.channels.delete(id));
    expect(await store.alerts.channels.get(id)).toBeNull();
    expect(await store.trash.restore("channel", id, justBefore)).toBe("restored");
    expect(await store.alerts.channels.get(id)).toEqual(before);
    expect((await store.alerts.deliveries.standing([id])).get(id)?.lastTest).toEqual(lastTest);
  });
  test("a status page comes back with all that is on it, and planned work, unless its name is taken", async () => {
    const page = await newPage("1.sealed");
    const group = await newGroup(page, "Web", true);
    const shown = await component(page, null, group);
    const report = await store.pages.reports.create({
      page,
      title: "Slow",
      components: [shown],
      update: { status: "investigating", at: noon, message: "Look", impacts: [], createdAt: noon },
      announces: false,
    });
    const work = await store.alerts.maintenances.create(
      {
        title: "Move",
        message: "",
        from: noon,
        to: slotAfter(2),
        recurrence: "",
        timeZone: "UTC",
        page: String(page),
        components: [String(shown)],
        monitors: [],
        locations: [],
        owner: "",
        notify: true,
        at: noon,
      },
      false,
    );
    const saying = { at: noon, message: "It takes longer.", createdAt: noon };
    await store.alerts.maintenanceUpdates.add(work, saying, false);
    const said = await store.alerts.maintenanceUpdates.of([work]);
    const before = await store.pages.pages.content(page);
    const reported = await store.pages.reports.get(report);
    await deleted(() => store.pages.pages.delete(page));
    expect(await store.alerts.maintenances.get(work)).toBeNull();
    const other = { ...before?.page, uid: "another", at: noon };
    const definition = before?.page.definition ?? { ...pageDefaults, title: "", slug: "" };
    const taking = Number(
      await store.pages.pages.create({ ...other, definition, sealed: "", owner: "", labels: {} }),
    );
    expect(await store.trash.restore("page", page, justBefore)).toBe("taken");
    await store.pages.pages.delete(taking);
    expect(await store.trash.restore("page", page, justBefore)).toBe("restored");
    expect(await store.pages.pages.content(page)).toEqual(before);
    expect(await store.pages.reports.get(report)).toEqual(reported);
    expect((await store.alerts.maintenances.get(work))?.page).toBe(String(page));
    expect(said.get(work)).toHaveLength(1);
    expect(await store.alerts.maintenanceUpdates.of([work])).toEqual(said);
  });
  test("a status page comes back with its icon's file, and without an icon if a replica did not keep the file", async () => {
    const name = `${"ab".repeat(16)}.png`;
    const iconAfter = async (file: { readonly picture: string } | null): Promise<string> => {
      const definition = { ...pageDefaults, title: "Acme", slug: name, icon: `icon/${name}` };
      const made = { uid: name, definition, sealed: "", owner: "", labels: {}, at: noon };
      const page = Number(
        await store.pages.pages.create(
          file === null ? made : { ...made, iconFile: { name, ...file } },
        ),
      );
      await deleted(() => store.pages.pages.delete(page));
      expect(await store.trash.restore("page", page, justBefore)).toBe("restored");
      expect(await store.pages.pages.icon(page, name)).toBe(file?.picture ?? null);
      const icon = (await store.pages.pages.get(page))?.definition.icon;
      await store.pages.pages.delete(page);
      return icon ?? "missing";
    };
    expect(await iconAfter({ picture: "AAAA" })).toBe(`icon/${name}`);
    expect(await iconAfter(null)).toBe("");
  });
  test("planned work comes back with its updates, unless its status page is deleted", async () => {
    const page = await newPage();
    const made = {
      title: "Move",
      message: "",
      from: noon,
      to: slotAfter(2),
      recurrence: "FREQ=DAILY",
      timeZone: "UTC",
      page: String(page),
      components: [],
      monitors: [7],
      locations: [],
      owner: "",
      notify: true,
      at: noon,
    };
    const work = await store.alerts.maintenances.create(made, false);
    const saying = { at: noon, message: "It takes longer.", createdAt: noon };
    await store.alerts.maintenanceUpdates.add(work, saying, false);
    const before = await store.alerts.maintenances.get(work);
    const said = await store.alerts.maintenanceUpdates.of([work]);
    await deleted(() => store.alerts.maintenances.delete(work));
    expect(await store.trash.get("maintenance", work, justBefore)).toMatchObject({ name: "Move" });
    expect(await store.trash.restore("maintenance", work, justBefore)).toBe("restored");
    expect(await store.alerts.maintenances.get(work)).toEqual(before);
    expect(await store.alerts.maintenanceUpdates.of([work])).toEqual(said);
    expect(await store.trash.restore("maintenance", work, justBefore)).toBe("there");
    await deleted(() => store.alerts.maintenances.delete(work));
    await deleted(() => store.pages.pages.delete(page));
    expect(await store.trash.restore("maintenance", work, justBefore)).toBe("gone");
    expect(await store.trash.restore("page", page, justBefore)).toBe("restored");
    expect(await store.alerts.maintenances.get(work)).toBeNull();
    expect(await store.trash.restore("maintenance", work, justBefore)).toBe("restored");
  });
  test("subscribers get a letter about cancelled work once it is purged, and none if it is put back before", async () => {
    const page = await newPage();
    const reader = {
      page,
      way: "webhook",
      mark: `trash-${page}`,
      sealed: "x",
      name: "Wall",
    } as const;
    await store.readers.subscribers.add(
      { ...reader, source: "vendor", locale: "en", components: null, at: noon },
      { page, way: "webhook", name: "Wall" },
    );
    // Of work that begins within the time of undo, they get it at once.
    const times = { from: slotAfter(1_000), to: slotAfter(1_002) };
    const made = { title: "Move", message: "", ...times, recurrence: "" };
    const on = { timeZone: "UTC", page: String(page), components: [], monitors: [], locations: [] };
    const whole = { ...made, ...on, owner: "", notify: true, at: noon };
    const id = await store.alerts.maintenances.create(whole, false);
    const work = { id, title: "Move", ...times, page, components: [] };
    const claimed = () => store.readers.letters.claim("me", "webhook", slotAfter(9_999));
    await deleted(() => store.alerts.maintenances.delete(id, work));
    expect(await store.trash.restore("maintenance", id, justBefore)).toBe("restored");
    await store.trash.purge(noon);
    expect(await claimed()).toEqual([]);
    await deleted(() => store.alerts.maintenances.delete(id, work));
    expect(await store.trash.get("maintenance", id, justBefore)).toMatchObject({ cancelled: work });
    await store.trash.purge(justBefore);
    expect(await claimed()).toEqual([]);
    await store.trash.purge(noon);
    expect(await claimed()).toMatchObject([
      { of: "cancellation", work, createdAt: tenMinutesLater, subscriber: { name: "Wall" } },
    ]);
  });
  test("a report comes back with its updates", async () => {
    const page = await newPage();
    const report = await store.pages.reports.create({
      page,
      title: "Slow",
      components: [],
      update: { status: "investigating", at: noon, message: "Look", impacts: [], createdAt: noon },
      announces: false,
    });
    const before = await store.pages.reports.get(report);
    await deleted(() => store.pages.reports.delete(report));
    expect(await store.trash.restore("report", report, justBefore)).toBe("restored");
    expect(await store.pages.reports.get(report)).toEqual(before);
  });
  test("a component comes back where it stood, in its group and its reports, without what is deleted meanwhile", async () => {
    const page = await newPage();
    const group = await newGroup(page, "Web", true);
    const monitor = await store.state.monitors.create(someMonitor());
    const [shown, other] = [await component(page, monitor, group), await component(page, null)];
    const report = await store.pages.reports.create({
      page,
      title: "Slow",
      components: [shown, other],
      update: { status: "investigating", at: noon, message: "Look", impacts: [], createdAt: noon },
      announces: false,
    });
    const before = await store.pages.pages.content(page);
    expect(await store.trash.belongings("component", shown)).toMatchObject({ reports: 1 });
    await deleted(() => store.pages.components.delete(shown));
    expect((await store.pages.reports.get(report))?.components).toEqual([other]);
    expect(await store.trash.get("component", shown, justBefore)).toMatchObject({ name: "Shop" });
    expect(await store.trash.restore("component", shown, justBefore)).toBe("restored");
    expect(await store.pages.pages.content(page)).toEqual(before);
    expect((await store.pages.reports.get(report))?.components).toEqual([shown, other]);
    expect(await store.trash.restore("component", shown, justBefore)).toBe("there");
    await deleted(() => store.pages.components.delete(shown));
    await store.pages.groups.delete(group);
    expect(await store.trash.restore("component", shown, justBefore)).toBe("restored");
    expect(await store.pages.components.get(shown)).toMatchObject({ monitor, group: null });
    // Its page may come back, and it then.
    await deleted(() => store.pages.components.delete(shown));
    await deleted(() => store.pages.pages.delete(page));
    expect(await store.trash.restore("component", shown, justBefore)).toBe("gone");
    expect(await store.trash.restore("page", page, justBefore)).toBe("restored");
    expect(await store.trash.restore("component", shown, justBefore)).toBe("restored");
    expect((await store.pages.pages.content(page))?.components).toHaveLength(2);
  });
  test("a component comes back only to a page that no files own, and that has room for it", async () => {
    const page = await newPage();
    const gone = await component(page, null);
    await deleted(() => store.pages.components.delete(gone));
    await store.configuration.own("page", page, "team-shop", "");
    expect(await store.trash.get("component", gone, justBefore)).toMatchObject({
      owner: "team-shop",
    });
    expect(await store.trash.restore("component", gone, justBefore)).toBe("owned");
    await store.configuration.own("page", page, "", "team-shop");
    const last = { id: 0 };
    for (let count = 0; count < pageComponentsMax; count += 1)
      last.id = await component(page, null);
    expect(await store.trash.restore("component", gone, justBefore)).toBe("full");
    expect(await store.pages.components.get(gone)).toBeNull();
    await store.pages.components.delete(last.id);
    expect(await store.trash.restore("component", gone, justBefore)).toBe("restored");
    expect(await store.pages.components.countOf(page)).toBe(pageComponentsMax);
  });
  test("a group comes back with its components that are in no other one and still there", async () => {
    const page = await newPage();
    const [web, data] = [await newGroup(page, "Web", true), await newGroup(page, "Data", false)];
    const [stays, moves, goes] = [
      await component(page, null, web),
      await component(page, null, web),
      await component(page, null, web),
    ];
    expect(await store.trash.belongings("group", web)).toMatchObject({ components: 3 });
    const before = await store.pages.groups.get(web);
    await deleted(() => store.pages.groups.delete(web));
    const row = await store.pages.components.get(moves);
    if (row === null) throw new Error("it was made");
    await store.pages.components.update({ ...row, group: data });
    await store.pages.components.delete(goes);
    expect(await store.trash.restore("group", web, justBefore)).toBe("restored");
    expect(await store.pages.groups.get(web)).toEqual(before);
    const groups = ((await store.pages.pages.content(page))?.components ?? []).map(
      ({ id, group }) => [id, group],
    );
    expect(groups).toEqual([
      [stays, web],
      [moves, data],
    ]);
    // Nothing of it is kept once ten minutes are over.
    await deleted(() => store.pages.groups.delete(web));
    await store.trash.purge(noon);
    expect(await store.trash.restore("group", web, justBefore)).toBe("gone");
  });
  test("what files own and delete stays deleted, and says whose it was", async () => {
    const monitor = await store.state.monitors.create(someMonitor({ owner: "team-shop" }));
    const { revision } = await store.configuration.estate();
    const none = {
      monitors: [],
      newLocations: [],
      locations: [],
      newChannels: [],
      channels: [],
      pages: [],
      maintenances: [],
      settled: [],
    };
    const files = { kind: "files", name: "team-shop", from: "", at: noon } as const;
    await actingAs(files, () =>
      store.configuration.change(revision, {
        ...none,
        removals: [{ kind: "monitor", id: monitor }],
      }),
    );
    expect(await store.trash.restore("monitor", monitor, justBefore)).toBe("owned");
    expect(await store.state.monitors.get(monitor)).toBeNull();
    const kept = await store.trash.get("monitor", monitor, justBefore);
    expect(kept).toMatchObject({ name: "shop", owner: "team-shop" });
  });
  test("what files own and a call deleted can be put back", async () => {
    const monitor = await store.state.monitors.create(someMonitor({ owner: "team-shop" }));
    await deleted(() => store.state.monitors.delete(monitor));
    expect(await store.trash.restore("monitor", monitor, justBefore)).toBe("restored");
    expect((await store.state.monitors.get(monitor))?.owner).toBe("team-shop");
  });
}
