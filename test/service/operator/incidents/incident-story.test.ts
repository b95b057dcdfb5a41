import { expect, test } from "vitest";
import type { Silence } from "#service/alerting/silence";
import { incidentsListed } from "#limits/pages-limits";
import { after, millis, minutes, seconds } from "#base/units";
import { notedIncident } from "../../../support/noted-incident.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { type OperatorScene, operatorScene } from "../../../support/operator-scene.ts";
import { byKey } from "../../../support/signed-in.ts";

const wordsOf = (page: string): string =>
  page
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ (?=[.,;])/g, "");

type Target = Pick<Silence, "monitors" | "locations" | "labels">;

/** What the page of an incident says after a silence began that is younger than the picture of the page before. */
async function silencedPage(
  { database, clock, get }: OperatorScene,
  incident: number,
  target: Target,
): Promise<string> {
  await get(`/incidents/${incident}`);
  await clock.advance(seconds(5));
  await using store = await openStoreHere({ database, use: "command", onProgress: () => {} });
  const now = clock.wall();
  const made = {
    ...target,
    from: now,
    until: after(now, minutes(90)),
    reason: "a drill",
    by: "ann",
  };
  await store.alerts.silences.create(made);
  await clock.advance(seconds(1));
  return wordsOf(await (await get(`/incidents/${incident}`)).text());
}

const silenced =
  /Silenced for 1 h 30 min more, by ann: a drill.* Silenced until 22 Nov, 13:30:05 UTC/;
const nothing: Target = { monitors: [], locations: [], labels: {} };

test.each<[string, Target]>([
  ["its monitor", { ...nothing, monitors: [7] }],
  ["a label of its monitor", { ...nothing, labels: { team: "warehouse" } }],
  // Office sees it, too, and sees it pass: alerting holds the messages of what Warehouse sees.
  ["the one location that sees it fail", { ...nothing, locations: [2] }],
])("an incident's page says a silence that has just begun, of %s", async (_, target) => {
  expect(await silencedPage(await operatorScene(), 4, target)).toMatch(silenced);
});

test("a silence of another location, or of one of two that see it fail, is not on an incident's page", async () => {
  for (const [incident, location] of [
    [4, 1],
    [7, 2],
  ] as const) {
    const scene = await operatorScene();
    const page = await silencedPage(scene, incident, { ...nothing, locations: [location] });
    expect(page).not.toContain("Silenced for");
  }
});

test("two silences, one of each location that sees it fail, are on an incident's page until the first ends", async () => {
  const scene = await operatorScene();
  await silencedPage(scene, 7, { ...nothing, locations: [1] });
  const page = await silencedPage(scene, 7, { ...nothing, locations: [2] });
  expect(page.match(/Silenced for 1 h \d\d min more/g)).toHaveLength(2);
  expect(page).toContain("Silenced until 22 Nov, 13:30:05 UTC");
  // The second one lasts two seconds more, and what the first location sees is sent.
  await scene.clock.advance(millis(minutes(90) - seconds(2)));
  const later = wordsOf(await (await scene.get("/incidents/7")).text());
  expect(later).not.toMatch(/Silenced (for|until)/);
});

test("the incident of a deleted monitor is still at its address, and says until when it can be restored", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  const ann = await byKey(scene, "write");
  const before = wordsOf(await (await ann.get("/incidents/7")).text());
  const [, lasted = "?"] = /open for ([^A-Z]+?) Acknowledge/.exec(before) ?? [];
  expect((await ann.send("/monitors/2/delete")).status).toBe(303);
  await scene.clock.advance(minutes(5));
  const page = await ann.get("/incidents/7");
  expect(page.status).toBe(200);
  const text = await page.text();
  expect(wordsOf(text)).toMatch(
    /The monitor Billing API was deleted at 22 Nov, 12:00:00 UTC, and no message is sent of it\. It can be restored until 22 Nov, 12:10:00 UTC; an open incident ends then\. Undo/,
  );
  expect(wordsOf(text)).toContain("About Monitor Billing API, deleted");
  expect(wordsOf(text)).toContain(`was open for ${lasted} until the monitor was deleted`);
  expect(wordsOf(text)).toContain(`Down for ${lasted}`);
  expect(text).not.toMatch(/Silence<|results go after two weeks/);
  const undone = await ann.send("/undo", { kind: "monitor", ids: "2" });
  expect(undone.status).toBe(303);
  expect(await (await ann.get("/incidents/7")).text()).not.toContain("was deleted at");
});

