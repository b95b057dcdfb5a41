import { expect, test } from "vitest";
import { minutes } from "#base/units";
import { httpDefaults } from "#check/definition";
import { applyFile } from "../../../support/applied-file.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byAccount, byKey, cookieOf, formTokenIn } from "../../../support/signed-in.ts";

test("an undo of a component says whose files have its page now, and puts nothing back", async () => {
  const { service, get, post } = await operatorScene({ days: 0 });
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const call = (method: string, body: object): Promise<Response> =>
    fetch(`${service.url}/openstatus.status_page.v1.StatusPageService/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-key": key },
      body: JSON.stringify(body),
    });
  await call("CreateStatusPage", { slug: "acme", title: "Acme" });
  await call("AddStaticComponent", { pageId: "1", name: "Desk" });
  await call("RemoveComponent", { id: "1" });
  const shown = async () => (await get("/status-pages?deleted=component.1")).text();
  expect(await shown()).toContain("You can undo this until");
  await applyFile(service, { owner: "team", pages: [{ page: { slug: "acme", title: "Acme" } }] });
  expect(await shown()).not.toContain("You can undo this until");
  const form = formTokenIn(await (await get("/locations/new")).text());
  const answer = await post("/undo", { form, kind: "component", ids: "1" });
  expect([answer.status, await answer.text()]).toEqual([
    409,
    expect.stringContaining("The files of team manage its page: put it back in the files"),
  ]);
  expect((await call("UpdateComponent", { id: "1", name: "Desk" })).status).toBe(404);
});

test("an undo of a monitor says that it is missing on a page that files manage", async () => {
  const { service, get, post } = await operatorScene({ days: 0 });
  const made = {
    ...httpDefaults,
    name: "Shop",
    url: "https://shop.test/",
    periodicity: "1m",
  } as const;
  const { id } = await service.admin.createMonitor(made, "management");
  const page = { slug: "acme", title: "Acme" };
  const shop = { name: "Shop", monitor: { name: "Shop" } };
  await applyFile(service, { owner: "team", pages: [{ page, components: [shop] }] });
  const form = formTokenIn(await (await get("/locations/new")).text());
  expect((await post(`/monitors/${id}/delete`, { form })).status).toBe(303);
  // It is not there, so this changes nothing.
  await applyFile(service, { owner: "team", pages: [{ page }] });
  const answer = await post("/undo", { form, kind: "monitor", ids: id });
  const back = answer.headers.get("location") ?? "";
  expect([answer.status, back]).toEqual([303, `/monitors/${id}?restored=monitor.1.partly.1`]);
  expect(await (await get(back)).text()).toContain(
    "The monitor is restored. A monitor is missing on a status page, which is full or managed by files. Add it there, or apply the files again.",
  );
});

test("a deletion can be undone from the overview and its list for ten minutes, by whoever deleted it", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const owner = await byAccount(scene, "ann@example.com", "owner");
  const other = await byKey(scene, "write");
  await owner.send("/channels/new/webhook", {
    name: "Hook",
    endpoint: "https://hook.test/",
    all_monitors: "yes",
    events: "error",
    time_zone: "UTC",
  });
  expect((await owner.send("/channels/1/delete")).status).toBe(303);
  const offers = "The channel <strong>Hook</strong> is deleted. You can undo this until";
  await owner.text("/locations");
  for (const path of ["/", "/channels"]) {
    expect(await owner.text(path)).toContain(offers);
    expect(await other.text(path)).not.toContain(offers);
  }
  expect(await owner.text("/locations")).not.toContain(offers);
  scene.clock.suspend(minutes(10));
  expect(await owner.text("/")).not.toContain(offers);
});

test("of several deletions the newest is offered, the others in one fold, and closing it hides them all", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const owner = await byAccount(scene, "ann@example.com", "owner");
  const remove = async (id: number) => {
    await owner.send("/channels/new/webhook", {
      name: `Hook ${id}`,
      endpoint: "https://hook.test/",
      all_monitors: "yes",
      events: "error",
      time_zone: "UTC",
    });
    scene.clock.suspend(minutes(1));
    const { headers } = await owner.send(`/channels/${id}/delete`);
    return headers.get("location") ?? "";
  };
  await remove(1);
  await remove(2);
  const bar = /<section class="undo".*?<\/section>/;
  const said = async (path: string): Promise<readonly string[]> => {
    const [section = ""] = bar.exec(await owner.text(path)) ?? [];
    const [shown = "", folded = ""] = section.split("<details");
    const named = (part: string) => [...part.matchAll(/<strong>(.*?)</g)].map(([, name]) => name);
    return [named(shown).join(), named(folded).join(), /\d more that/.exec(folded)?.[0] ?? ""];
  };
  const third = await remove(3);
  for (const path of ["/", third])
    expect(await said(path)).toEqual(["Hook 3", "Hook 2,Hook 1", "2 more that"]);
  const [section = ""] = bar.exec(await owner.text(third)) ?? [];
  expect(section).toContain('aria-label="Close"');
  const [, at = ""] = /name="at" value="(\d+)"/.exec(section) ?? [];
  const closed = await owner.send("/undo/close", { at, back: "/channels" });
  expect([closed.status, closed.headers.get("location")]).toEqual([303, "/channels"]);
  const cookie = `${owner.cookie}; ${cookieOf(closed)}`;
  const after = async (path: string) => (await scene.get(path, { cookie })).text();
  for (const path of ["/", third]) expect(await after(path)).not.toContain("can undo this until");
  // What is deleted later is offered again.
  const fourth = await remove(4);
  const shown = await after(fourth);
  expect(shown).toContain("<strong>Hook 4</strong> is deleted");
  expect(shown).not.toContain("Hook 3");
  // What is not the time of a deletion closes nothing.
  const forged = await owner.send("/undo/close", { at: "1; Path=/evil", back: "/" });
  expect(forged.headers.get("set-cookie")).toBeNull();
});

test("the newest act is offered first, whatever it was, and an older one in its fold", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const owner = await byAccount(scene, "ann@example.com", "owner");
  const definition = { ...httpDefaults, url: "https://shop.test/", periodicity: "1m" } as const;
  await scene.service.admin.createMonitor({ ...definition, name: "Shop" }, "management");
  const remove = async (id: number) => {
    await owner.send("/channels/new/webhook", {
      name: `Hook ${id}`,
      endpoint: "https://hook.test/",
      all_monitors: "yes",
      events: "error",
      time_zone: "UTC",
    });
    await owner.send(`/channels/${id}/delete`);
    scene.clock.suspend(minutes(1));
  };
  await remove(1);
  const label = { act: "label", key: "team", value: "shop", monitor: "1", query: "" };
  const labelled = (await owner.send("/monitors/many", label)).headers.get("location") ?? "";
  scene.clock.suspend(minutes(1));
  /** The words of each bar, without and in its fold. */
  const said = async (path: string): Promise<readonly (readonly string[])[]> => {
    const body = await owner.text(path);
    const bars = body.match(/<section class="undo".*?<\/section>/gs) ?? [];
    return bars.map((bar) => bar.split("<details").map((part) => part.match(acts)?.join() ?? ""));
  };
  const acts =
    /1 monitor is labelled|\d more that|Hook \d<\/strong> is deleted|action="[^"]*undo[^"]*"/g;
  const hook = (id: number) => `Hook ${id}</strong> is deleted,action="/undo"`;
  const named = '1 monitor is labelled,action="/monitors/many/undo"';
  expect(await said(labelled)).toEqual([[named, `1 more that,${hook(1)}`]]);
  // Whoever goes back to that address has deleted another since.
  await remove(2);
  const close = 'action="/undo/close"';
  expect(await said(labelled)).toEqual([
    [`${hook(2)},${close}`, `2 more that,${named},${hook(1)}`],
  ]);
  expect(await said("/")).toEqual([[`${hook(2)},${close}`, `1 more that,${hook(1)}`]]);
});

test("a deletion is in the fold of planned work whose end was moved since", async () => {
  const { get, post } = await operatorScene();
  const form = formTokenIn(await (await get("/maintenances/new")).text());
  const send = (path: string, fields: Record<string, string> = {}) =>
    post(path, { form, ...fields });
  await send("/status-pages", { title: "Acme", slug: "acme" });
  await send("/status-pages/1/monitors", { monitors: "1", group: "" });
  const times = { from: "2026-11-22T11:00", to: "2026-11-22T23:30", time_zone: "UTC" };
  for (const title of ["Gone", "Patches"])
    await send("/maintenances/new", {
      title,
      message: "m",
      page_id: "1",
      components: "1",
      ...times,
    });
  expect((await send("/maintenances/1/delete")).status).toBe(303);
  const ended = await send("/maintenances/2/end", { back: "/maintenances" });
  const body = await (await get(ended.headers.get("location") ?? "")).text();
  const bars = body.match(/<section class="undo".*?<\/section>/gs) ?? [];
  expect(bars).toHaveLength(1);
  expect(bars[0]).toMatch(/Patches.*end\/undo.*<details.*1 more that.*Gone.*action="\/undo"/s);
});
