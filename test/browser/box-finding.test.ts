import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { fileBrowser } from "../support/file-browser.ts";
import { operatorScene, type OperatorScene } from "../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

/** A service with more monitors than a form lists. */
async function manyMonitors(): Promise<OperatorScene> {
  const scene = await operatorScene({ days: 0 });
  for (let index = 1; index <= 201; index += 1)
    await scene.service.admin.createMonitor(
      {
        ...httpDefaults,
        name: `web ${index}`,
        url: "https://web.test/",
        periodicity: "1m",
        active: true,
      },
      "management",
    );
  return scene;
}

test.skipIf(!isThere)(
  "a monitor among very many is found as a person types, who stays in the field and on the page",
  async () => {
    const { service } = await manyMonitors();
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

test.skipIf(!isThere)(
  "what a person does while a search is under way is kept, and a search that fails leaves the page alone",
  async () => {
    const { service } = await manyMonitors();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/maintenances/new`);
    const title = page.getByLabel("Title", { exact: true });
    const field = page.getByRole("searchbox", { name: "Find in Monitors" });
    const sent: string[] = [];
    const first = Promise.withResolvers<void>();
    const typed = Promise.withResolvers<void>();
    await page.route("**/maintenances/new", async (route) => {
      const body = route.request().postData() ?? "";
      // The preview beside the form follows what is typed.
      if (body.includes("preview=part")) return route.continue();
      sent.push(body);
      if (sent.length === 1) {
        first.resolve();
        await typed.promise;
      }
      await (sent.length > 2 ? route.abort() : route.continue());
    });
    await field.pressSequentially("web 201");
    await first.promise;
    await title.pressSequentially("Upgrade");
    typed.resolve();
    await page.getByRole("checkbox", { name: "web 201" }).waitFor();
    expect(await title.inputValue()).toBe("Upgrade");
    expect(await title.evaluate((one) => one.matches(":focus"))).toBe(true);
    expect(sent.length).toBe(2);
    await page.keyboard.type("d");
    const failed = page.waitForEvent("requestfailed");
    await field.press("End");
    await page.keyboard.type("9");
    await failed;
    expect(await title.inputValue()).toBe("Upgraded");
    expect(await field.inputValue()).toBe("web 2019");
    expect(new URL(page.url()).pathname).toBe("/maintenances/new");
    expect(sent.length).toBe(3);
  },
);
