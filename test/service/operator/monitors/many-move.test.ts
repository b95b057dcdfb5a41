import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { undoStepsMax } from "#limits/pages-limits";
import type { MonitorChange } from "#service/store/monitor-change";
import { StoreFault } from "#service/store/store-fault";
import { applyFile } from "../../../support/applied-file.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { sentForm } from "../../../support/sent-form.ts";

type Scene = Awaited<ReturnType<typeof operatorScene>>;

/** Three monitors: one at Berlin, one at Berlin and Office, and one nowhere; Warehouse has none. */
async function threeMonitors(
  more: Readonly<Record<string, readonly string[]>> = {},
  opensStore = openStoreHere,
) {
  const scene = await operatorScene({ days: 0, opensStore });
  const { admin } = scene.service;
  for (const name of ["a", "b", "c"])
    await admin.createMonitor(
      { ...httpDefaults, name, url: "https://web.test/", periodicity: "1m", active: true },
      "management",
    );
  const places = { Berlin: ["1", "2"], Office: ["2"], Warehouse: [], ...more };
  for (const [name, monitorIds] of Object.entries(places))
    await admin.createPrivateLocation({ name, monitorIds: [...monitorIds], metadata: {} });
  return scene;
}

/** Which monitors each location has. */
async function assigned(
  { get }: Scene,
  more: readonly string[] = [],
): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  for (const [index, name] of ["Berlin", "Office", "Warehouse", ...more].entries()) {
    const page = await (await get(`/?location=${index + 1}&sort=name`)).text();
    found[name] = [...page.matchAll(/aria-label="Select (\w)"/g)].map(([, one = ""]) => one);
  }
  return found;
}

const saidAt = async ({ get }: Scene, path: string): Promise<string> =>
  (await (await get(path)).text()).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

async function move(
  { get, post }: Scene,
  fields: Readonly<Record<string, string>>,
  ids: readonly string[] = ["1", "2", "3"],
): Promise<Response> {
  const sent = sentForm(await (await get("/")).text(), "/monitors/many");
  for (const [name, value] of Object.entries({ act: "move", ...fields })) sent.set(name, value);
  for (const id of ids) sent.append("monitor", id);
  return post("/monitors/many", sent);
}

test("a move of many leaves them at the chosen location alone, and its undo gives each its own ones back", async () => {
  const scene = await threeMonitors();
  const before = await assigned(scene);
  expect(before).toEqual({ Berlin: ["a", "b"], Office: ["b"], Warehouse: [] });
  const led = (await move(scene, { location: "2" })).headers.get("location") ?? "";
  expect(led).toMatch(/^\/\?notice=move\.3\.0&undo=/);
  expect(await assigned(scene)).toEqual({ Berlin: [], Office: ["a", "b", "c"], Warehouse: [] });
  const page = await (await scene.get(led)).text();
  expect(page).toContain("3 monitors are moved to the location.");
  const undone = await scene.post("/monitors/many/undo", sentForm(page, "/monitors/many/undo"));
  expect(undone.headers.get("location")).toBe("/?notice=undone.3.0&picked=1-2");
  expect(await assigned(scene)).toEqual(before);
});

test("a move leaves monitors that are not selected where they are, and the audit log has each location", async () => {
  const scene = await threeMonitors();
  await move(scene, { location: "3" }, ["2"]);
  expect(await assigned(scene)).toEqual({ Berlin: ["a"], Office: [], Warehouse: ["b"] });
  const changes = [
    "Berlin Monitors: removed b",
    "Office Monitors: removed b",
    "Warehouse Monitors: added b",
  ];
  for (const [index, change] of changes.entries()) {
    const log = await saidAt(scene, `/changes?kind=location&id=${index + 1}`);
    expect(log).toContain(`a person on this machine changed location ${change} `);
    expect(log.match(/changed location/g)).toHaveLength(1);
  }
});

test("an undo of a move leaves a monitor that someone assigned anew meanwhile, and says so", async () => {
  const scene = await threeMonitors();
  const led = (await move(scene, { location: "3" })).headers.get("location") ?? "";
  await move(scene, { act: "assign", location: "1" }, ["1"]);
  const page = await (await scene.get(led)).text();
  const undone = await scene.post("/monitors/many/undo", sentForm(page, "/monitors/many/undo"));
  expect(undone.headers.get("location")).toMatch(/^\/\?notice=undone\.2\.1&/);
  expect(await assigned(scene)).toEqual({ Berlin: ["a", "b"], Office: ["b"], Warehouse: [] });
});

test("a move to a location that is not there changes nothing", async () => {
  const scene = await threeMonitors();
  expect((await move(scene, { location: "9" })).status).toBe(404);
  expect(await assigned(scene)).toEqual({ Berlin: ["a", "b"], Office: ["b"], Warehouse: [] });
});

