import { expect, test } from "vitest";
import { nameOrder } from "#base/name-order";
import { operatorScene } from "../../../support/operator-scene.ts";

/** The values of the menu, the first of which is for all. */
const offeredIn = (page: string): readonly string[] => {
  const [, menu = ""] = /<select[^>]*name="monitor"[^>]*>(.*?)<\/select>/s.exec(page) ?? [];
  return [...menu.matchAll(/<option value="(\d+)"/g)].map(([, id = ""]) => id);
};

test("the filter of incidents offers the monitors that had some, by their names, and the one that is chosen", async () => {
  const here = await operatorScene();
  const { incidents } = JSON.parse(await (await here.get("/incidents.json")).text());
  const { monitors } = JSON.parse(await (await here.get("/overview.json")).text());
  const had = incidents
    .filter(({ kind }: { kind: string }) => kind === "monitor")
    .map(({ subject_id: id }: { subject_id: string }) => id);
  const offered = offeredIn(await (await here.get("/incidents")).text());
  const names = new Map<string, string>(
    monitors.map(({ id, name }: { id: string; name: string }) => [id, name] as const),
  );
  const byName = (a: string, b: string) => nameOrder(names.get(a) ?? "", names.get(b) ?? "");
  expect(offered).toEqual([...new Set<string>(had)].toSorted(byName));
  const all: readonly string[] = monitors.map(({ id }: { id: string }) => id);
  const calm = all.find((id) => !offered.includes(id)) ?? "";
  expect(calm).not.toBe("");
  const chosen = offeredIn(await (await here.get(`/incidents?monitor=${calm}`)).text());
  expect(chosen).toEqual([calm, ...offered].toSorted(byName));
});
