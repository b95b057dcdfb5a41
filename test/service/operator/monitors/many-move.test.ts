import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { operatorScene } from "../../../support/operator-scene.ts";
import { sentForm } from "../../../support/sent-form.ts";

type Scene = Awaited<ReturnType<typeof operatorScene>>;

/** Three monitors: one at Berlin, one at Berlin and Office, and one nowhere; Warehouse has none. */
async function threeMonitors() {
  const scene = await operatorScene({ days: 0 });
  const { admin } = scene.service;
  for (const name of ["a", "b", "c"])
    await admin.createMonitor(
      { ...httpDefaults, name, url: "https://web.test/", periodicity: "1m", active: true },
      "management",
    );
  const places = { Berlin: ["1", "2"], Office: ["2"], Warehouse: [] };
  for (const [name, monitorIds] of Object.entries(places))
    await admin.createPrivateLocation({ name, monitorIds, metadata: {} });
  return scene;
}

/** Which monitors each location has. */
async function assigned({ get }: Scene): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  for (const [index, name] of ["Berlin", "Office", "Warehouse"].entries()) {
    const page = await (await get(`/?location=${index + 1}&sort=name`)).text();
    found[name] = [...page.matchAll(/aria-label="Select (\w)"/g)].map(([, one = ""]) => one);
  }
  return found;
}

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
  for (const id of [1, 2, 3]) {
    const log = await (await scene.get(`/changes?kind=location&id=${id}`)).text();
    expect(log).toContain("a person on this machine");
    expect(log.match(/changed/g)?.length ?? 0).toBeGreaterThan(0);
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
