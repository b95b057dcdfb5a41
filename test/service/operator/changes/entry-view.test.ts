import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

test("the components of a status page are in the audit log with the names of their monitors", async () => {
  const scene = await operatorScene();
  await generatedPage(scene.service);
  const { monitors } = JSON.parse(await (await scene.get("/overview.json")).text());
  const [first] = monitors;
  const page = await (await scene.get("/changes?kind=page")).text();
  const words = page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  expect(words).toMatch(/Component \d+ – Name: /);
  expect(words).toContain(`Monitor: ${first.name}`);
  expect(words).not.toMatch(/Monitor: \d+,/);
});
