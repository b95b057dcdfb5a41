import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { hours } from "#base/units";
import { connectManagement } from "#cli/management/management";
import { directWay } from "#cli/management/service-way";
import { formTokenIn } from "../../../support/signed-in.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

/** It is 12:00 on 22 November. */
async function plannedScene() {
  const scene = await operatorScene({ days: 0 });
  const { admin, url } = scene.service;
  for (const name of ["mail", "shop", "web", "well"])
    await admin.createMonitor(
      {
        ...httpDefaults,
        name,
        periodicity: "1m",
        url: `https://${name}.example`,
        active: true,
        ...(name === "shop" && { labels: { team: "shop" } }),
      },
      "management",
    );
  await admin.createPrivateLocation({ name: "office", monitorIds: ["3", "4"], metadata: {} });
  const { key } = await admin.createApiKey({ name: "plan", scope: "write" });
  const { incidents, maintenances } = connectManagement(url, key, directWay());
  const text = async (path: string): Promise<string> => (await scene.get(path)).text();
  /** What follows the name of each monitor of a list. */
  const chips = async (path = "/") =>
    Object.fromEntries(
      [...(await text(path)).matchAll(/<h3>(.*?)<\/h3>/gs)].map(([, head = ""]) => {
        const [name = "", ...rest] = head
          .replaceAll(/<[^>]*>/g, "|")
          .split("|")
          .filter((part) => part.trim() !== "");
        return [
          name,
          rest
            .map((part) => part.trim())
            .join(" ")
            .replaceAll(/\s+/g, " "),
        ];
      }),
    );
  return { ...scene, incidents, maintenances, text, chips };
}

const until = "2026-11-22T13:15:00Z";

test("a silence is after the names of the monitors that it covers at once, by monitor, label and location, and gone with its end", async () => {
  const { incidents, chips } = await plannedScene();
  expect(await chips()).toEqual({ mail: "", shop: "", web: "", well: "" });
  const { silence } = await incidents.createSilence({ monitorIds: ["1"], until });
  expect(await chips()).toMatchObject({ mail: "Silenced until 13:15", shop: "" });
  // The one that lasts longest counts.
  await incidents.createSilence({ monitorIds: ["1"], until: "2026-11-23T09:30:00Z" });
  await incidents.createSilence({ labels: { team: "shop" }, until });
  await incidents.createSilence({ privateLocationIds: ["1"], until: "2026-11-22T12:40:00Z" });
  expect(await chips()).toEqual({
    mail: "Silenced until 23 Nov, 09:30",
    shop: "Silenced until 13:15",
    web: "Silenced until 12:40",
    well: "Silenced until 12:40",
  });
  expect(await chips("/locations/1")).toEqual({
    web: "Silenced until 12:40",
    well: "Silenced until 12:40",
  });
  await incidents.endSilence({ id: silence?.id ?? "" });
  expect(await chips()).toMatchObject({ mail: "Silenced until 23 Nov, 09:30" });
});

test("a silence or maintenance of some of a monitor's locations says of how many; for programs nothing is silenced", async () => {
  const { service, incidents, maintenances, text, chips } = await plannedScene();
  for (const name of ["north", "south", "west"])
    await service.admin.createPrivateLocation({ name, monitorIds: ["3"], metadata: {} });
  const tomorrow = "2026-11-23T09:30:00Z";
  await incidents.createSilence({ privateLocationIds: ["1"], until: tomorrow });
  expect(await chips()).toMatchObject({
    web: "Silenced at 1 of 4 locations until 23 Nov, 09:30",
    well: "Silenced until 23 Nov, 09:30",
    mail: "",
  });
  // What that location sees is sent, and what the silenced one sees is not.
  expect(await chips("/locations/2")).toEqual({ web: "" });
  expect(await chips("/locations/1")).toMatchObject({ web: "Silenced until 23 Nov, 09:30" });
  expect(JSON.parse(await text("/monitors/3.json"))).toMatchObject({ silenced_until: null });
  // Those of all silences count, until the first of them is silenced no more.
  await incidents.createSilence({ privateLocationIds: ["2", "3"], until });
  expect(await chips()).toMatchObject({ web: "Silenced at 3 of 4 locations until 13:15" });
  await maintenances.createMaintenance({
    title: "Racks",
    message: "Racks move.",
    from: "2026-11-22T11:00:00Z",
    to: "2026-11-22T12:40:00Z",
    privateLocationIds: ["2"],
  });
  expect(await chips()).toMatchObject({
    web: "Maintenance at 1 of 4 locations until 12:40 Silenced at 3 of 4 locations until 13:15",
  });
  await incidents.createSilence({ monitorIds: ["3"], until });
  expect(await chips()).toMatchObject({
    web: "Maintenance at 1 of 4 locations until 12:40 Silenced until 13:15",
  });
});

