import { describe, expect, test } from "vitest";
import { kinds } from "#check/monitor";
import { follow, openAll } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { applyFile } from "../../../support/applied-file.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { keyboardFaults, pageFaults, tabTo } from "../../../support/page-faults.ts";

const browser = fileBrowser();
const { isThere } = browser;

describe("the form of each kind of monitor", () => {
  test.skipIf(!isThere).each(kinds)(
    "%s is accessible and fits as it is opened and as it is refused, with all of it open and a row in every list",
    async (kind) => {
      const { service } = await operatorScene();
      await using context = await browser.newContext({ javaScriptEnabled: true });
      await context.route("**/live.js", (route) =>
        route.fulfill({ contentType: "text/javascript", body: "" }),
      );
      const page = await context.newPage();
      const faults: string[] = [];
      await page.goto(`${service.url}/monitors/new?kind=${kind}`);
      await openAll(page);
      const add = page.getByRole("button", { name: /^Add / });
      for (let index = 0; index < (await add.count()); index += 1) {
        const rows = await page.locator(".row").count();
        await add.nth(index).click();
        await expect.poll(() => page.locator(".row").count()).toBe(rows + 1);
        await openAll(page);
      }
      faults.push(...(await pageFaults(page, `form-${kind}`)).map((one) => `${kind}: ${one}`));
      await page.getByLabel("Timeout").fill("soon");
      await follow(page.getByRole("button", { name: "Create monitor" }));
      await openAll(page);
      const found = [
        ...(await pageFaults(page, `form-${kind}-refused`)),
        ...(await keyboardFaults(page)),
      ];
      faults.push(...found.map((one) => `${kind}, refused: ${one}`));
      expect(faults.join("\n")).toBe("");
    },
  );

  test.skipIf(!isThere)(
    "is filled, refused, corrected and sent by the keyboard alone",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${service.url}/monitors/new?kind=tcp`);
      await tabTo(page, page.getByLabel("Host and port"));
      await page.keyboard.type("db.example");
      let loaded = page.waitForEvent("load");
      await page.keyboard.press("Enter");
      await loaded;
      expect(await page.locator(".mistakes li").innerText()).toMatch(/^Host and port /);
      const host = page.getByLabel("Host and port");
      expect(await host.evaluate((one) => one.matches(":focus"))).toBe(true);
      await page.keyboard.press("End");
      await page.keyboard.type(":5432");
      loaded = page.waitForEvent("load");
      await page.keyboard.press("Enter");
      await loaded;
      expect(await page.locator("h1").innerText()).toBe("db.example:5432");
    },
  );
});

test.skipIf(!isThere)(
  "the form of a monitor that files own shows everything, can change nothing, and says which files to change",
  async () => {
    const { service, post, get } = await operatorScene({ days: 0 });
    await applyFile(service, {
      owner: "team-shop",
      monitors: [
        {
          config: {
            http: { name: "shop", url: "https://shop.test/", periodicity: "PERIODICITY_1M" },
          },
        },
      ],
    });
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/1/edit`);
    await openAll(page);
    const fields = page.locator("form.form").locator("input:not([type=hidden]), select, textarea");
    expect(await fields.count()).toBeGreaterThan(10);
    for (const field of await fields.all()) expect(await field.isDisabled()).toBe(true);
    expect(await page.getByLabel("URL", { exact: true }).inputValue()).toBe("https://shop.test/");
    const acts = page.getByRole("button", { name: /Save|Try|Add|Remove/ });
    for (const act of await acts.all()) expect(await act.isDisabled()).toBe(true);
    const says = await page.locator("p.advice").innerText();
    expect(says).toContain(
      "This monitor is managed by the files of team-shop: change it there, then run picket apply",
    );
    expect(says).toContain("picket export --owner 'team-shop'");
    expect(await pageFaults(page, "form-of-files")).toEqual([]);
    const form = /name="form" value="([^"]+)"/.exec(await (await get("/")).text())?.[1] ?? "";
    const sent = await post("/monitors/1/edit", { form, name: "mine", url: "https://shop.test/" });
    expect([sent.status, await sent.text()]).toEqual([
      400,
      expect.stringContaining("It is managed by the files of team-shop: change it there."),
    ]);
  },
);
