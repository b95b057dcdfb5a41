import { expect, test } from "vitest";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere)(
  "a preview says that the service is away only while it is, and that its reader is signed out",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/maintenances/new`);
    const line = page.locator(".waits-for-service");
    const message = page.getByLabel("Message");
    const address = `${service.url}/maintenances/new`;
    const answerWith = async (answer: { readonly status: number; readonly location?: string }) => {
      await page.unroute(address);
      const { status, location } = answer;
      const headers = location === undefined ? {} : { location };
      await page.route(address, (route) => route.fulfill({ status, headers }));
    };
    await answerWith({ status: 503 });
    await message.pressSequentially("a");
    await expect
      .poll(() => line.allInnerTexts())
      .toEqual([
        "The service does not answer: this shows what you typed before, and follows once it is back.",
      ]);
    // Each of them is an answer of the service, without a preview.
    for (const status of [429, 500, 404]) {
      await answerWith({ status });
      await message.pressSequentially("b");
      await line.waitFor({ state: "detached" });
      await answerWith({ status: 503 });
      await message.pressSequentially("c");
      await line.waitFor();
    }
    await answerWith({ status: 303, location: "/sign-in" });
    await message.pressSequentially("d");
    await expect
      .poll(() => line.allInnerTexts())
      .toEqual([
        "You are signed out: this shows what you typed before. Press the form’s button to sign in: what you typed is kept.",
      ]);
    await page.unroute(address);
    await message.pressSequentially("e");
    await line.waitFor({ state: "detached" });
    expect(await page.locator("#preview").innerText()).toContain("abcbcbcde");
  },
);