test("silences that name all locations of a monitor together silence it until the first of them ends", async () => {
  const { service, incidents, text, chips } = await plannedScene();
  await service.admin.createPrivateLocation({ name: "north", monitorIds: ["3"], metadata: {} });
  await incidents.createSilence({ privateLocationIds: ["1"], until: "2026-11-23T09:30:00Z" });
  expect(await chips()).toMatchObject({
    web: "Silenced at 1 of 2 locations until 23 Nov, 09:30",
  });
  await incidents.createSilence({ privateLocationIds: ["2"], until });
  expect(await chips()).toMatchObject({ web: "Silenced until 13:15" });
  expect(JSON.parse(await text("/monitors/3.json"))).toMatchObject({
    silenced_until: "2026-11-22T13:15:00.000Z",
  });
  await incidents.createSilence({ monitorIds: ["3"], until: "2026-11-22T14:00:00Z" });
  expect(await chips()).toMatchObject({ web: "Silenced until 14:00" });
});

test("maintenance at all locations of a monitor together counts as maintenance of it", async () => {
  const { service, maintenances, text, chips } = await plannedScene();
  await service.admin.createPrivateLocation({ name: "north", monitorIds: ["3"], metadata: {} });
  const work = { title: "Racks", message: "Racks move.", from: "2026-11-22T11:00:00Z" };
  const make = (location: string, to: string) =>
    maintenances.createMaintenance({ ...work, to, privateLocationIds: [location] });
  await make("1", "2026-11-22T13:00:00Z");
  expect(await chips()).toMatchObject({ web: "Maintenance at 1 of 2 locations until 13:00" });
  await make("2", "2026-11-22T12:40:00Z");
  expect(await chips()).toMatchObject({ web: "Maintenance until 12:40" });
  expect(JSON.parse(await text("/monitors/3.json"))).toMatchObject({
    maintenance_until: "2026-11-22T12:40:00.000Z",
  });
});

test("planned maintenance is after a name while one of its windows runs, and next to a silence", async () => {
  const { incidents, maintenances, chips, clock } = await plannedScene();
  const times = { from: "2026-11-22T11:00:00Z", to: "2026-11-22T12:40:00Z" };
  const work = { title: "Racks", message: "Racks move.", ...times };
  await maintenances.createMaintenance({ ...work, monitorIds: ["2"], recurrence: "FREQ=DAILY" });
  await maintenances.createMaintenance({
    ...work,
    from: "2026-11-22T12:30:00Z",
    privateLocationIds: ["1"],
  });
  await incidents.createSilence({ monitorIds: ["2"], until });
  expect(await chips()).toEqual({
    mail: "",
    shop: "Maintenance until 12:40 Silenced until 13:15",
    web: "",
    well: "",
  });
  clock.suspend(hours(0.6));
  expect(await chips("/locations/1")).toEqual({
    web: "Maintenance until 12:40",
    well: "Maintenance until 12:40",
  });
  clock.suspend(hours(1));
  expect(await chips()).toEqual({ mail: "", shop: "", web: "", well: "" });
  clock.suspend(hours(22));
  expect(await chips()).toMatchObject({ shop: "Maintenance until 12:40", web: "" });
});

