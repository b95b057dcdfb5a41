import path from "node:path";
import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { offeredPlaces } from "#service/operator/monitors/monitor-places";
import type { Service } from "#service/server";
import { applyFile } from "../../../support/applied-file.ts";
import { agentBeat } from "../../../support/agent-beat.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { quickFolder } from "../../../support/running-service.ts";
import { sentForm } from "../../../support/sent-form.ts";
import { byKey } from "../../../support/signed-in.ts";

test("a new monitor's form says which channels get it without being ticked", async () => {
  const ann = await byKey(await operatorScene({ pages: "signed in", days: 0 }), "write");
  expect(await ann.text("/monitors/new")).toContain(
    "There is no location and no channel yet. Next: create them. The first ones are for all monitors, unless you say otherwise.",
  );
  const slack = {
    webhook_url: "https://hooks.slack.com/services/T0/B0/x",
    events: "error",
    time_zone: "UTC",
    all_monitors: "yes",
  };
  await ann.send("/channels/new/slack", { ...slack, name: "ops" });
  const page = await ann.text("/monitors/new");
  expect(page).toContain("ops is notified of all monitors.");
  expect(page).not.toContain("needs no tick");
  // Only locations are still to be made: that is said in one line, in place of their field.
  expect(page).toContain(
    "There is no location yet. Next: create one. The first one runs all monitors, unless you say otherwise.",
  );
  expect(page).not.toContain('id="field-locations"');
});

test("a channel whose events have no failures is not said to be notified when a monitor fails", async () => {
  const ann = await byKey(await operatorScene({ pages: "signed in", days: 0 }), "write");
  const planned = {
    name: "planned",
    webhook_url: "https://hooks.slack.com/services/T0/B0/x",
    events: "maintenance",
    time_zone: "UTC",
    all_monitors: "yes",
  };
  await ann.send("/channels/new/slack", planned);
  const page = await ann.text("/monitors/new");
  expect(page).toContain(">No channel takes its failures, so no one is notified when it fails.<");
  expect(page).not.toContain("planned is notified");
});

test("the form of a new monitor opens however many monitors there are", async () => {
  const database = path.join(quickFolder(), "service.sqlite");
  await using store = await openStoreHere({ database, use: "service", onProgress: () => {} });
  const monitors = Array.from({ length: 200_000 }, (_, index) => ({
    id: index + 1,
    name: "shop",
    owner: "",
  }));
  const { chosen, choices } = await offeredPlaces({ store }, { monitors, locations: [] }, null);
  expect(chosen).toEqual({ locations: [], channels: [] });
  expect(choices.depends_on).toHaveLength(200_000);
});

const locationIn = async (service: Service, name: string): Promise<{ readonly token: string }> =>
  service.admin.createPrivateLocation({ name, monitorIds: [], metadata: {} });

test.each([
  [1, 0, [1]],
  [2, 0, [1, 2]],
  [2, 1, [1]],
  [3, 3, [1, 2, 3]],
  [4, 2, [1, 2]],
  [4, 4, []],
])(
  "with %i locations, %i of which have a running agent, the form of a new monitor has those ticked: %j",
  async (count, running, ticked) => {
    const { service, get } = await operatorScene({ days: 0 });
    for (let number = 1; number <= count; number += 1) {
      const { token } = await locationIn(service, `place ${number}`);
      if (number <= running) await agentBeat(service.url, token);
    }
    const form = sentForm(await (await get("/monitors/new")).text(), "/monitors/new");
    expect(form.getAll("locations").map(Number)).toEqual(ticked);
  },
);

test("with many locations and channels, a new monitor has those of the last one that was made on the pages", async () => {
  const scene = await operatorScene({ days: 0 });
  for (let number = 1; number <= 4; number += 1) {
    const { token } = await locationIn(scene.service, `place ${number}`);
    await agentBeat(scene.service.url, token);
  }
  const formAt = async (path: string) => sentForm(await (await scene.get(path)).text(), path);
  for (const name of ["ops", "tickets"]) {
    const channel = await formAt("/channels/new/slack");
    channel.set("name", name);
    channel.set("webhook_url", `https://hooks.slack.com/services/T0/B0/${name}`);
    channel.delete("all_monitors");
    expect((await scene.post("/channels/new/slack", channel)).status).toBe(303);
  }
  const first = await formAt("/monitors/new");
  expect([first.getAll("locations"), first.getAll("notifications")]).toEqual([[], []]);
  first.set("url", "https://shop.example/");
  for (const id of ["2", "4"]) first.append("locations", id);
  first.append("notifications", "2");
  expect((await scene.post("/monitors/new", first)).status).toBe(303);
  const second = await formAt("/monitors/new");
  expect([second.getAll("locations"), second.getAll("notifications")]).toEqual([["2", "4"], ["2"]]);
});

