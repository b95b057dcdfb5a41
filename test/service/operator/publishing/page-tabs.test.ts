import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

/** The words of the links of a navigation, by its name. */
const linksIn = (page: string, label: string): readonly string[] =>
  [
    ...(new RegExp(`<nav[^>]*aria-label="${label}"[^>]*>(.*?)</nav>`, "s").exec(page)?.[1] ?? "")
      // A picture is before the words of some.
      .replaceAll(/<svg.*?<\/svg>/gs, "")
      .matchAll(/<a[^>]*>(.*?)<\/a\s*>/gs),
  ].map(([, words = ""]) =>
    words
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );

test("reports of uptime and those of a status page have a name each", async () => {
  const { get, service } = await operatorScene();
  await generatedPage(service);
  const page = await (await get("/status-pages/1/reports")).text();
  const [all, tabs] = [linksIn(page, "Pages"), linksIn(page, "Status page")];
  expect(all.filter((words) => words.endsWith("eports"))).toEqual(["Uptime reports"]);
  expect(tabs.filter((words) => words.endsWith("eports"))).toEqual(["Reports"]);
  expect(page).toContain('<h2 id="reports">Status reports</h2>');
});
