import path from "node:path";
import { expect, test } from "vitest";
import { pictureFreshFor, pictureShownFor } from "#limits/pages-limits";
import { OpenIncidents } from "#service/operator/pictures/open-incidents";
import { CountedStore } from "../../../support/counted-store.ts";
import { FakeClock } from "../../../support/fake-clock.ts";
import { notedIncident } from "../../../support/noted-incident.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { quickFolder } from "../../../support/running-service.ts";
import { byKey, formTokenIn } from "../../../support/signed-in.ts";

/** What the navigation says of incidents; null if it has no number. */
const said = (page: string): string | null =>
  /data-letter="i" data-open="\d+" aria-label="([^"]*)"/.exec(page)?.[1] ?? null;

test("one count serves all who look until the next verdict, and none waits between verdicts", async () => {
  const counted = new CountedStore();
  const database = path.join(quickFolder(), "service.sqlite");
  await using store = await counted.open({ database, use: "command", onProgress: () => {} });
  const clock = new FakeClock();
  const open = new OpenIncidents({ store, clock });
  const isTurned = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  const note = async (id: number): Promise<void> => {
    await store.alerts.incidents.note(notedIncident({ kind: "channel", id }, clock.wall()));
    await isTurned();
  };
  const reads = (): number => counted.count("incidents.list");
  await note(1);
  expect(await Promise.all([open.count(), open.count()])).toEqual([1, 1]);
  expect([await open.count(), reads()]).toEqual([1, 1]);
  await note(2);
  expect([await open.count(), reads()]).toEqual([2, 2]);
  clock.suspend(pictureFreshFor);
  expect([await open.count(), reads()]).toEqual([2, 3]);
  // What is asked of the store later is answered later.
  await store.alerts.channels.count();
  clock.suspend(pictureShownFor);
  expect([await open.count(), reads()]).toEqual([2, 4]);
});

test("every page says how many incidents are open, also after one is deleted with its monitor", async () => {
  const { get, post } = await operatorScene();
  const page = async (to: string): Promise<string> => (await get(to)).text();
  for (const to of ["/", "/incidents", "/channels", "/settings", "/monitors/1", "/monitors/999"])
    expect([to, said(await page(to))]).toEqual([to, "Incidents, 5 open"]);
  const incident = await page("/incidents/7");
  const monitor = /href="(\/monitors\/\d+)"/.exec(incident)?.[1] ?? "";
  const deleted = await post(`${monitor}/delete`, { form: formTokenIn(incident) });
  expect(deleted.status).toBe(303);
  expect(said(await page("/"))).toBe("Incidents, 4 open");
});

test("a page that refuses a form says it as well, and a stranger's says nothing", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  const ann = await byKey(scene, "write");
  const refused = await ann.send("/locations/new", { name: "" });
  expect(refused.status).toBe(422);
  expect(said(await refused.text())).toBe("Incidents, 5 open");
  expect(await (await scene.get("/sign-in")).text()).not.toContain("data-open");
});

test("there is no number while no incident is open", async () => {
  const { get } = await operatorScene({ days: 0 });
  const page = await (await get("/")).text();
  expect(page).toContain('data-letter="i"');
  expect(page).not.toContain("data-open");
});
