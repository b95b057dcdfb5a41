import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type ConfigurationWrites,
  objectKinds,
  type PageWrite,
} from "#service/store/configuration-store";
import type { NewStatusPage } from "#service/store/page-store";
import type { Store } from "#service/store/store";
import { pageDefaults, type PageDefinition } from "#service/status-page/page-definition";
import { epochMillis } from "#base/units";
import { someChannel } from "./channels.ts";
import { noon, type OpenFresh, someLocation, someMonitor, someToken } from "./scene.ts";

export const nothing: ConfigurationWrites = {
  monitors: [],
  newLocations: [],
  locations: [],
  newChannels: [],
  channels: [],
  pages: [],
  maintenances: [],
  removals: [],
  settled: [],
};

const somePage = (changes: Partial<PageDefinition>): NewStatusPage => ({
  uid: `uid of ${changes.slug ?? ""}`,
  definition: { ...pageDefaults, title: "Acme", slug: "", ...changes },
  sealed: "",
  owner: "files",
  labels: {},
  at: noon,
});

const writeOf = (id: number | null, changes: Partial<PageDefinition>): PageWrite => ({
  key: `page ${changes.slug ?? ""}`,
  id,
  to: somePage(changes),
  at: noon,
  groups: [],
  components: [],
});

const component = { description: "", order: 0, groupOrder: 0, monitor: null, group: null };

/** One of each kind, each referring to one that is made with it. */
export const oneOfEach = (uid = "uid of office"): ConfigurationWrites => ({
  ...nothing,
  monitors: [
    { key: "http a", id: null, to: { ...someMonitor(), owner: "files" }, dependsOn: ["http b"] },
    { key: "http b", id: null, to: named("b"), dependsOn: [] },
  ],
  newLocations: [
    {
      key: "location office",
      uid,
      made: { ...someLocation(), owner: "files" },
      token: someToken(),
      monitors: ["http a"],
    },
  ],
  newChannels: [
    {
      made: someChannel({ owner: "files" }),
      monitors: ["http a", "http b"],
      locations: ["location office"],
    },
  ],
  pages: [
    {
      ...writeOf(null, { slug: "acme" }),
      groups: [{ key: "group acme Web", id: null, name: "Web", defaultOpen: true }],
      components: [
        {
          ...component,
          key: "component acme shop",
          id: null,
          name: "shop",
          monitor: "http a",
          group: "group acme Web",
          groupOrder: 4,
        },
        { ...component, key: "component acme desk", id: null, name: "desk", order: 7 },
      ],
    },
  ],
  maintenances: [
    {
      key: "work",
      id: null,
      to: {
        title: "work",
        message: "Soon",
        from: noon,
        to: epochMillis(noon + 1_000),
        recurrence: "",
        timeZone: "UTC",
        owner: "files",
        notify: true,
        at: noon,
      },
      monitors: ["http b"],
      locations: ["location office"],
      page: "page acme",
      components: ["component acme shop"],
    },
  ],
});

const named = (name: string) => {
  const monitor = someMonitor();
  return { ...monitor, owner: "files", definition: { ...monitor.definition, name } };
};

