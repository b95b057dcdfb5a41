import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";

/** The values of the menu, the first of which is for all. */
const offeredIn = (page: string): readonly string[] => {
  const [, menu = ""] = /<select[^>]*name="monitor"[^>]*>(.*?)<\/select>/s.exec(page) ?? [];
  return [...menu.matchAll(/<option value="(\d+)"/g)].map(([, id = ""]) => id);
};

test("the filter of incidents offers the monitors that had some, the newest first, and the one that is chosen", async () => {
  const here = await operatorScene();
  const { incidents } = JSON.parse(await (await here.get("/incidents.json")).text());
  const { monitors } = JSON.parse(await (await here.get("/overview.json")).text());
  const had = incidents
    .filter(({ kind }: { kind: string }) => kind === "monitor")
    .toSorted((a: { number: number }, b: { number: number }) => b.number - a.number)
    .map(({ subject_id: id }: { subject_id: string }) => id);
  const offered = offeredIn(await (await here.get("/incidents")).text());
  expect(offered).toEqual([...new Set(had)]);
  const all: readonly string[] = monitors.map(({ id }: { id: string }) => id);
  const calm = all.find((id) => !offered.includes(id)) ?? "";
  expect(calm).not.toBe("");
  const chosen = offeredIn(await (await here.get(`/incidents?monitor=${calm}`)).text());
  expect(chosen).toEqual([calm, ...offered]);
});