test("the page of an old incident has those before it, however many came later", async () => {
  const { database, clock, get } = await operatorScene({ days: 0 });
  await using store = await openStoreHere({ database, use: "command", onProgress: () => {} });
  const { incidents } = store.alerts;
  const opened = notedIncident({ kind: "channel", id: 1 }, clock.wall());
  const ended = { at: clock.wall(), because: "recovered" } as const;
  for (let count = 0; count < incidentsListed + 6; count += 1) {
    await incidents.note(opened);
    const [incident] = await incidents.newest("channel", [1]);
    if (incident === undefined) throw new Error("no incident was noted");
    await incidents.note({ ...opened, incident: { ...incident, ended }, events: [] });
  }
  const page = await (await get("/incidents/5")).text();
  const earlier = page.split('id="earlier"')[1] ?? "";
  const links = [...earlier.matchAll(/href="\/incidents\/(?<number>\d+)"/g)];
  expect(links.map(({ groups }) => groups?.["number"])).toEqual(["4", "3", "2"]);
});

test("the page of an open incident has the runbook, the target, a check at once, and what happened before", async () => {
  const { get, post } = await operatorScene();
  const page = await (await get("/incidents/7")).text();
  expect(page).toContain('<a href="https://wiki.internal/billing" rel="noreferrer">');
  expect(page).toContain("https://billing.internal/api/v2/status");
  const earlier = page.split('id="earlier"')[1] ?? "";
  expect(earlier).toContain('<a href="/incidents/2">Billing API</a>');
  expect(earlier).not.toContain('<a href="/incidents/7">');
  const form = /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const checked = await post("/monitors/2/check", { form, back: "/incidents/7" });
  // No agent is connected here.
  expect(checked.headers.get("location")).toBe("/incidents/7?notice=unconnected");
  const told = await (await get("/incidents/7?notice=unconnected")).text();
  expect(told).toContain("Nothing was checked: the agent of ");
  expect(told).toContain("is not connected now. It last");
  expect(await (await get("/incidents/2")).text()).not.toContain("Check now");
});

test("the same cause lists the open incidents of other monitors without a row together, and none of the monitor itself", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const { database, clock } = scene;
  await using store = await openStoreHere({ database, use: "command", onProgress: () => {} });
  const { incidents } = store.alerts;
  const cause = "1 dns_timeout dns";
  const note = (id: number, at = clock.wall()) =>
    incidents.note({ ...notedIncident({ kind: "monitor", id }, at), cause });
  // One of monitor 1 ends as its next one begins; monitor 2 fails alike.
  await note(1);
  const [first] = await incidents.newest("monitor", [1]);
  if (first === undefined) throw new Error("no incident was noted");
  const ended = { at: clock.wall(), because: "recovered" } as const;
  const opened = { ...notedIncident(first.subject, clock.wall()), cause };
  await incidents.note({ ...opened, incident: { ...first, ended }, events: [] });
  await note(1);
  await note(2);
  const ann = await byKey(scene, "write");
  const page = await (await ann.get("/incidents/2")).text();
  const alike = page.split('id="alike"')[1]?.split("</section>")[0] ?? "";
  expect([...alike.matchAll(/href="\/incidents\/(\d+)"/g)].map(([, number]) => number)).toEqual([
    "3",
  ]);
  expect(page.split('id="earlier"')[1]).toContain('href="/incidents/1"');
});
