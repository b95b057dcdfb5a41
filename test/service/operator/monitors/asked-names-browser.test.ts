import { expect, test } from "vitest";
import { tcpDefaults } from "#check/definition";
import { applyFile } from "../../../support/applied-file.ts";
import { complaints, follow, overhang, snap } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

/** The names of `web 1` to `web 24`, and two of files. */
async function manyScene() {
  const { service } = await operatorScene({ days: 0 });
  for (let number = 24; number > 0; number -= 1) {
    const own = { name: `web ${number}`, uri: "db.test:5432", periodicity: "1m", active: true };
    await service.admin.createMonitor({ ...tcpDefaults, ...own }, "management");
  }
  await applyFile(service, {
    owner: "shop",
    monitors: ["till 10", "till 9"].map((name) => ({
      config: { http: { name, url: "https://till.example/", periodicity: "PERIODICITY_1M" } },
    })),
  });
  return service;
}

test.skipIf(!isThere)(
  "the question before many are deleted lists each name, and says what to do for those of files, without scripts",
  async () => {
    const service = await manyScene();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(service.url);
    await page.getByLabel("Select all 26").check();
    await follow(page.getByRole("button", { name: "Delete" }));
    expect(await page.locator("h1").innerText()).toBe("Delete 24 monitors?");
    const said = (await page.locator("main").innerText()).replaceAll(/\s+/g, " ");
    expect(said).toContain(
      "2 monitors from files stay as they are: till 9 and till 10. Change them in the files.",
    );
    expect(await page.locator("dd li:visible").allInnerTexts()).toEqual(
      Array.from({ length: 20 }, (_, index) => `web ${index + 1}`),
    );
    await page.getByText("And 4 more").click();
    expect(await page.getByText("web 24").isVisible()).toBe(true);
    expect(await page.locator("dd li:visible").count()).toBe(24);
    await page.getByText("How to let people change them").click();
    expect(await page.locator("main code").innerText()).toBe(
      "picket import monitor 'till 9' 'till 10' --release --from shop",
    );
    await page.locator(".card.removal").getByRole("button", { name: "Delete 24 monitors" }).click();
    await page.getByText("24 monitors are deleted.").waitFor();
  },
);

test.skipIf(!isThere)(
  "axe has no complaint of that question, at each width: light and dark",
  async () => {
    const service = await manyScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(service.url);
    await page.getByLabel("Select all 26").check();
    await follow(page.getByRole("button", { name: "Delete" }));
    for (const words of ["And 4 more", "How to let people change them"])
      await page.getByText(words).click();
    for (const colorScheme of ["light", "dark"] as const)
      for (const [width, height] of [
        [1280, 800],
        [390, 844],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height });
        expect(await complaints(page, "all")).toEqual([]);
        expect(await overhang(page)).toBe(0);
        await snap(page, `asked-names-${colorScheme}-${width}`);
      }
  },
);
