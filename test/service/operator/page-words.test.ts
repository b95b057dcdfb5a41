import { expect, test } from "vitest";
import { operatorScene } from "../../support/operator-scene.ts";
import { generatedPage } from "../../support/status-page-scene.ts";

const paths = [
  "/",
  "/monitors/2",
  "/monitors/3?range=1h",
  "/monitors/new",
  "/locations/2",
  "/incidents",
  "/incidents/2",
  "/incidents/7",
  "/failures",
  "/channels",
  "/channels/2",
  "/maintenances",
  "/maintenances/new",
  "/status-pages",
  "/status-pages/1",
  "/status-pages/1/reports/new",
  "/status-pages/1/subscribers",
  "/reports/1",
  "/status/acme/events",
  "/status/acme/monitors/2",
];

/** Words of the sources that no one who reads a page should have to learn. */
const own = /\b(slots?|held|usual|reckoned|doubt|told|stands|beside)\b/i;

test("no page has a word that only its makers know", async () => {
  const { get, service } = await operatorScene();
  await generatedPage(service);
  const found: string[] = [];
  for (const path of paths) {
    const page = await (await get(path)).text();
    const words = page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
    expect([path, words.length > 200]).toEqual([path, true]);
    const [word] = own.exec(words) ?? [];
    if (word !== undefined) found.push(`${path}: ${word}`);
  }
  expect(found).toEqual([]);
});
