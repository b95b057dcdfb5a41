import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

/** It is 12:00 on 22 November; the report of the page began at 10:40 and was identified at 11:20. */
async function reportScene() {
  const { service, get, post } = await operatorScene({ days: 1 });
  await generatedPage(service);
  const form = formTokenIn(await (await get("/reports/1")).text());
  const send = (path: string, fields: Readonly<Record<string, string>>) =>
    post(path, { form, message: "Words.", ...fields });
  const updates = async (id: number): Promise<readonly string[]> =>
    JSON.parse(await (await get(`/reports/${id}.json`)).text()).updates.map(
      ({ at, status }: { at: string; status: string }) => `${at.slice(11, 16)} ${status}`,
    );
  const refused = async (path: string, fields: Readonly<Record<string, string>>) => {
    const answer = await send(path, fields);
    const [, words = ""] = /date-wrong">\s*([^<]*)/.exec(await answer.text()) ?? [];
    return `${answer.status} ${words.trim()}`;
  };
  return { service, get, send, updates, refused };
}

const newPath = "/status-pages/1/reports/new";
const first = { title: "Slow", status: "investigating" };

test("a report that began earlier has that time on the page, in feeds and in its length", async () => {
  const { service, get, send, updates } = await reportScene();
  await send(newPath, { ...first, date: "2026-11-22T08:05:00Z" });
  await send("/reports/3", { status: "resolved", date: "2026-11-22T08:47" });
  expect(await updates(3)).toEqual(["08:47 resolved", "08:05 investigating"]);
  const page = await (await fetch(`${service.url}/status/acme/events/report/3`)).text();
  expect(page).toContain("Lasted 42 min");
  expect(page).toContain('datetime="2026-11-22T08:05:00.000Z"');
  const feed = JSON.parse(await (await fetch(`${service.url}/status/acme/feed/json`)).text());
  const item = feed.items.find(({ url }: { url: string }) => url.endsWith("/report/3"));
  expect([item.date_published, item.date_modified]).toEqual([
    "2026-11-22T08:05:00.000Z",
    "2026-11-22T08:47:00.000Z",
  ]);
  expect(await (await get("/reports/3")).text()).toContain('datetime="2026-11-22T08:05:00.000Z"');
});

test("a report without a time begins now, and a further update may be between two others", async () => {
  const { send, updates } = await reportScene();
  await send(newPath, first);
  expect(await updates(3)).toEqual(["12:00 investigating"]);
  await send("/reports/1", { status: "monitoring", date: "2026-11-22T11:00" });
  expect(await updates(1)).toEqual(["11:20 identified", "11:00 monitoring", "10:40 investigating"]);
});

test("a time in the future, before the report, or past a neighbour is refused at its field", async () => {
  const { refused } = await reportScene();
  expect(await refused(newPath, { ...first, date: "2026-11-22T12:01" })).toBe(
    "422 It must not be in the future.",
  );
  expect(await refused("/reports/1", { status: "monitoring", date: "2026-11-22T10:39" })).toBe(
    "422 It must not be before the report began.",
  );
  const edit = (update: number) => `/reports/1/updates/${update}/edit`;
  const words = { title: "Slow", status: "investigating" };
  expect(await refused(edit(1), { ...words, date: "2026-11-22T11:21" })).toBe(
    "422 It must not be after the next update.",
  );
  expect(await refused(edit(2), { ...words, date: "2026-11-22T10:39" })).toBe(
    "422 It must not be before the update below it.",
  );
  expect(await refused(newPath, { ...first, date: "yesterday" })).toBe(
    "422 It must be a day and a time, for example 2026-08-12T14:00.",
  );
});

test("a correction moves an update between its neighbours, and leaves a time that was not changed", async () => {
  const { get, send, updates } = await reportScene();
  const edit = "/reports/1/updates/1/edit";
  expect(await (await get(edit)).text()).toContain('value="2026-11-22T10:40"');
  const words = { title: "Slow", status: "investigating" };
  expect((await send(edit, { ...words, date: "2026-11-22T09:15" })).status).toBe(303);
  expect(await updates(1)).toEqual(["11:20 identified", "09:15 investigating"]);
  await send(edit, { ...words, date: "" });
  await send(edit, { ...words, date: "2026-11-22T09:15:00Z" });
  expect(await updates(1)).toEqual(["11:20 identified", "09:15 investigating"]);
});

test("the preview has an earlier update in its place, and says that later ones count", async () => {
  const { send } = await reportScene();
  const typed = { status: "monitoring", components: "2", impact: "major_outage", preview: "part" };
  const shown = await (await send("/reports/1", { ...typed, date: "2026-11-22T11:00" })).text();
  const places = [...shown.matchAll(/<strong>(Identified|Monitoring|Investigating)<\/strong>/g)];
  expect(places.map(([, state]) => state)).toEqual(["Identified", "Monitoring", "Investigating"]);
  expect(shown).toContain("Later updates count");
});

test("the preview says what is wrong with a time before the form is sent, and of which field", async () => {
  const { send } = await reportScene();
  const faults = async (path: string, fields: Readonly<Record<string, string>>) => {
    const shown = await (await send(path, { ...fields, preview: "part" })).text();
    const all = shown.matchAll(/data-at="(\w+)" data-note="([^"]*)">\s*([^<]*?)\s*</g);
    return [...all].map(([, ...said]) => said);
  };
  const future = "must not be in the future.";
  expect(await faults(newPath, { ...first, date: "2026-11-22T12:01" })).toEqual([
    ["date", `It ${future}`, `“It began” ${future}`],
  ]);
  const past = { ...first, date: "2026-11-22T11:00" };
  expect(await faults(newPath, { ...past, ended: "2026-11-22T10:59" })).toEqual([
    ["ended", "It must not be before it began.", "“It ended” must not be before it began."],
  ]);
  expect(await faults(newPath, { ...past, ended: "2026-11-22T11:59" })).toEqual([]);
  const early = "must not be before the report began.";
  expect(await faults("/reports/1", { status: "monitoring", date: "2026-11-22T10:39" })).toEqual([
    ["date", `It ${early}`, `“Time” ${early}`],
  ]);
});
