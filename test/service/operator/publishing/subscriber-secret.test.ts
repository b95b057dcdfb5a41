import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";
import { hours, minutes } from "#base/units";

const list = "/status-pages/1/subscribers";

async function adding() {
  const scene = await operatorScene();
  const form = formTokenIn(await (await scene.get("/maintenances/new")).text());
  const send = async (path: string, typed: Readonly<Record<string, string>> = {}) =>
    (await scene.post(path, { form, ...typed })).headers.get("location") ?? "";
  const page = async (path: string): Promise<string> => (await scene.get(path)).text();
  await send("/settings/service", { address: "https://picket.test" });
  await send("/status-pages", { title: "Acme", slug: "acme" });
  await send("/status-pages", { title: "Other", slug: "other" });
  return { scene, send, page };
}

const secretIn = (page: string): string | undefined =>
  /id="signing-secret"[^>]*>\s*(whsec_[^<\s]+)/.exec(page)?.[1];

test("the signing secret of an added webhook is shown once, for an hour and until it is changed", async () => {
  const { scene, send, page } = await adding();
  const shown = await send(list, { webhook_url: "https://hook.test/in", name: "Wall" });
  const added = await page(shown);
  expect(added).toContain("Signing secret of Wall");
  expect(added).toContain('data-copies="signing-secret"');
  const secret = secretIn(added);
  expect(secret).toBeDefined();
  expect(secretIn(await page(shown))).toBe(secret);
  expect(secretIn(await page(list))).toBeUndefined();
  expect(secretIn(await page(shown.replace("/1/", "/2/")))).toBeUndefined();
  expect(secretIn(await page(shown.replace("subscriber=1", "subscriber=2")))).toBeUndefined();
  await scene.clock.advance(minutes(1));
  const seen = /name="seen" value="(\d+)"/.exec(await page(`${list}/1/edit`))?.[1] ?? "";
  expect(await send(`${list}/1/edit`, { name: "Screen", seen })).toBe(`${list}?notice=changed`);
  expect(secretIn(await page(shown))).toBeUndefined();
});

test("the signing secret of an added webhook is not shown an hour later", async () => {
  const { scene, send, page } = await adding();
  const shown = await send(list, { webhook_url: "https://hook.test/in", name: "" });
  expect(await page(shown)).toContain("Signing secret of hook.test");
  await scene.clock.advance(hours(1) + 1);
  expect(secretIn(await page(shown))).toBeUndefined();
});

test("a chat that is added has no signing secret", async () => {
  const { send, page } = await adding();
  const chat = "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX";
  const shown = await send(list, { webhook_url: chat, name: "Wall" });
  expect(shown).toBe(`${list}?notice=added`);
  expect(await page(shown)).not.toContain("Signing secret");
});
