import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { locationLabelsMax } from "#limits/check-limits";
import * as limits from "#limits/pages-limits";
import { StoreFault } from "#service/store/store-fault";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

/** A service with so many monitors, each with a label, and one location. */
async function sceneOf(
  count: number,
  team: (index: number) => string = () => "web",
  others: Record<string, string> = {},
  opensStore = openStoreHere,
) {
  const scene = await operatorScene({ days: 0, opensStore });
  const { admin } = scene.service;
  for (let index = 1; index <= count; index += 1)
    await admin.createMonitor(
      {
        ...httpDefaults,
        name: `web ${index}`,
        periodicity: "1m",
        url: "https://web.test",
        active: true,
        labels: { team: team(index), ...(index === 1 ? others : {}) },
      },
      "management",
    );
  await admin.createPrivateLocation({ name: "office", monitorIds: [], metadata: {} });
  const form = formTokenIn(await (await scene.get("/")).text());
  const send = async (to: string, fields: Record<string, string>) => {
    const answer = await scene.post(to, { form, ...fields });
    expect(answer.status).toBe(303);
    return answer.headers.get("location") ?? "";
  };
  /** Does it with all of them, and gives the word of its undo. */
  const doAll = async (fields: Record<string, string>) => {
    const [, seen = ""] =
      /name="seen" value="([^"]*)"/.exec(await (await scene.get("/")).text()) ?? [];
    const led = await send("/monitors/many", { all: "yes", query: "", seen, ...fields });
    return new URL(led, "http://service.test").searchParams.get("undo") ?? "";
  };
  const undo = (word: string) => send("/monitors/many/undo", { undo: word, query: "" });
  const said = async (to: string) =>
    (await (await scene.get(to)).text()).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  const monitors = async (): Promise<readonly { name: string; labels: { team?: string } }[]> =>
    JSON.parse(await (await scene.get("/overview.json")).text()).monitors;
  const teams = async () =>
    Object.fromEntries((await monitors()).map(({ name, labels }) => [name, labels.team]));
  const pressUndo = async (word: string) =>
    (await scene.post("/monitors/many/undo", { form, undo: word, query: "" })).status;
  /** The values of the boxes that are ticked; `yes` is that of all that the search finds. */
  const picked = async (to: string) =>
    [
      ...(await (await scene.get(to)).text()).matchAll(/value="([^"]*)"\s+form="many"\s+checked/g),
    ].map(([, value]) => value);
  return { send, doAll, undo, pressUndo, said, teams, picked };
}

test("an undo that a location refuses says so, and can be done once the location is back", async () => {
  const { send, doAll, undo, said } = await sceneOf(2);
  await doAll({ act: "assign", location: "1" });
  const word = await doAll({ act: "unassign", location: "1" });
  await send("/locations/1/delete", {});
  const refused = await undo(word);
  expect(refused).toBe(`/?notice=refused&undo=${word}`);
  expect(await said(refused)).toMatch(/Nothing is undone: the location is deleted.*You can undo/);
  await send("/undo", { kind: "location", ids: "1" });
  expect(await undo(word)).toBe("/?notice=undone.2.0&picked=1-1");
  expect(await undo(word)).toBe("/?notice=late");
});

test("after an undo, each monitor is ticked by itself, and not the box for all that the search finds", async () => {
  const { doAll, undo, picked } = await sceneOf(2);
  const all = await undo(await doAll({ act: "label", key: "team", value: "shop" }));
  expect(all).toBe("/?notice=undone.2.0&picked=1-1");
  expect(await picked(all)).toEqual(["1", "2"]);
  expect(await picked("/?picked=1")).toEqual(["1"]);
  expect(await picked("/")).toEqual([]);
});

test("an undo leaves what someone else changed since, and says how many", async () => {
  const { send, doAll, undo, said, teams } = await sceneOf(3);
  const word = await doAll({ act: "label", key: "team", value: "shop" });
  await send("/monitors/many", { act: "label", key: "team", value: "pay", monitor: "2" });
  const undone = await undo(word);
  expect(undone).toBe("/?notice=undone.2.1&picked=1-2");
  expect(await said(undone)).toContain("Undone: 2 monitors are as before. 1 monitor stays as now");
  expect(await teams()).toEqual({ "web 1": "web", "web 2": "pay", "web 3": "web" });
});

test("an undo in whose middle the database fails is pressed again, and does the rest", async () => {
  let changes = 0;
  const { doAll, undo, pressUndo, teams } = await sceneOf(
    3,
    (index) => `team-${index}`,
    {},
    async (place) => {
      const store = await openStoreHere(place);
      const { monitors } = store.state;
      const changeEach: typeof monitors.changeEach = (...asked) => {
        changes += 1;
        if (changes === 3) throw new StoreFault("store_unreachable", "away for a moment");
        return monitors.changeEach(...asked);
      };
      return { ...store, state: { ...store.state, monitors: { ...monitors, changeEach } } };
    },
  );
  const word = await doAll({ act: "label", key: "team", value: "shop" });
  expect(await pressUndo(word)).toBe(503);
  expect(await undo(word)).toBe("/?notice=undone.2.1&picked=1-2");
  expect(await teams()).toEqual({ "web 1": "team-1", "web 2": "team-2", "web 3": "team-3" });
  expect(await undo(word)).toBe("/?notice=late");
});

test("an act on many that has more values to go back to than one undo says that it cannot be undone", async () => {
  const { doAll, said, teams } = await sceneOf(limits.undoStepsMax + 1, (index) => `team-${index}`);
  expect(await doAll({ act: "unlabel", key: "team" })).toBe("none");
  expect((await teams())["web 1"]).toBeUndefined();
  const count = limits.undoStepsMax + 1;
  expect(await said(`/?notice=unlabel.${count}.0&undo=none`)).toContain(
    `${count} monitors are without the label. You cannot undo this.`,
  );
});

test("one monitor that may not have its label again does not keep the others from it", async () => {
  const others = Array.from({ length: locationLabelsMax - 1 }, (_, index) => [
    `label-${index}`,
    "x",
  ]);
  const { send, doAll, undo, teams } = await sceneOf(2, undefined, Object.fromEntries(others));
  const word = await doAll({ act: "unlabel", key: "team" });
  await send("/monitors/many", { act: "label", key: "more", value: "x", monitor: "1" });
  expect(await undo(word)).toBe("/?notice=undone.1.1&picked=1-1");
  expect(await teams()).toEqual({ "web 1": undefined, "web 2": "web" });
});
