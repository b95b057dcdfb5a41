import { expect, test } from "vitest";
import { setThingsShown } from "#limits/pages-limits";
import { operatorScene } from "../../../support/operator-scene.ts";

test("the first steps list every monitor that fails, as far as there is room, before those that pass", async () => {
  const { get } = await operatorScene();
  const { monitors } = JSON.parse(await (await get("/overview.json")).text());
  const failing = monitors.filter(({ status }: { status: string }) => status === "error");
  const page = await (await get("/start")).text();
  const [, list = ""] = /<ul class="set-list">(.*?)<\/ul>/s.exec(page) ?? [];
  const listed = [...list.matchAll(/href="\/monitors\/(\d+)"/g)].map(([, id]) => id);
  expect(listed).toHaveLength(setThingsShown);
  expect(failing.length).toBeGreaterThan(0);
  const count = Math.min(failing.length, setThingsShown);
  const isFailing = new Set<unknown>(failing.map(({ id }: { id: string }) => id));
  expect(listed.slice(0, count).filter((id) => !isFailing.has(id))).toEqual([]);
});
