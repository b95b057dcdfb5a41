import path from "node:path";
import { expect, test } from "vitest";
import { openIncidentsWaitMax, pictureFreshFor, pictureShownFor } from "#limits/pages-limits";
import { htmlAnswer } from "#service/edge/page-answer";
import { navigation } from "#service/operator/navigation";
import { OpenIncidents } from "#service/operator/pictures/open-incidents";
import type { IncidentChange } from "#service/store/alert-store";
import { StoreFault } from "#service/store/store-fault";
import { CountedStore } from "../../../support/counted-store.ts";
import { FakeClock } from "../../../support/fake-clock.ts";
import { notedIncident } from "../../../support/noted-incident.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { quickFolder } from "../../../support/running-service.ts";
import { byKey, formTokenIn } from "../../../support/signed-in.ts";

/** What the navigation says of incidents; null if it has no number. */
const said = (page: string): string | null =>
  /data-letter="i"(?: data-open="\d+")? title="[^"]*" aria-label="([^"]*)"/.exec(page)?.[1] ?? null;

/** So many that are open, of which no one has acknowledged any. */
const waiting = (open: number) => ({ open, acknowledged: 0 });

test("one count serves all who look until an incident opens or ends, and none waits until then", async () => {
  const counted = new CountedStore();
  const database = path.join(quickFolder(), "service.sqlite");
  await using store = await counted.open({ database, use: "command", onProgress: () => {} });
  const clock = new FakeClock();
  const open = new OpenIncidents({ store, clock });
  const isTurned = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  const keep = async (change: IncidentChange): Promise<void> => {
    await store.alerts.incidents.note(change);
    await isTurned();
  };
  const opened = (id: number) => notedIncident({ kind: "channel", id }, clock.wall());
  const note = (id: number): Promise<void> => keep(opened(id));
  const reads = (): number => counted.count("incidents.openCount");
  await note(1);
  expect(await Promise.all([open.count(), open.count()])).toEqual([waiting(1), waiting(1)]);
  expect([await open.count(), reads()]).toEqual([waiting(1), 1]);
  await note(2);
  expect([await open.count(), reads()]).toEqual([waiting(2), 2]);
  const [known] = await store.alerts.incidents.newest("channel", [2]);
  if (known === undefined) throw new Error("no incident was noted");
  await keep({ ...opened(2), incident: { ...known, severity: "degraded" } });
  await store.state.states.put("judge", "none", []);
  await isTurned();
  expect([await open.count(), reads()]).toEqual([waiting(2), 2]);
  await keep({
    ...opened(2),
    incident: { ...known, ended: { at: clock.wall(), because: "recovered" } },
  });
  expect([await open.count(), reads()]).toEqual([waiting(1), 3]);
  await note(2);
  expect([await open.count(), reads()]).toEqual([waiting(2), 4]);
  clock.suspend(pictureFreshFor);
  expect([await open.count(), reads()]).toEqual([waiting(2), 5]);
  // What is asked of the store later is answered later.
  await store.alerts.channels.count();
  clock.suspend(pictureShownFor);
  expect([await open.count(), reads()]).toEqual([waiting(2), 6]);
});

test("a page waits only a moment for a count that does not come, and says the last one", async () => {
  const database = path.join(quickFolder(), "service.sqlite");
  await using kept = await openStoreHere({ database, use: "command", onProgress: () => {} });
  const clock = new FakeClock();
  await kept.alerts.incidents.note(notedIncident({ kind: "channel", id: 1 }, clock.wall()));
  let isStanding = false;
  const openCount: typeof kept.alerts.incidents.openCount = () =>
    isStanding ? new Promise(() => {}) : kept.alerts.incidents.openCount();
  const incidents = { ...kept.alerts.incidents, openCount };
  const alerts = { ...kept.alerts, incidents };
  const open = new OpenIncidents({ store: { ...kept, alerts }, clock });
  const page = htmlAnswer(navigation(null, false).text);
  expect(said((await open.saidIn(page)).body)).toBe("Incidents, 1 open, 1 not acknowledged");
  isStanding = true;
  open.outdate();
  const shown = open.saidIn(page);
  await clock.advance(openIncidentsWaitMax);
  expect(said((await shown).body)).toBe("Incidents, 1 open, 1 not acknowledged");
  expect(clock.sleeping).toBe(0);
});

test("the first page waits for the count, as without one it would say that none is open", async () => {
  const answer = Promise.withResolvers<number>();
  const openCount = async () => waiting(await answer.promise);
  const database = path.join(quickFolder(), "service.sqlite");
  await using kept = await openStoreHere({ database, use: "command", onProgress: () => {} });
  const alerts = { ...kept.alerts, incidents: { ...kept.alerts.incidents, openCount } };
  const clock = new FakeClock();
  const open = new OpenIncidents({ store: { ...kept, alerts }, clock });
  const shown = open.saidIn(htmlAnswer(navigation(null, false).text));
  await clock.advance(openIncidentsWaitMax);
  answer.resolve(3);
  expect(said((await shown).body)).toBe("Incidents, 3 open, 3 not acknowledged");
});

test("a page is shown without a number if nothing can be counted", async () => {
  const openCount = () => Promise.reject(new StoreFault("store_locked", "it is away"));
  const database = path.join(quickFolder(), "service.sqlite");
  await using kept = await openStoreHere({ database, use: "command", onProgress: () => {} });
  const alerts = { ...kept.alerts, incidents: { ...kept.alerts.incidents, openCount } };
  const open = new OpenIncidents({ store: { ...kept, alerts }, clock: new FakeClock() });
  const page = htmlAnswer(navigation(null, false).text);
  expect(await open.saidIn(page)).toEqual(page);
});

test("a count that was begun before a change is not shown after one that was begun behind it", async () => {
  const answers: PromiseWithResolvers<number>[] = [];
  const openCount = async () => {
    const answer = Promise.withResolvers<number>();
    answers.push(answer);
    return waiting(await answer.promise);
  };
  const database = path.join(quickFolder(), "service.sqlite");
  await using kept = await openStoreHere({ database, use: "command", onProgress: () => {} });
  const alerts = { ...kept.alerts, incidents: { ...kept.alerts.incidents, openCount } };
  const clock = new FakeClock();
  const open = new OpenIncidents({ store: { ...kept, alerts }, clock });
  const before = open.count();
  open.outdate();
  const behind = open.count();
  answers[1]?.resolve(2);
  expect(await behind).toEqual(waiting(2));
  answers[0]?.resolve(1);
  expect(await before).toEqual(waiting(1));
  open.outdate();
  const shown = open.saidIn(htmlAnswer(navigation(null, false).text));
  await clock.advance(openIncidentsWaitMax);
  expect(said((await shown).body)).toBe("Incidents, 2 open, 2 not acknowledged");
});

test("every page says how many incidents are open, also after one is deleted with its monitor", async () => {
  const { get, post } = await operatorScene();
  const page = async (to: string): Promise<string> => (await get(to)).text();
  for (const to of ["/", "/incidents", "/channels", "/settings", "/monitors/1", "/monitors/999"])
    expect([to, said(await page(to))]).toEqual([to, "Incidents, 5 open, 4 not acknowledged"]);
  const incident = await page("/incidents/7");
  const monitor = /href="(\/monitors\/\d+)"/.exec(incident)?.[1] ?? "";
  const deleted = await post(`${monitor}/delete`, { form: formTokenIn(incident) });
  expect(deleted.status).toBe(303);
  expect(said(await page("/"))).toBe("Incidents, 4 open, 3 not acknowledged");
});

test("the badge falls with each incident that is acknowledged, and is gone with the last", async () => {
  const { get, post } = await operatorScene();
  const page = async (): Promise<string> => (await get("/settings")).text();
  const badge = (text: string) => /data-open="(\d+)"/.exec(text)?.[1] ?? null;
  const form = formTokenIn(await (await get("/incidents/7")).text());
  expect(badge(await page())).toBe("4");
  await post("/incidents/7/acknowledge", { form });
  expect(badge(await page())).toBe("3");
  await post("/incidents/7/take-back", { form });
  expect(badge(await page())).toBe("4");
  await post("/incidents/acknowledge", { form, numbers: "1-7" });
  const done = await page();
  expect([badge(done), said(done)]).toEqual([null, "Incidents, 5 open, all acknowledged"]);
});

test("a page that refuses a form says it as well, and a stranger's says nothing", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  const ann = await byKey(scene, "write");
  const refused = await ann.send("/locations/new", { name: "" });
  expect(refused.status).toBe(422);
  expect(said(await refused.text())).toBe("Incidents, 5 open, 4 not acknowledged");
  expect(await (await scene.get("/sign-in")).text()).not.toContain("data-open");
});

test("there is no number while no incident is open", async () => {
  const { get } = await operatorScene({ days: 0 });
  const page = await (await get("/")).text();
  expect(page).toContain('data-letter="i"');
  expect(page).not.toContain("data-open");
});
