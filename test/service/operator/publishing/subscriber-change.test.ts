import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

const list = "/status-pages/1/subscribers";
const edit = `${list}/1/edit`;

const wordsIn = (page: string): string => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

async function changing() {
  const scene = await operatorScene();
  const form = formTokenIn(await (await scene.get("/maintenances/new")).text());
  const send = async (path: string, typed: Readonly<Record<string, string>> = {}) => {
    const answer = await scene.post(path, { form, ...typed });
    return { status: answer.status, to: answer.headers.get("location"), text: await answer.text() };
  };
  const page = async (path: string): Promise<string> => (await scene.get(path)).text();
  await send("/settings/service", { address: "https://picket.test" });
  await send("/status-pages", { title: "Acme", slug: "acme" });
  for (const name of ["Shop", "Wiki"])
    await send("/status-pages/1/parts", { name, description: "", group: "" });
  await send(list, { webhook_url: "https://chat.test/planted", name: "Wall" });
  return { send, page };
}

const seenIn = (page: string): string => /name="seen" value="(\d+)"/.exec(page)?.[1] ?? "";

test("an editor changes what a subscriber is called and which components it is about, and the log says so without the name", async () => {
  const { send, page } = await changing();
  expect(await page(list)).toContain(`href="${edit}"`);
  const opened = await page(edit);
  expect(wordsIn(opened)).toContain("Change the subscriber Wall, chat.test");
  expect(opened).toMatch(/value="Wall"/);
  expect(opened).not.toContain("planted");
  const saved = await send(edit, { name: "Screen", components: "2", seen: seenIn(opened) });
  expect([saved.status, saved.to]).toEqual([303, `${list}?notice=changed`]);
  expect(wordsIn(await page(list))).toMatch(/Screen, chat\.test.* [Bb]y webhook: Wiki, added/);
  const log = wordsIn(await page("/changes?kind=subscriber"));
  expect(log).toMatch(/changed subscriber chat\.test/);
  expect(log).toMatch(/the whole page.*Wiki/);
  expect(log).not.toMatch(/Screen|Wall/);
});

test("a subscriber's change has the rules of the calls, and keeps what was typed", async () => {
  const { send, page } = await changing();
  const seen = seenIn(await page(edit));
  const long = await send(edit, { name: "x".repeat(256), seen });
  expect([long.status, wordsIn(long.text)]).toEqual([
    422,
    expect.stringContaining("is longer than 255 characters"),
  ]);
  expect(seenIn(long.text)).toBe(seen);
  const gone = await send(edit, { name: "Wall", components: "9", seen });
  expect(gone.status).toBe(422);
  expect((await send(`${list}/9/edit`, { name: "Wall" })).status).toBe(404);
});

test("of two people who change a subscriber at once, the second sees what the first saved before it is written over", async () => {
  const { send, page } = await changing();
  const seen = seenIn(await page(edit));
  expect((await send(edit, { name: "First", components: "1", seen })).status).toBe(303);
  const forged = await send(edit, { name: "Second", seen: "x" });
  expect(forged.status).toBe(409);
  const second = await send(edit, { name: "Second", seen });
  expect([second.status, wordsIn(second.text)]).toEqual([
    409,
    expect.stringContaining("It is now called “First” and gets news about Shop."),
  ]);
  expect(second.text).toContain('value="Second"');
  expect(wordsIn(await page(list))).toContain("First, chat.test");
  const again = await send(edit, { name: "Second", seen: seenIn(second.text) });
  expect(again.status).toBe(303);
  expect(wordsIn(await page(list))).toMatch(/Second, chat\.test.* [Bb]y webhook, added/);
});
