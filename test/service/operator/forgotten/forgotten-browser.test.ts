import { describe, expect, onTestFinished, test } from "vitest";
import { noAccounts } from "#service/notify/accounts";
import { startMailServer } from "../../../servers/mail-servers.ts";
import { complaints, follow } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byAccount } from "../../../support/signed-in.ts";

const browser = fileBrowser();
const email = "ann@example.com";
const narrow = { width: 390, height: 844 };

async function scene() {
  const mails = await startMailServer();
  onTestFinished(() => mails[Symbol.asyncDispose]());
  const { port } = mails;
  const from = "picket@example.com";
  const smtp = {
    host: "127.0.0.1",
    port,
    tls: "if-offered",
    login: null,
    dkim: null,
    isGiven: false,
    from,
  } as const;
  const accounts = { ...noAccounts, smtp };
  const here = await operatorScene({ pages: "signed in", days: 0, accounts, sends: "really" });
  const ann = await byAccount(here, email, "owner");
  await ann.send("/settings/service", { address: here.service.url });
  return { here, mails };
}

describe.skipIf(!browser.isThere)("in a browser", () => {
  test("a person without scripts asks for a link, and chooses a new password with it", async () => {
    const { here, mails } = await scene();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${here.service.url}/sign-in`);
    await follow(page.getByRole("link", { name: "Forgotten password?" }));
    await page.locator("#email:focus").fill(email);
    await follow(page.getByRole("button", { name: "Send the link" }));
    expect(await page.getByRole("status").innerText()).toMatch(/^If an account has this address/);
    await mails.had(1);
    const text = mails.mails[0]?.replaceAll("=\r\n", "").replaceAll("=3D", "=") ?? "";
    await page.goto(/http\S+\/join\?link=[\w-]+/.exec(text)?.[0] ?? "");
    await page.getByLabel("New password").fill("another battery and staple");
    await follow(page.getByRole("button", { name: "Set the password" }));
    expect(await page.getByRole("status").innerText()).toContain("Your password is set");
  });

  test.each(["light", "dark"] as const)(
    "the pages for a forgotten password are accessible on a telephone, in %s colours",
    async (colorScheme) => {
      const { here } = await scene();
      await using context = await browser.newContext({ viewport: narrow, colorScheme });
      const page = await context.newPage();
      for (const path of [
        "/sign-in",
        "/sign-in/forgotten",
        "/sign-in/forgotten?asked",
        "/join?link=x",
      ]) {
        await page.goto(`${here.service.url}${path}`);
        expect([path, await complaints(page, "all")]).toEqual([path, []]);
      }
    },
  );
});
