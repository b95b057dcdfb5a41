import { expect, test } from "vitest";
import { formTokenIn } from "../../../support/signed-in.ts";
import { sentForm } from "../../../support/sent-form.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const wordsOf = async (answer: Response): Promise<string> =>
  (await answer.text()).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

test("a paused monitor says at each location that it is paused, and what it was at its last check", async () => {
  const { get, post } = await operatorScene();
  const before = await wordsOf(await get("/monitors/1"));
  expect(before).toMatch(/By location Passing Office/);
  const form = formTokenIn(await (await get("/monitors/1")).text());
  expect((await post("/monitors/1/pause", { form })).status).toBe(303);
  const paused = await wordsOf(await get("/monitors/1"));
  expect(paused).toMatch(/By location Paused Office \d+ s ago was passing at its last check/);
  expect(paused).not.toContain("does not count");
});

/** Sends a form of the monitor's page, and gives where it leads and what is said there. */
async function switchScene() {
  const { clock, get, post } = await operatorScene();
  const send = async (to: string, fields: Record<string, string> = {}) => {
    const before = await (await get("/monitors/1")).text();
    const form = formTokenIn(before);
    const answer = await post(to, { form, ...fields });
    expect(answer.status).toBe(303);
    const led = answer.headers.get("location") ?? "";
    const page = await (await get(led)).text();
    const words = page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
    return {
      led,
      before,
      page,
      words,
      undo: new URL(led, "http://x.test").searchParams.get("undo") ?? "",
    };
  };
  const isPaused = async () => (await wordsOf(await get("/monitors/1"))).includes("Resume");
  return { clock, get, send, isPaused };
}

test("a pause and a resume of one monitor can be undone on its page, and the undo says what it is again", async () => {
  const { send, isPaused } = await switchScene();
  const paused = await send("/monitors/1/pause");
  expect(paused.words).toMatch(/Paused: nothing is checked .* You can undo this until \d\d:\d\d/);
  expect(paused.page).toContain('action="/monitors/many/undo"');
  const undone = await send("/monitors/many/undo", { undo: paused.undo, back: "/monitors/1" });
  expect(undone.led).toMatch(/^\/monitors\/1\?notice=undone\.1\.0/);
  expect(undone.words).toContain("Undone: it is checked again.");
  expect(undone.page).toContain('<a class="button bare" href="/monitors/1" aria-label="Close">');
  expect(await isPaused()).toBe(false);
  await send("/monitors/1/pause");
  const resumed = await send("/monitors/1/resume");
  expect(resumed.words).toMatch(/Resumed: .* You can undo this until/);
  const again = await send("/monitors/many/undo", { undo: resumed.undo, back: "/monitors/1" });
  expect(again.words).toContain("Undone: it is paused again.");
  expect(await isPaused()).toBe(true);
});

test("a pause that is undone soon leaves the monitor passing for as long as before it", async () => {
  const { clock, send } = await switchScene();
  const since = (page: string): string | undefined =>
    /<time datetime="([^"]+)"\s*>for /.exec(page)?.[1];
  const start = await send("/monitors/1/pause");
  await clock.advance(10_000);
  const undone = await send("/monitors/many/undo", { undo: start.undo, back: "/monitors/1" });
  await clock.advance(5_000);
  expect(undone.words).toContain("Undone: it is checked again.");
  expect(since(start.before)).toBeDefined();
  expect(since(undone.page)).toBe(since(start.before));
});

test("a second press of the same undo says on the monitor's page that it is too late, and leads nowhere else", async () => {
  const { send } = await switchScene();
  const { undo } = await send("/monitors/1/pause");
  await send("/monitors/many/undo", { undo, back: "/monitors/1" });
  const late = await send("/monitors/many/undo", { undo, back: "/monitors/1" });
  expect(late.led).toBe("/monitors/1?notice=late");
  expect(late.words).toContain("It can no longer be undone");
  const elsewhere = await send("/monitors/many/undo", {
    undo,
    back: "//elsewhere.test/monitors/1",
  });
  expect(elsewhere.led).toBe("/?notice=late");
});

test("a monitor that was paused already is paused without an undo", async () => {
  const { send } = await switchScene();
  await send("/monitors/1/pause");
  expect((await send("/monitors/1/pause")).led).toBe("/monitors/1?notice=paused");
});

test("a monitor that its form pauses says so, and that can be undone", async () => {
  const { get, send, isPaused } = await switchScene();
  const fields = sentForm(await (await get("/monitors/1/edit")).text(), "/monitors/1/edit");
  fields.delete("active");
  const saved = await send("/monitors/1/edit", Object.fromEntries(fields));
  expect(saved.words).toMatch(/Saved\. Paused: nothing is checked .* You can undo this until/);
  await send("/undo/edit", { undo: saved.undo, back: "/monitors/1" });
  expect(await isPaused()).toBe(false);
});

test("a pause says that an incident closes only of a monitor that has one", async () => {
  const { get, post } = await operatorScene();
  const form = formTokenIn(await (await get("/monitors/1")).text());
  const { monitors } = JSON.parse(await (await get("/overview.json")).text());
  const said = async (id: string): Promise<boolean> => {
    const { headers } = await post(`/monitors/${id}/pause`, { form });
    const page = await (await get(headers.get("location") ?? "")).text();
    expect(page).toContain("Paused: nothing is checked until it is resumed.");
    return page.includes("Its incident closes in");
  };
  const of = (isOpen: boolean): string =>
    monitors.find(
      ({ status, incident }: { status: string; incident: unknown }) =>
        status !== "inactive" && (incident !== null) === isOpen,
    ).id;
  expect(await said(of(true))).toBe(true);
  expect(await said(of(false))).toBe(false);
});
