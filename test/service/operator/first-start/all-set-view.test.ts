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

test("the first steps say what comes next of a rehearsal that was just made, and look often until it has a result", async () => {
  const here = await operatorScene();
  const form = await (await here.get("/monitors/new")).text();
  const token = /name="form" value="([^"]+)"/.exec(form)?.[1] ?? "";
  const made = async (name: string, uri: string, heard: Record<string, string>) => {
    const asked = { kind: "tcp", name, uri, periodicity: "30s", locations: "1" };
    const values = { form: token, ...asked, ...heard, next: "/start" };
    const path = (await here.post("/monitors/new", values)).headers.get("location") ?? "";
    return { path, page: (await (await here.get(path)).text()).replaceAll(/\s+/g, " ") };
  };
  const rehearsal = await made("Rehearsal", "127.0.0.1:1", { notifications: "1", active: "yes" });
  expect(rehearsal.path).toBe("/start?made=rehearsal");
  expect(rehearsal.page).toContain("and its first message comes in about 10 s.");
  expect(rehearsal.page).toContain('<ol class="steps" data-renew-every="2000"');
  const silent = await made("Rehearsal 2", "127.0.0.1:1", { active: "yes" });
  expect(silent.page).toContain("but no channel is notified of it.");
  const other = await made("museum", "127.0.0.1:2", { active: "yes" });
  expect(other.path).toBe("/start?made=monitor");
  const paused = await made("harbour", "127.0.0.1:3", {});
  expect(paused.page).toContain("harbour is made, and paused: nothing is checked.");
  expect(other.page).toContain("museum is made: its first result comes in a few seconds.");
});