test("a move from more than three locations is undone as a whole, and asks each location for its own monitors alone", async () => {
  const asked: string[] = [];
  const more = { Depot: ["1", "3"], Lab: ["3"], Shop: ["1"] };
  const names = Object.keys(more);
  const scene = await threeMonitors(
    more,
    watched((ids, { location }) => {
      asked.push(`${ids.join(" ")} at ${location}`);
    }),
  );
  const before = await assigned(scene, names);
  const led = (await move(scene, { location: "3" })).headers.get("location") ?? "";
  expect(asked.toSorted()).toEqual([
    "1 2 3 at 3",
    "1 2 at 1",
    "1 3 at 4",
    "1 at 6",
    "2 at 2",
    "3 at 5",
  ]);
  const nowhere = { Berlin: [], Office: [], Depot: [], Lab: [], Shop: [] };
  expect(await assigned(scene, names)).toEqual({ ...nowhere, Warehouse: ["a", "b", "c"] });
  const page = await (await scene.get(led)).text();
  await scene.post("/monitors/many/undo", sentForm(page, "/monitors/many/undo"));
  expect(await assigned(scene, names)).toEqual(before);
});

test("a move in whose middle the database fails says so, and its undo gives back what was moved", async () => {
  let isAway = true;
  const scene = await threeMonitors(
    {},
    watched((_ids, { location }) => {
      if (location === 2 && isAway) throw new StoreFault("store_unreachable", "away for a moment");
    }),
  );
  const before = await assigned(scene);
  const led = (await move(scene, { location: "3" })).headers.get("location") ?? "";
  isAway = false;
  expect(led).toMatch(/^\/\?notice=stopped\.3\.0&undo=/);
  expect(await assigned(scene)).toEqual({ Berlin: [], Office: ["b"], Warehouse: ["a", "b", "c"] });
  expect(await saidAt(scene, led)).toMatch(
    /The move stopped in the middle: the database did not answer. 3 monitors are at the location.*You can undo this until/,
  );
  const page = await (await scene.get(led)).text();
  await scene.post("/monitors/many/undo", sentForm(page, "/monitors/many/undo"));
  expect(await assigned(scene)).toEqual(before);
});

test("a move that is too large for one undo moves nothing, and says to select fewer", async () => {
  const many = Array.from(
    { length: undoStepsMax - 2 },
    (_, n) => [`Site ${n + 1}`, ["3"]] as const,
  );
  const scene = await threeMonitors(Object.fromEntries(many));
  const before = await assigned(scene);
  const led = (await move(scene, { location: "3" })).headers.get("location") ?? "";
  expect(led).toMatch(/^\/\?notice=far\.50\.0&/);
  expect(await saidAt(scene, led)).toContain(
    "Nothing is moved: a move from 50 other locations at once cannot be undone. Select fewer monitors, then press Move again.",
  );
  expect(await assigned(scene)).toEqual(before);
  const fewer = (await move(scene, { location: "3" }, ["2", "3"])).headers.get("location") ?? "";
  expect(fewer).toMatch(/^\/\?notice=far/);
  const one = (await move(scene, { location: "3" }, ["3"])).headers.get("location") ?? "";
  expect(one).toMatch(/^\/\?notice=move\.1\.0&undo=[\w-]{22}/);
});

test("a move from a location that files manage moves nothing, also not from the other locations", async () => {
  const scene = await threeMonitors();
  await applyFile(scene.service, {
    owner: "team-shop",
    locations: [{ name: "Vault", metadata: {}, monitors: [{ kind: "http", name: "b" }] }],
  });
  const before = await assigned(scene, ["Vault"]);
  expect(before).toEqual({ Berlin: ["a", "b"], Office: ["b"], Warehouse: [], Vault: ["b"] });
  const refused = await move(scene, { location: "3" });
  expect(await refused.text()).toMatch(
    /the location &quot;Vault&quot; is managed by the files of team-shop: change it there/i,
  );
  expect(await assigned(scene, ["Vault"])).toEqual(before);
});

/** A store that shows each change of many before it is made. */
const watched =
  (seen: (ids: readonly number[], change: Extract<MonitorChange, { kind: "location" }>) => void) =>
  async (place: Parameters<typeof openStoreHere>[0]) => {
    const store = await openStoreHere(place);
    const { monitors } = store.state;
    const changeEach: typeof monitors.changeEach = (ids, change, ...rest) => {
      if (change.kind === "location") seen(ids, change);
      return monitors.changeEach(ids, change, ...rest);
    };
    return { ...store, state: { ...store.state, monitors: { ...monitors, changeEach } } };
  };
