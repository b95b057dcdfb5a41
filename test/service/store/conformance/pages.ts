import { afterAll, beforeAll, expect, test } from "vitest";
import { formerAddressesMax, pageComponentsMax, pageGroupsMax } from "#limits/status-limits";
import type { ComponentRow, NewStatusPage, NewUpdate } from "#service/store/page-store";
import type { Store } from "#service/store/store";
import { pageDefaults, type PageDefinition } from "#service/status-page/page-definition";
import { epochMillis } from "#base/units";
import { noon, type OpenFresh, slotAfter, someMonitor } from "./scene.ts";

let made = 0;
const somePage = (changes: Partial<PageDefinition> = {}): NewStatusPage => {
  made += 1;
  return {
    uid: `page ${made}`,
    definition: { ...pageDefaults, title: "Acme", slug: `acme-${made}`, ...changes },
    sealed: "",
    owner: "",
    labels: {},
    at: noon,
  };
};
const someUpdate = (changes: Partial<NewUpdate> = {}): NewUpdate => ({
  status: "investigating",
  at: noon,
  message: "We look into it.",
  impacts: [],
  createdAt: noon,
  ...changes,
});
const first = { limit: 10, offset: 0 };

/** What every engine says of status pages. */
export function pagesConform(open: OpenFresh): void {
  let store: Store;
  let all: Store["pages"];
  beforeAll(async () => {
    store = await open();
    all = store.pages;
  });
  afterAll(() => store[Symbol.asyncDispose]());

  const newPage = async (changes: Partial<PageDefinition> = {}): Promise<number> => {
    const id = await all.pages.create(somePage(changes));
    return typeof id === "number" ? id : 0;
  };
  const newComponent = async (
    page: number,
    changes: Partial<ComponentRow> = {},
  ): Promise<number> => {
    const rest = { monitor: null, name: "Desk", description: "", order: null, group: null };
    return Number(await all.components.create({ page, ...rest, at: noon, ...changes }));
  };
  const newGroup = async (page: number, defaultOpen: boolean): Promise<number> =>
    Number(await all.groups.create({ page, name: "Web", defaultOpen, createdAt: noon }));

  test("an icon is kept with its page, replaced with it, and gone once the page does not name it", async () => {
    const [one, two] = [`${"1".repeat(32)}.png`, `${"2".repeat(32)}.png`];
    const id = await newPage();
    const withIcon = async (name: string, picture: string | null): Promise<unknown> => {
      const page = somePage({ icon: name === "" ? "" : `icon/${name}` });
      return all.pages.update(
        id,
        picture === null ? page : { ...page, iconFile: { name, picture } },
      );
    };
    expect(await withIcon(one, "AAAA")).toBe("updated");
    expect(await all.pages.icon(id, one)).toBe("AAAA");
    expect(await all.pages.icon(id, two)).toBeNull();
    // Whoever changes something else leaves it.
    expect(await withIcon(one, null)).toBe("updated");
    expect(await all.pages.icon(id, one)).toBe("AAAA");
    expect(await withIcon(two, "BBBB")).toBe("updated");
    expect(await all.pages.icon(id, one)).toBeNull();
    expect(await all.pages.icon(id, two)).toBe("BBBB");
    expect(await withIcon("", null)).toBe("updated");
    expect(await all.pages.icon(id, two)).toBeNull();
  });

  test("names that a page had lead to it until another page has them, and go with it", async () => {
    const former = async (page: number): Promise<readonly string[]> =>
      (await all.pages.formerAddresses())
        .filter((one) => one.page === page)
        .map(({ kind, name }) => `${kind} ${name}`)
        .toSorted();
    const id = await newPage({ slug: "led", customDomain: "Led.Acme.test" });
    const named = async (page: number, slug: string, customDomain = "", at = noon) =>
      all.pages.update(page, { ...somePage({ slug, customDomain }), at });
    expect(await named(id, "led", "led.acme.test")).toBe("updated");
    expect(await former(id)).toEqual([]);
    expect(await named(id, "led-2")).toBe("updated");
    expect(await former(id)).toEqual(["domain led.acme.test", "slug led"]);
    expect(await all.pages.create(somePage({ slug: "led" }))).toBe("slug led away");
    expect(await all.pages.create(somePage({ customDomain: "led.acme.test" }))).toBe(
      "domain led away",
    );
    const other = await newPage({ slug: "led-other" });
    expect(await named(other, "led")).toBe("slug led away");
    expect(await named(id, "led")).toBe("updated");
    expect(await former(id)).toEqual(["domain led.acme.test", "slug led-2"]);
    for (let count = 0; count <= formerAddressesMax; count += 1)
      await named(id, `led-${count + 3}`, "", epochMillis(noon + count + 1));
    const kept = await former(id);
    expect(kept).toHaveLength(formerAddressesMax + 1);
    expect(kept).not.toContain("slug led-2");
    // What is deleted keeps no name, and has those again that no one has taken meanwhile.
    await all.pages.delete(id);
    expect(await former(id)).toEqual([]);
    const taker = await newPage({ slug: "led-3" });
    expect(await store.trash.restore("page", id, epochMillis(0))).toBe("restored");
    expect(await former(id)).toHaveLength(formerAddressesMax + 1);
    expect(await all.pages.idOfSlug("led-3")).toBe(taker);
  });

  test("a page is made, found by its names, changed and deleted", async () => {
    const heard: string[] = [];
    using _ = store.onChange((change) => void heard.push(change));
    const page = somePage({ slug: "shop", customDomain: "status.shop.test" });
    const id = Number(await all.pages.create(page));
    const { at, ...facts } = page;
    const made = { ...facts, id, reachedBy: "", createdAt: at, updatedAt: at };
    expect(await all.pages.get(id)).toEqual(made);
    expect(await all.pages.idOfSlug("shop")).toBe(id);
    expect(await all.pages.idOfDomain("status.shop.test")).toBe(id);
    expect(await all.pages.idOfDomain("")).toBeNull();
    expect(await all.pages.create(somePage({ slug: "shop" }))).toBe("slug taken");
    const sameDomain = somePage({ customDomain: "status.shop.test" });
    expect(await all.pages.create(sameDomain)).toBe("domain taken");
    const other = await newPage();
    const wanted = { ...page.definition, title: "New" };
    const changed = { ...page, definition: wanted, sealed: "1.x", at: slotAfter(1) };
    expect(await all.pages.update(id, changed)).toBe("updated");
    expect(await all.pages.get(id)).toMatchObject({ definition: wanted, sealed: "1.x" });
    expect(await all.pages.update(other, changed)).toBe("slug taken");
    expect(await all.pages.update(987_654, somePage())).toBe("missing");
    expect(await all.pages.delete(id)).toBe(true);
    expect(await all.pages.delete(id)).toBe(false);
    expect(await all.pages.content(id)).toBeNull();
    expect(await all.pages.idOfSlug("shop")).toBeNull();
    await expect.poll(() => heard).toContain("pages");
  });

  test("a page keeps by which of its domains it was reached, also after it has another", async () => {
    const id = await newPage({ customDomain: "Status.shop.test" });
    const reachedBy = async (): Promise<string | undefined> => (await all.pages.get(id))?.reachedBy;
    expect(await all.pages.reached(id, "other.shop.test")).toBe(false);
    expect(await reachedBy()).toBe("");
    expect(await all.pages.reached(id, "status.shop.test")).toBe(true);
    await all.pages.update(id, somePage({ customDomain: "new.shop.test" }));
    expect(await reachedBy()).toBe("status.shop.test");
  });

  test("components come in their order, and leave with their monitor or their group", async () => {
    const page = await newPage();
    const monitor = await store.state.monitors.create(someMonitor());
    expect(await all.pages.idsShowing(monitor)).toEqual([]);
    const group = await newGroup(page, true);
    const web = await newComponent(page, { name: "Web", monitor, group });
    const desk = await newComponent(page);
    const early = await newComponent(page, { name: "Early", order: -1, group });
    const ids = async (): Promise<readonly number[]> =>
      ((await all.pages.content(page))?.components ?? []).map(({ id }) => id);
    expect(await ids()).toEqual([early, web, desk]);
    const twin = await newPage();
    for (const name of ["Web", "Again"]) await newComponent(twin, { name, monitor });
    expect(await all.pages.idsShowing(monitor)).toEqual([page, twin]);
    const others = (await all.components.withoutMonitor(500)).filter((one) => one.page === page);
    expect(others.map(({ id }) => id)).toEqual([early, desk]);
    expect(await all.components.withoutMonitor(1)).toHaveLength(1);
    expect(await all.components.get(web)).toMatchObject({
      monitor,
      group,
      order: 0,
      groupOrder: 0,
    });
    expect(await all.components.get(early)).toMatchObject({ group, order: -1, groupOrder: 1 });
    const row = await all.components.get(desk);
    if (row === null) throw new Error("it was made");
    const moved = { ...row, name: "Help", order: -2, updatedAt: slotAfter(1) };
    expect(await all.components.update(moved)).toBe(true);
    expect(await all.components.get(desk)).toEqual(moved);
    expect(await ids()).toEqual([desk, early, web]);
    const renamed = { name: "All", defaultOpen: false, updatedAt: slotAfter(1) };
    const before = await all.groups.get(group);
    if (before === null) throw new Error("it was made");
    expect(await all.groups.update({ ...before, ...renamed })).toBe(true);
    expect(await all.groups.get(group)).toEqual({ ...before, ...renamed });
    expect(await all.groups.delete(group)).toBe(true);
    expect(await all.components.get(web)).toMatchObject({ group: null });
    await store.state.monitors.delete(monitor);
    expect(await ids()).toEqual([desk, early]);
    expect(await all.components.countOf(page)).toBe(2);
    expect(await all.components.delete(early)).toBe(true);
    expect(await all.components.delete(early)).toBe(false);
    expect(await all.groups.countOf(page)).toBe(0);
  });

  test("a page has no more components and groups than it may, also if two are added at once", async () => {
    const page = await newPage();
    const web = { page, name: "Web", defaultOpen: false, createdAt: noon };
    for (let made = 1; made < pageGroupsMax; made += 1) await all.groups.create(web);
    const groups = await Promise.all([all.groups.create(web), all.groups.create(web)]);
    expect(groups.filter((one) => one === "full").length).toBe(1);
    expect(await all.groups.countOf(page)).toBe(pageGroupsMax);
    for (let made = 1; made < pageComponentsMax; made += 1) await newComponent(page);
    const rest = { monitor: null, name: "Desk", description: "", order: null, group: null };
    const one = { page, ...rest, at: noon };
    const added = await Promise.all([all.components.create(one), all.components.create(one)]);
    expect(added.filter((id) => id === "full").length).toBe(1);
    expect(await all.components.countOf(page)).toBe(pageComponentsMax);
  });

  test("components that are added together stand last in their order, or none comes if one has no room", async () => {
    const page = await newPage();
    const group = await newGroup(page, false);
    await newComponent(page, { name: "First", group });
    const parts = Array.from({ length: pageComponentsMax - 1 }, (_, n) => ({
      monitor: null,
      name: `Part ${n}`,
    }));
    const made = { page, group, at: noon };
    const one = { monitor: null, name: "One more" };
    expect(await all.components.createEach({ ...made, parts: [...parts, one] })).toBe("full");
    expect(await all.components.countOf(page)).toBe(1);
    expect(await all.components.createEach({ ...made, parts })).toBe("added");
    const { components = [] } = (await all.pages.content(page)) ?? {};
    expect(components.map(({ name }) => name)).toEqual(["First", ...parts.map((p) => p.name)]);
    expect(components.map(({ order, groupOrder }) => [order, groupOrder])).toEqual(
      components.map((_, n) => [n, n]),
    );
    expect(components.every((row) => row.group === group && row.updatedAt === noon)).toBe(true);
    expect(await all.components.createEach({ ...made, parts: [one] })).toBe("full");
  });

  test("an order of components is written whole, or not at all if anything moved meanwhile", async () => {
    const page = await newPage();
    const group = await newGroup(page, false);
    // More than a statement of SQLite has rows.
    for (let made = 0; made < 300; made += 1) await newComponent(page, { name: `C${made}` });
    const places = async () =>
      ((await all.pages.content(page))?.components ?? []).map(
        ({ id, group, order, groupOrder }) => ({ id, group, order, groupOrder }),
      );
    const seen = await places();
    const [first, ...rest] = seen.map(({ id }) => id);
    const wanted = [
      { id: first ?? 0, group, order: 999, groupOrder: 3 },
      ...rest.map((id, index) => ({ id, group: null, order: 299 - index, groupOrder: 0 })),
    ];
    const at = slotAfter(3);
    expect(await all.components.arrange({ page, seen, wanted, at })).toBe("arranged");
    const after = await places();
    expect(after).toEqual(wanted.toSorted((a, b) => a.order - b.order));
    expect((await all.components.get(first ?? 0))?.updatedAt).toBe(at);
    // Whoever saw the order before changes nothing, and neither does one of two at the same moment.
    expect(await all.components.arrange({ page, seen, wanted: seen, at })).toBe("overtaken");
    expect(await places()).toEqual(after);
    const both = await Promise.all(
      [after.slice(0, 1), after.slice(1, 2)].map((some) =>
        all.components.arrange({
          page,
          seen: after,
          wanted: some.map((one) => ({ ...one, order: -1 })),
          at,
        }),
      ),
    );
    expect(both.toSorted()).toEqual(["arranged", "overtaken"]);
    await all.groups.delete(group);
    const now = await places();
    const into = now.slice(0, 1).map((one) => ({ ...one, group }));
    expect(await all.components.arrange({ page, seen: now, wanted: into, at })).toBe("overtaken");
    const other = await newComponent(await newPage());
    const foreign = [{ id: other, group: null, order: 5, groupOrder: 0 }];
    expect(await all.components.arrange({ page, seen: now, wanted: foreign, at })).toBe(
      "overtaken",
    );
    expect(await all.components.arrange({ page, seen: now, wanted: [], at })).toBe("arranged");
  });

  test("a report stands as its newest update by date, and its components join it", async () => {
    const page = await newPage();
    const [one, two] = [await newComponent(page), await newComponent(page)];
    const impacts = [{ component: one, impact: "major_outage" }] as const;
    const id = await all.reports.create({
      page,
      title: "Payments",
      components: [one, 999_999],
      update: someUpdate({ impacts }),
      announces: false,
    });
    expect(await all.reports.get(id)).toMatchObject({
      page,
      status: "investigating",
      components: [one],
      updates: [{ message: "We look into it.", impacts }],
    });
    const later = someUpdate({ status: "resolved", at: slotAfter(10), createdAt: slotAfter(10) });
    expect(await all.reports.addUpdate(id, later, false, [])).toBe(true);
    const joined = [{ component: two, impact: "operational" }] as const;
    const between = someUpdate({ status: "identified", at: slotAfter(5), impacts: joined });
    await all.reports.addUpdate(id, between, false, []);
    const report = await all.reports.get(id);
    expect(report).toMatchObject({ status: "resolved", components: [one, two] });
    const order = ["resolved", "identified", "investigating"];
    expect(report?.updates.map(({ status }) => status)).toEqual(order);
    expect(await all.reports.addUpdate(999_999, later, false, [])).toBe(false);
    const [newest, middle] = report?.updates ?? [];
    const words = {
      status: "monitoring",
      message: "It holds.",
      impacts: [],
      at: slotAfter(9),
    } as const;
    const changedAt = slotAfter(12);
    const to = { ...words, joining: [], leaving: [one, two] };
    expect(await all.reports.correct(id, newest?.id ?? 0, to, changedAt)).toBe(true);
    expect(await all.reports.correct(id, 999_999, to, changedAt)).toBe(false);
    expect(await all.reports.get(id)).toMatchObject({
      status: "monitoring",
      // Other updates name them.
      components: [one, two],
      updates: [words, {}, {}],
    });
    expect(await all.reports.withdraw(id, newest?.id ?? 0, changedAt)).toBe(true);
    expect((await all.reports.get(id))?.status).toBe("identified");
    await all.reports.withdraw(id, middle?.id ?? 0, changedAt);
    expect((await all.reports.get(id))?.components).toEqual([one]);
    const left = (await all.reports.get(id))?.updates ?? [];
    expect(left.map(({ status }) => status)).toEqual(["investigating"]);
    // What was taken back can be put back, with the components that it alone named.
    const putBack = (update: number) => all.reports.putBack(update, epochMillis(0), changedAt);
    expect(await putBack(middle?.id ?? 0)).toBe("restored");
    expect(await putBack(middle?.id ?? 0)).toBe("there");
    expect(await putBack(999_999)).toBe("gone");
    expect(await all.reports.get(id)).toMatchObject({
      status: "identified",
      components: [one, two],
      updates: [middle, left[0]],
    });
    await all.reports.withdraw(id, middle?.id ?? 0, changedAt);
    expect((await all.reports.get(id))?.components).toEqual([one]);
    // A report says something.
    expect(await all.reports.withdraw(id, left[0]?.id ?? 0, changedAt)).toBe(false);
    const about = { ...words, impacts: joined, joining: [], leaving: [one] };
    await all.reports.correct(id, left[0]?.id ?? 0, about, changedAt);
    expect((await all.reports.get(id))?.components).toEqual([two]);
    await all.reports.correct(
      id,
      left[0]?.id ?? 0,
      { ...about, impacts: [], joining: [one] },
      changedAt,
    );
    expect((await all.reports.get(id))?.components).toEqual([one, two]);
    const change = { title: "Cards", components: [two] };
    expect(await all.reports.change(id, change, slotAfter(11))).toBe(true);
    expect(await all.reports.get(id)).toMatchObject({ title: "Cards", components: [two] });
    await all.components.delete(two);
    expect((await all.reports.get(id))?.components).toEqual([]);
  });

  test("a report that is made with its end has two updates, and is resolved", async () => {
    const [page, end] = [await newPage(), { at: slotAfter(3), message: "It is over." }];
    const made = { page, title: "t", components: [], update: someUpdate({}), announces: true };
    const report = await all.reports.get(await all.reports.create({ ...made, end }));
    expect(report).toMatchObject({
      status: "resolved",
      updates: [{ ...end, status: "resolved", impacts: [] }, { message: made.update.message }],
    });
  });

  test("reports are listed by page and status, and a page shows those that are open or new", async () => {
    const [page, other] = [await newPage(), await newPage()];
    const report = (of: number, changes: Partial<NewUpdate>): Promise<number> =>
      all.reports.create({
        page: of,
        title: "t",
        components: [],
        update: someUpdate(changes),
        announces: false,
      });
    const open = await report(page, {});
    const old = await report(page, { status: "resolved", at: slotAfter(1) });
    const fresh = await report(page, { status: "resolved", at: slotAfter(20) });
    await report(other, {});
    const ids = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);
    const listed = await all.reports.list({ page, statuses: ["resolved"], ...first });
    expect([ids(listed.reports), listed.total]).toEqual([[fresh, old], 2]);
    expect((await all.reports.list({ page, statuses: [], ...first })).total).toBe(3);
    const titles = await all.reports.titles(1_000);
    expect(titles).toContainEqual({ id: fresh, title: "t" });
    expect(ids(titles).filter((id) => id === fresh || id === old)).toEqual([fresh, old]);
    expect(await all.reports.titles(1)).toHaveLength(1);
    expect(ids(await all.reports.lately(page, slotAfter(10)))).toEqual([fresh, open]);
    expect(await all.reports.delete(open)).toBe(true);
    expect(await all.reports.get(open)).toBeNull();
    await all.pages.delete(page);
    expect((await all.reports.list({ page, statuses: [], ...first })).total).toBe(0);
  });

  test("reports that name a component are those that were open then, the newest first", async () => {
    const page = await newPage();
    const [web, desk, bare] = [
      await newComponent(page),
      await newComponent(page),
      await newComponent(page),
    ];
    const report = (components: readonly number[], changes: Partial<NewUpdate>): Promise<number> =>
      all.reports.create({
        page,
        title: "t",
        components,
        update: someUpdate(changes),
        announces: false,
      });
    const open = await report([web, desk], { at: slotAfter(3) });
    const over = await report([web], { status: "resolved", at: slotAfter(5) });
    const later = await report([desk], { at: slotAfter(30), createdAt: slotAfter(30) });
    // Written afterwards, of what was before.
    const dated = await report([bare], { at: slotAfter(4), createdAt: slotAfter(30) });
    const named = async (components: readonly number[], from: number, until: number, limit = 9) => {
      const span = { from: slotAfter(from), until: slotAfter(until) };
      return (await all.reports.naming({ components, ...span, limit })).map(({ id }) => id);
    };
    expect(await named([web, desk], 5, 20)).toEqual([over, open]);
    expect(await named([web, desk], 6, 20)).toEqual([open]);
    expect(await named([desk], 6, 30)).toEqual([later, open]);
    expect(await named([web, desk], 5, 30, 2)).toEqual([later, over]);
    expect(await named([bare], 6, 20)).toEqual([dated]);
    expect(await named([bare], 0, 3)).toEqual([]);
    expect(await named([], 0, 30)).toEqual([]);
  });

  test("maintenance of a component is maintenance of its monitor, and goes with its page", async () => {
    const page = await newPage();
    const monitor = await store.state.monitors.create(someMonitor());
    const [web, desk] = [await newComponent(page, { monitor }), await newComponent(page)];
    const id = await store.alerts.maintenances.create(
      {
        title: "Upgrade",
        message: "m",
        from: noon,
        to: slotAfter(10),
        recurrence: "",
        timeZone: "UTC",
        page: String(page),
        components: [String(web), String(desk)],
        monitors: [],
        locations: [],
        owner: "",
        notify: true,
        at: noon,
      },
      false,
    );
    const found = await store.alerts.maintenances.between(noon, slotAfter(1));
    expect(found.find((one) => one.id === id)?.monitors).toEqual([monitor]);
    expect((await store.alerts.maintenances.get(id))?.monitors).toEqual([]);
    await all.pages.delete(page);
    expect(await store.alerts.maintenances.get(id)).toBeNull();
  });
}
