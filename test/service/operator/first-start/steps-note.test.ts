import { expect, test } from "vitest";
import { applyFile } from "../../../support/applied-file.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { sentForm } from "../../../support/sent-form.ts";

const line = /[12] of 3 steps to the first message (?:is|are) done\.\s+<a href="\/start">Continue/;

test("the page of a new channel, location or monitor leads back to the first steps until they are done", async () => {
  const { get, post } = await operatorScene({ days: 0 });
  const made = async (path: string, fields: Record<string, string>): Promise<string> => {
    const sent = sentForm(await (await get(path)).text(), path.split("?")[0] ?? "");
    for (const [name, value] of Object.entries(fields)) sent.set(name, value);
    const answer = await post(path, sent);
    expect(answer.status).toBe(303);
    return (await get(answer.headers.get("location") ?? "")).text();
  };
  const endpoint = "https://hook.test/a";
  expect(await made("/channels/new/webhook", { name: "a", endpoint })).toMatch(line);
  const fromSteps = await made("/channels/new/webhook?next=/start", { name: "b", endpoint });
  expect(fromSteps).toMatch(/done\.\s+<a href="\/start">Back to first steps</);
  expect(await made("/channels/new/ntfy", { topic: "alerts" })).toMatch(line);
  expect(await made("/monitors/new", { url: "https://shop.test/" })).toMatch(line);
  expect(await made("/locations/new", { name: "Office" })).toContain(
    '<a href="/start">Back to first steps',
  );
});

test("a form that was opened from the first steps leads back there, and any other to its list", async () => {
  const { get } = await operatorScene({ days: 0 });
  const linksOf = async (path: string): Promise<readonly string[]> =>
    [
      ...(await (await get(path)).text()).matchAll(
        /<p class="back">\s*(<a [^<]*)<|<a (href="[^"]*">Cancel)</g,
      ),
    ].map(([, back, cancel]) => back ?? cancel ?? "");
  for (const [form, list, words] of [
    ["/monitors/new", "/", "Monitors"],
    ["/locations/new", "/locations", "Locations"],
    ["/channels/new", "/channels", "Channels"],
  ] as const) {
    const [back, cancel = `href="${list}">Cancel`] = await linksOf(form);
    expect([back, cancel]).toEqual([`<a href="${list}">${words}`, `href="${list}">Cancel`]);
    const [stepsBack, stepsCancel = 'href="/start">Cancel'] = await linksOf(`${form}?next=/start`);
    expect([stepsBack, stepsCancel]).toEqual([
      '<a href="/start">First steps',
      'href="/start">Cancel',
    ]);
  }
});

test("a service whose steps are done leads from a new channel to no steps", async () => {
  const { get, post } = await operatorScene();
  const path = "/channels/new/webhook";
  const sent = sentForm(await (await get(path)).text(), path);
  sent.set("endpoint", "https://hook.test/a");
  const answer = await post(path, sent);
  const page = await (await get(answer.headers.get("location") ?? "")).text();
  expect(page).toContain("All channels");
  expect(page).not.toContain("/start");
});

test("the first steps say what to write in the files if the location belongs to them", async () => {
  const { get, service } = await operatorScene({ days: 0 });
  const tcp = { name: "db", uri: "db.test:5432", periodicity: "PERIODICITY_1M", active: true };
  const locations = [{ name: "Office", metadata: {} }];
  await applyFile(service, { owner: "web", monitors: [{ config: { tcp } }], locations });
  const page = await (await get("/start")).text();
  expect(page.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ")).toContain(
    "1 monitor runs nowhere yet: write locations: [Office] at it in the files.",
  );
  expect(page).not.toContain("/locations/1/edit");
});
