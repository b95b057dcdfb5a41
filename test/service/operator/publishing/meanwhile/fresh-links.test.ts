import { expect, test } from "vitest";
import { operatorScene } from "../../../../support/operator-scene.ts";
import { formTokenIn } from "../../../../support/signed-in.ts";
import { generatedPage } from "../../../../support/status-page-scene.ts";

test("the links to what was just published have another address each time, which no browser has kept", async () => {
  const { service, clock, get, post } = await operatorScene();
  await generatedPage(service);
  const form = formTokenIn(await (await get("/maintenances/new")).text());
  const linkAt = async (path: string, words: string): Promise<string> => {
    const page = await (await get(path)).text();
    return new RegExp(`href="([^"]+)"[^>]*>\\s*${words}`).exec(page)?.[1] ?? "";
  };
  const report = () => linkAt("/reports/1", "View on the page");
  const first = await report();
  expect(first).toMatch(/^\/status\/acme\/events\/report\/1\?as-of=\d+$/);
  expect(await report()).toBe(first);
  clock.suspend(1_000);
  const update = { form, status: "identified", message: "Found just now.", at: "" };
  expect((await post("/reports/1", update)).status).toBe(303);
  const second = await report();
  expect(second).not.toBe(first);
  const shown = await (await get(second)).text();
  expect(shown).toContain("Found just now.");
  expect(shown).toMatch(/<link rel="canonical" href="[^"?]*" \/>/);
  const page = () => linkAt("/status-pages/1", "View page");
  const before = await page();
  expect((await get(before)).status).toBe(200);
  await post("/status-pages/1/parts", { form, name: "Desk" });
  expect(await page()).not.toBe(before);
});