test("a monitor that nothing would check is saved by one more press, unless it is paused or was so before", async () => {
  const scene = await operatorScene({ days: 0 });
  await locationIn(scene.service, "office");
  const text = async (path: string): Promise<string> => (await scene.get(path)).text();
  const typed = sentForm(await text("/monitors/new"), "/monitors/new");
  typed.set("url", "https://shop.example/");
  typed.set("name", "Shop");
  typed.delete("locations");
  const asked = await scene.post("/monitors/new", typed);
  const page = await asked.text();
  expect([asked.status, page.replaceAll(/\s+/g, " ")]).toEqual([
    200,
    expect.stringMatching(
      /Nothing will check this monitor\. <a href="#field-locations">Choose a location<\/a>, or save it anyway\./,
    ),
  ]);
  const kept = sentForm(page, "/monitors/new");
  expect([kept.get("name"), kept.get("url")]).toEqual(["Shop", "https://shop.example/"]);
  expect((await scene.post("/monitors/new", kept)).status).toBe(303);
  const edited = sentForm(await text("/monitors/1/edit"), "/monitors/1/edit");
  expect((await scene.post("/monitors/1/edit", edited)).status).toBe(303);
  typed.delete("active");
  typed.set("name", "paused");
  expect((await scene.post("/monitors/new", typed)).status).toBe(303);
});

test("a monitor of a service without locations is saved at once, and one that loses its last location asks", async () => {
  const scene = await operatorScene({ days: 0 });
  const text = async (path: string): Promise<string> => (await scene.get(path)).text();
  const typed = sentForm(await text("/monitors/new"), "/monitors/new");
  typed.set("url", "https://shop.example/");
  expect((await scene.post("/monitors/new", typed)).status).toBe(303);
  const location = { ...httpDefaults, name: "other", url: "https://other.example/", active: true };
  const { id } = await scene.service.admin.createMonitor(
    { ...location, periodicity: "1m" },
    "management",
  );
  await scene.service.admin.createPrivateLocation({
    name: "office",
    monitorIds: [id],
    metadata: {},
  });
  const edited = sentForm(await text(`/monitors/${id}/edit`), `/monitors/${id}/edit`);
  expect(edited.getAll("locations")).toEqual(["1"]);
  edited.delete("locations");
  const asked = await scene.post(`/monitors/${id}/edit`, edited);
  expect([asked.status, await asked.text()]).toEqual([
    200,
    expect.stringContaining("Nothing will check this monitor."),
  ]);
});

test("the last location or channel that was deleted in another tab is named by its field, which stays", async () => {
  const scene = await operatorScene({ days: 0 });
  await locationIn(scene.service, "office");
  const formAt = async (at: string) => sentForm(await (await scene.get(at)).text(), at);
  const channel = await formAt("/channels/new/slack");
  channel.set("webhook_url", "https://hooks.slack.com/services/T0/B0/x");
  channel.delete("all_monitors");
  expect((await scene.post("/channels/new/slack", channel)).status).toBe(303);
  const typed = await formAt("/monitors/new");
  expect([typed.get("locations"), typed.get("notifications")]).toEqual(["1", "1"]);
  typed.set("url", "https://shop.example/");
  for (const [name, field, words] of [
    ["locations", "locations", "Locations have one that was deleted meanwhile"],
    ["channels", "notifications", "Channels have one that was deleted meanwhile"],
  ] as const) {
    const sure = await formAt(`/${name}/1/delete`);
    expect((await scene.post(`/${name}/1/delete`, sure)).status).toBe(303);
    const refused = await scene.post("/monitors/new", typed);
    const page = (await refused.text()).replaceAll(/\s+/g, " ");
    expect([refused.status, page]).toEqual([422, expect.stringContaining(words)]);
    expect(page).toContain(`<a href="#field-${field}"`);
    expect(page).toContain(`id="field-${field}"`);
    typed.delete(field);
  }
});

