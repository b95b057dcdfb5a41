import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

const wordsIn = (page: string): string => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

const work = {
  title: "Upgrade",
  message: "Read-only",
  from: "2026-11-23T22:00",
  to: "2026-11-23T23:00",
  time_zone: "UTC",
  repeat: "once",
};

/** A status page with a monitor, and two components without one. */
async function scene() {
  const { get, post } = await operatorScene();
  const form = formTokenIn(await (await get("/maintenances/new")).text());
  const send = (path: string, fields: Record<string, string>) => post(path, { form, ...fields });
  await send("/status-pages", { title: "Acme", slug: "acme" });
  const without = await (await get("/maintenances/new")).text();
  await send("/status-pages/1/monitors", { monitors: "2" });
  for (const name of ["Help desk", "Phones"]) await send("/status-pages/1/parts", { name });
  const components = async (): Promise<readonly string[]> =>
    JSON.parse(await (await get("/maintenances/1.json")).text()).components;
  const text = async (path: string) => (await get(path)).text();
  return { send, text, components, without };
}

test("the form chooses components of a status page that have no monitor, and asks for none if there are none", async () => {
  const { send, text, components, without } = await scene();
  expect(without).not.toContain("Components without a monitor");
  const form = await text("/maintenances/new");
  expect(wordsIn(form)).toMatch(
    /Components without a monitor Help desk Phones The status page shows/,
  );
  const typed = { ...work, page_id: "1", page_component_ids: "2" };
  const part = await (await send("/maintenances/new", { ...typed, preview: "part" })).text();
  expect(wordsIn(part)).toMatch(/While it is under way [^.]*Help desk/);
  await send("/maintenances/new", typed);
  expect(await components()).toEqual(["2"]);
  const edit = await text("/maintenances/1/edit");
  expect(/name="page_component_ids"\s+value="2"[^>]*checked/.test(edit)).toBe(true);
  await send("/maintenances/1/edit", { ...work, page_id: "1", monitor_ids: "2" });
  expect(await components()).toEqual(["1"]);
});

test("a component of another status page than the chosen one is refused by its name", async () => {
  const { send } = await scene();
  await send("/status-pages", { title: "Beta", slug: "beta" });
  const other = await send("/maintenances/new", { ...work, page_id: "2", page_component_ids: "2" });
  expect([other.status, wordsIn(await other.text())]).toEqual([
    422,
    expect.stringContaining(
      "Components without a monitor have “Help desk”, which the chosen status page does not show: untick it, or choose its page",
    ),
  ]);
  const typed = { ...work, monitor_ids: "2", page_component_ids: "2" };
  const none = await send("/maintenances/new", typed);
  const words = wordsIn(await none.text());
  expect(words).toContain(
    "Components without a monitor need a status page: choose the one that shows them",
  );
  expect(words).toContain("Help desk (Acme)");
});