test("tiles count what is silenced or under maintenance and show it, and all of a tile is selected, as long as it lasts", async () => {
  const { incidents, maintenances, text, chips, clock, post } = await plannedScene();
  const tiles = async (query = "") => {
    const [nav = ""] =
      /aria-label="Monitors by state"[^]*?<\/nav>/.exec(await text(`/${query}`)) ?? [];
    return Object.fromEntries(
      [...nav.matchAll(/<li class="planned">([^]*?)<\/li>/g)].map(([, one = ""]) => {
        const words = one
          .replaceAll(/<[^>]*>/g, " ")
          .replaceAll(/\s+/g, " ")
          .trim();
        const [, name = "", count] = /^(\w+) (.*)$/.exec(words) ?? [];
        return [name, count];
      }),
    );
  };
  expect(await tiles()).toEqual({});
  expect(await tiles("?planned=silenced")).toEqual({ Silenced: "0" });
  await incidents.createSilence({ monitorIds: ["1"], labels: { team: "shop" }, until });
  await incidents.createSilence({ privateLocationIds: ["1"], until });
  const work = { title: "Racks", message: "Racks move.", to: "2026-11-22T12:40:00Z" };
  await maintenances.createMaintenance({
    ...work,
    from: "2026-11-22T11:00:00Z",
    monitorIds: ["1"],
  });
  expect(await tiles()).toEqual({ Silenced: "4", Maintenance: "1" });
  expect(await tiles("?text=w")).toEqual({ Silenced: "2 of 4", Maintenance: "0 of 1" });
  expect(Object.keys(await chips("/?planned=maintenance"))).toEqual(["mail"]);
  expect(Object.keys(await chips("/?planned=silenced&text=w"))).toEqual(["web", "well"]);
  expect(JSON.parse(await text("/overview.json"))).toMatchObject({
    silenced: 4,
    under_maintenance: 1,
  });
  // What is selected is what the tile shows.
  const form = formTokenIn(await text("/monitors/1"));
  const [, seen = ""] =
    /name="seen" value="([^"]*)"/.exec(await text("/?planned=maintenance")) ?? [];
  const all = { form, seen, all: "yes", query: "?planned=maintenance", act: "pause" };
  await post("/monitors/many", all);
  const { monitors } = JSON.parse(await text("/overview.json?sort=name"));
  expect(monitors.map(({ status }: { readonly status: string }) => status)).toEqual([
    "inactive",
    "unknown",
    "unknown",
    "unknown",
  ]);
  clock.suspend(hours(1.5));
  expect(await tiles()).toEqual({});
  expect(await text("/?planned=often")).toContain("planned must be one of silenced, maintenance.");
});

test("the documents of the overview and of a monitor have the same instants", async () => {
  const { incidents, maintenances, text } = await plannedScene();
  await incidents.createSilence({ monitorIds: ["1"], until });
  const times = { from: "2026-11-22T11:00:00Z", to: "2026-11-22T12:40:00Z" };
  await maintenances.createMaintenance({
    title: "Racks",
    message: "Racks move.",
    ...times,
    monitorIds: ["2"],
  });
  const none = { silenced_until: null, maintenance_until: null };
  const silenced = { ...none, silenced_until: "2026-11-22T13:15:00.000Z" };
  const maintained = { ...none, maintenance_until: "2026-11-22T12:40:00.000Z" };
  const { monitors } = JSON.parse(await text("/overview.json?sort=name"));
  expect(monitors).toMatchObject([silenced, maintained, none, none]);
  expect(JSON.parse(await text("/monitors/1.json"))).toMatchObject(silenced);
  expect(JSON.parse(await text("/monitors/2.json"))).toMatchObject(maintained);
});

test("a row of several monitors says how many of them are under maintenance, or silenced", async () => {
  const { service, get } = await operatorScene();
  const { key } = await service.admin.createApiKey({ name: "plan", scope: "write" });
  const { incidents, maintenances } = connectManagement(service.url, key, directWay());
  const row = async () =>
    /<strong[^>]*>(3 monitors.*?)<\/strong>/s
      .exec(await (await get("/")).text())?.[1]
      ?.replaceAll(/<[^>]*>/g, "")
      .replaceAll(/\s+/g, " ");
  expect(await row()).toBe("3 monitors at Warehouse");
  await maintenances.createMaintenance({
    title: "Racks",
    message: "Racks move.",
    from: "2026-11-22T11:00:00Z",
    to: "2026-11-22T12:40:00Z",
    monitorIds: ["7"],
  });
  expect(await row()).toBe("3 monitors at Warehouse Maintenance: 1 of 3");
  await incidents.createSilence({ privateLocationIds: ["2"], until });
  expect(await row()).toBe("3 monitors at Warehouse Maintenance: 1 of 3 Silenced: all 3");
});