const shopOfFiles = {
  owner: "team-shop",
  monitors: [
    {
      config: { http: { name: "shop", url: "https://shop.test/", periodicity: "PERIODICITY_1M" } },
    },
  ],
  locations: [
    { name: "office", metadata: {}, monitors: [{ kind: "http", name: "shop" }] },
    { name: "factory", metadata: {}, monitors: [] },
  ],
  channels: [
    {
      name: "pager",
      provider: "NOTIFICATION_PROVIDER_WEBHOOK",
      data: { webhook: { endpoint: "https://hook.test/x" } },
    },
  ],
};

/** The boxes that no one can tick, with a mark at those that are. */
const fixedIn = (page: string): readonly string[] =>
  [...page.matchAll(/disabled(\s+checked)?\s+\/>\s+(\w+)<\/label/g)].map(
    ([, isTicked, name]) => `${name}${isTicked === undefined ? "" : " ticked"}`,
  );

test("a new monitor is shown which locations and channels belong to files, how to get another, and can be tried from there", async () => {
  const scene = await operatorScene({ days: 0 });
  await applyFile(scene.service, shopOfFiles);
  const textOf = async (at: string) => (await (await scene.get(at)).text()).replaceAll(/\s+/g, " ");
  const page = await textOf("/monitors/new");
  expect(fixedIn(page)).toEqual(["factory", "office", "pager"]);
  expect(page).toContain(
    'factory and office belong to files: a monitor made here cannot be given to them. Add it to the files, or <a href="/locations/new">make a location</a> here.',
  );
  expect(page).toContain("The target is checked by no one yet: every location belongs to files.");
  expect(page).toContain(
    "No one is notified when it fails.</span > pager belongs to files, which say what it is notified of.",
  );
  expect(page.match(/<option value="\d+" ?>(?:factory|office)</g)).toHaveLength(2);
  await locationIn(scene.service, "branch");
  const own = await textOf("/monitors/new");
  expect(fixedIn(own)).toEqual(["factory", "office", "pager"]);
  expect(own).toContain("factory and office belong to files, which say what each checks.");
  expect(own).not.toContain("make a location");
});

test("the form of a monitor says at which locations of files it is, and changes nothing of that", async () => {
  const scene = await operatorScene({ days: 0 });
  const { service } = scene;
  await service.admin.createMonitor(
    { ...httpDefaults, name: "ours", url: "https://ours.test/", periodicity: "1m", active: true },
    "management",
  );
  const monitors = ["shop", "ours"].map((name) => ({ kind: "http", name }));
  const [office, factory] = shopOfFiles.locations;
  await applyFile(service, { ...shopOfFiles, locations: [{ ...office, monitors }, factory] });
  const page = (await (await scene.get("/monitors/1/edit")).text()).replaceAll(/\s+/g, " ");
  expect(fixedIn(page)).toEqual(["office ticked", "factory", "pager"]);
  expect(page).toContain("https://ours.test/ is checked every minute from office.");
  const edited = sentForm(page, "/monitors/1/edit");
  edited.set("retry", "2");
  expect((await scene.post("/monitors/1/edit", edited)).status).toBe(303);
  expect(fixedIn(await (await scene.get("/monitors/1/edit")).text())).toContain("office ticked");
});

test("a channel for labels or a location is said to be notified only of a monitor that has them", async () => {
  const ann = await byKey(await operatorScene({ pages: "signed in", days: 0 }), "write");
  const slack = {
    webhook_url: "https://hooks.slack.com/services/T0/B0/x",
    events: "error",
    time_zone: "UTC",
    all_monitors: "yes",
  };
  const ofTeam = { "labels[0].key": "team", "labels[0].value": "web" };
  await ann.send("/channels/new/slack", { ...slack, ...ofTeam, name: "Web team" });
  const only = "Web team is notified only of monitors with the label team:web.";
  const wordsOf = (page: string): string => page.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
  const empty = wordsOf(await ann.text("/monitors/new"));
  expect(empty.split(`No one is notified when it fails. ${only}`)).toHaveLength(3);
  const typed = { url: "https://shop.example/", name: "Shop", rows: "add labels" };
  const answer = await ann.send("/monitors/new", { ...typed, ...ofTeam });
  const page = wordsOf(await answer.text());
  expect(page.split("Web team is notified when it fails.")).toHaveLength(3);
  expect(page).not.toContain("Web team is notified only");
  await ann.send("/channels/new/slack", { ...slack, name: "Operations" });
  for (const kind of ["tcp", "http"]) {
    const words = wordsOf(await ann.text(`/monitors/new?kind=${kind}`));
    expect(words).toContain(`Operations is notified when it fails. ${only}`);
    expect(words).toContain(`Operations is notified of all monitors. ${only}`);
  }
});
