import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

test("a report on an incident that is over is filled in from what fails now", async () => {
  const { service, get } = await operatorScene();
  await generatedPage(service);
  const title = async (incident: number): Promise<string | undefined> => {
    const page = await get(`/status-pages/1/reports/new?incident=${incident}`);
    const [field = ""] = /<input[^>]*name="title"[^>]*>/.exec(await page.text()) ?? [];
    return /value="([^"]*)"/.exec(field)?.[1];
  };
  // Both are of the Billing API: the later one is open.
  expect(await title(7)).toBe("Billing API is not available");
  expect(await title(2)).toBe("Intranet is slow");
});

test("a report on a page without components asks for none and for no impact, and is published", async () => {
  const { get, post } = await operatorScene({ days: 0 });
  const form = formTokenIn(await (await get("/status-pages/new")).text());
  await post("/status-pages", { form, title: "Acme", slug: "acme" });
  const path = "/status-pages/1/reports/new";
  const page = await (await get(path)).text();
  expect(page).toContain("No component: the report is about the page as a whole.");
  for (const absent of ["What is affected", "There is none to tick yet.", 'name="impact"'])
    expect(page).not.toContain(absent);
  const report = { title: "Slow", status: "investigating", message: "We investigate." };
  const made = await post(path, { form, ...report });
  expect(made.headers.get("location")).toBe("/reports/1?notice=reported");
  expect(await (await get("/reports/1")).text()).not.toContain('name="impact"');
});
