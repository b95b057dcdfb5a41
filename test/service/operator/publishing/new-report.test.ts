import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
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
