import { expect, test } from "vitest";
import { setThingsShown } from "#limits/pages-limits";
import { operatorScene } from "../../../support/operator-scene.ts";

test("the first steps list the newest monitor, then every one that fails, as far as there is room, before those that pass", async () => {
  const { get } = await operatorScene();
  const { monitors } = JSON.parse(await (await get("/overview.json")).text());
  const failing = monitors.filter(({ status }: { status: string }) => status === "error");
  const page = await (await get("/start")).text();
  const [, list = ""] = /<ul class="set-list">(.*?)<\/ul>/s.exec(page) ?? [];
  const listed = [...list.matchAll(/href="\/monitors\/(\d+)"/g)].map(([, id]) => id);
  expect(listed).toHaveLength(setThingsShown);
  expect(failing.length).toBeGreaterThan(0);
  const newest = Math.max(...monitors.map(({ id }: { id: string }) => Number(id)));
  expect(listed[0]).toBe(String(newest));
  const count = Math.min(failing.length, setThingsShown - 1);
  const isFailing = new Set<unknown>(failing.map(({ id }: { id: string }) => id));
  expect(listed.slice(1, count + 1).filter((id) => !isFailing.has(id))).toEqual([]);
});
