import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { fileBrowser } from "../support/file-browser.ts";
import { operatorScene } from "../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

test.skipIf(!isThere)(
  "a monitor among very many is found as a person types, who stays in the field and on the page",
  async () => {
    const { service } = await operatorScene({ days: 0 });
    for (let index = 1; index <= 201; index += 1)
      await service.admin.createMonitor(
        {
          ...httpDefaults,
          name: `web ${index}`,
          url: "https://web.test/",
          periodicity: "1m",
          active: true,
        },
        "management",
      );
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/maintenances/new`);
    await page.getByLabel("Title", { exact: true }).fill("Upgrade");
    const field = page.getByRole("searchbox", { name: "Find in Monitors" });
    await field.pressSequentially("web 201");
    await page.getByRole("checkbox", { name: "web 201" }).waitFor();
    await page.getByRole("checkbox", { name: "web 1", exact: true }).waitFor({ state: "detached" });
    expect(await field.inputValue()).toBe("web 201");
    expect(await field.evaluate((one) => one.matches(":focus"))).toBe(true);
    await page.getByRole("checkbox", { name: "web 201" }).check();
    await field.fill("web 7");
    await field.press("Enter");
    await page.getByRole("checkbox", { name: "web 7", exact: true }).waitFor();
    expect(await page.getByRole("checkbox", { name: "web 201" }).isChecked()).toBe(true);
    expect(await page.getByLabel("Title", { exact: true }).inputValue()).toBe("Upgrade");
    expect(new URL(page.url()).pathname).toBe("/maintenances/new");
  },
);