/** What every engine says of a configuration that is read and changed as a whole. */
export function configurationConforms(open: OpenFresh): void {
  let store: Store;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store[Symbol.asyncDispose]());

  const change = async (writes: Partial<ConfigurationWrites>) => {
    const { revision } = await store.configuration.estate();
    return store.configuration.change(revision, { ...nothing, ...writes });
  };

  test("objects of every kind are made together, and refer to each other by what they became", async () => {
    const heard: string[] = [];
    using _ = store.onChange((one) => void heard.push(one));
    expect(await change(oneOfEach())).not.toBeNull();
    await expect.poll(() => heard).toContain("assignments");
    const { monitors, locations, channels, pages, maintenances } =
      await store.configuration.estate();
    const [a, b] = monitors;
    const [office, page, work] = [locations[0], pages[0], maintenances[0]];
    expect(a?.definition.alerting?.dependsOn).toEqual([String(b?.id)]);
    expect([office?.monitors, office?.uid]).toEqual([[a?.id], "uid of office"]);
    expect(channels.map(({ monitors: of, rules }) => [of, rules.locations])).toEqual([
      [[a?.id, b?.id], [office?.id]],
    ]);
    const [shop, desk] = page?.components ?? [];
    expect([shop?.monitor, shop?.group, shop?.groupOrder, desk?.monitor, desk?.order]).toEqual([
      a?.id,
      page?.groups[0]?.id,
      4,
      null,
      7,
    ]);
    expect([work?.monitors, work?.locations, work?.page, work?.components]).toEqual([
      [b?.id],
      [office?.id],
      String(page?.page.id),
      [String(shop?.id)],
    ]);
  });

  test("a change is refused if the estate is another than the one that was compared", async () => {
    const { revision, pages } = await store.configuration.estate();
    const [desk] = pages[0]?.components ?? [];
    if (desk !== undefined) await store.pages.components.update({ ...desk, description: "other" });
    expect(await store.configuration.change(revision, oneOfEach())).toBeNull();
    expect((await store.configuration.estate()).monitors).toHaveLength(2);
  });

  test("nothing is made if the last of it cannot be", async () => {
    const before = await store.configuration.estate();
    const writes = { ...oneOfEach("another"), pages: [writeOf(null, { slug: "acme" })] };
    await expect(change(writes)).rejects.toThrow("slug taken");
    expect(await store.configuration.estate()).toEqual(before);
  });

  test("pages exchange slugs and domains, and one takes those of a page that goes", async () => {
    await change({
      pages: [
        writeOf(null, { slug: "one", customDomain: "one.test" }),
        writeOf(null, { slug: "two", customDomain: "two.test" }),
        writeOf(null, { slug: "gone", customDomain: "gone.test" }),
      ],
    });
    const idOf = async (slug: string) => (await store.pages.pages.idOfSlug(slug)) ?? 0;
    const [one, two, gone] = [await idOf("one"), await idOf("two"), await idOf("gone")];
    await change({
      pages: [
        {
          ...writeOf(one, { slug: "two", customDomain: "two.test" }),
          to: { ...somePage({ slug: "two", customDomain: "two.test" }), uid: "1" },
        },
        {
          ...writeOf(two, { slug: "one" }),
          to: { ...somePage({ slug: "one", customDomain: "one.test" }), uid: "2" },
        },
        {
          ...writeOf(null, { slug: "gone", customDomain: "gone.test" }),
          to: { ...somePage({ slug: "gone", customDomain: "gone.test" }), uid: "3" },
        },
      ],
      removals: [{ kind: "page", id: gone }],
    });
    expect([await idOf("two"), await idOf("one")]).toEqual([one, two]);
    expect(await store.pages.pages.idOfDomain("two.test")).toBe(one);
    expect(await store.pages.pages.get(gone)).toBeNull();
    expect(await idOf("gone")).toBeGreaterThan(gone);
  });

  test("what is done by hand to an object of an owner is known until it is settled", async () => {
    const { monitors, locations, channels, pages, maintenances } =
      await store.configuration.estate();
    const ids = {
      monitor: monitors[0]?.id ?? 0,
      location: locations[0]?.id ?? 0,
      channel: channels[0]?.id ?? 0,
      page: pages[0]?.page.id ?? 0,
      maintenance: maintenances[0]?.id ?? 0,
    };
    const touch = { deed: "changed", at: noon, by: "key 1" } as const;
    for (const kind of objectKinds) {
      expect(await store.configuration.ownerOf(kind, ids[kind])).toBe("files");
      await store.configuration.touch(kind, ids[kind], touch);
    }
    const touches = (await store.configuration.estate()).touches;
    expect(touches.map(({ kind, name, by }) => [kind, name, by])).toEqual([
      ["channel", channels[0]?.name, "key 1"],
      ["location", "office", "key 1"],
      ["maintenance", "work", "key 1"],
      ["monitor", "shop", "key 1"],
      ["page", "acme", "key 1"],
    ]);
    await change({ settled: objectKinds.map((kind) => ({ kind, id: ids[kind] })) });
    expect((await store.configuration.estate()).touches).toEqual([]);
    // Of what no files own nothing is noted.
    for (const kind of objectKinds) {
      expect(await store.configuration.own(kind, ids[kind], "x", "others")).toBe(false);
      expect(await store.configuration.ownerOf(kind, ids[kind])).toBe("files");
      expect(await store.configuration.own(kind, ids[kind], "", "files")).toBe(true);
      await store.configuration.touch(kind, ids[kind], touch);
      expect(await store.configuration.own(kind, 999_999, "x", "")).toBe(false);
      expect(await store.configuration.ownerOf(kind, 999_999)).toBeNull();
    }
    expect((await store.configuration.estate()).touches).toEqual([]);
  });

  test("all of it is removed together, with the parts of pages", async () => {
    const { monitors, locations, channels, pages, maintenances } =
      await store.configuration.estate();
    const [part, ...parts] = pages[0]?.components ?? [];
    await change({
      removals: [
        { kind: "component", id: part?.id ?? 0 },
        { kind: "group", id: pages[0]?.groups[0]?.id ?? 0 },
      ],
    });
    expect((await store.configuration.estate()).pages[0]).toMatchObject({
      components: parts,
      groups: [],
    });
    await change({
      removals: [
        ...maintenances.map(({ id }) => ({ kind: "maintenance", id }) as const),
        ...pages.map(({ page: { id } }) => ({ kind: "page", id }) as const),
        ...channels.map(({ id }) => ({ kind: "channel", id }) as const),
        ...locations.map(({ id }) => ({ kind: "location", id }) as const),
        ...monitors.map(({ id }) => ({ kind: "monitor", id }) as const),
      ],
    });
    expect(await store.configuration.estate()).toMatchObject({
      monitors: [],
      locations: [],
      channels: [],
      pages: [],
      maintenances: [],
    });
  });
}
