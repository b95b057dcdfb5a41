import { expect, test } from "vitest";
import { follow } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere)(
  "the access that is picked has its own fields, and no others, by the keyboard alone without scripts",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/1/access`);
    const names = ["allow_index", "password", "auth_email_domains", "allowed_ip_ranges"];
    const seen = async (): Promise<readonly string[]> => {
      const visible = names.map((name) => page.locator(`[name="${name}"]`).isVisible());
      const are = await Promise.all(visible);
      return names.filter((_, index) => are[index]);
    };
    expect(await seen()).toEqual(["allow_index"]);
    await page.getByRole("radio", { name: "everyone" }).focus();
    for (const name of names.slice(1)) {
      await page.keyboard.press("ArrowDown");
      expect(await seen()).toEqual([name]);
    }
    await page.keyboard.press("Tab");
    await page.keyboard.type("everywhere");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    expect(await seen()).toEqual(["allowed_ip_ranges"]);
    await page.locator("[name=allowed_ip_ranges]").fill("192.0.2.0/24");
    await follow(page.getByRole("button", { name: "Save the access" }));
    expect(await page.getByRole("status").innerText()).toMatch(/^Saved/);
    expect((await fetch(`${service.url}/status/acme`)).status).not.toBe(200);
  },
);
