import { expect, test } from "vitest";
import { noAccounts } from "#service/notify/accounts";
import { smtpWantsALogin, startMailServer } from "../../../servers/mail-servers.ts";
import { complaints, follow, overhang } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();
const login = { ...smtpWantsALogin("picket", "sesame sesame"), allowInsecureAuth: true };
const scene = () => operatorScene({ days: 0, sends: "really", accounts: noAccounts });

test.skipIf(!browser.isThere)(
  "without a script a person who wants an e-mail channel sets the mail server on the way, and comes back",
  async () => {
    await using server = await startMailServer(login);
    const { service } = await scene();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${service.url}/channels/new?next=%2Fstart`);
    await follow(page.getByRole("link", { name: "E-mail", exact: true }));
    await follow(page.getByRole("link", { name: "Set a mail server" }));
    await page.getByLabel("Host").fill("127.0.0.1");
    await page.getByLabel("Security").selectOption("None");
    await page.getByLabel("Port").fill(String(server.port));
    await page.getByLabel("User").fill("picket");
    await page.getByLabel("Password", { exact: true }).fill("a guess");
    await page.getByLabel("Sender").fill("picket@example.com");
    await page.getByLabel("To", { exact: true }).fill("ann@example.com");
    const send = page.getByRole("button", { name: "Send a test mail" });
    await follow(send);
    expect(await page.getByRole("alert").innerText()).toContain("(535): correct them");
    await page.getByLabel("Password", { exact: true }).fill("sesame sesame");
    await follow(send);
    expect(await page.getByRole("status").innerText()).toContain("took the test mail");
    expect(server.mails.length).toBe(1);
    await follow(page.getByRole("button", { name: "Save" }));
    expect(page.url()).toBe(`${service.url}/channels/new/email?next=%2Fstart`);
    await page.getByLabel("E-mail address").fill("ops@example.com");
    await follow(page.getByRole("button", { name: "Create channel" }));
    expect(new URL(page.url()).pathname).toBe("/start");
  },
);

test.skipIf(!browser.isThere)(
  "a test mail has the time of the browser, and leaves what was typed in place, with the button that shows the password, and axe has no complaint",
  async () => {
    await using server = await startMailServer(login);
    const { service } = await scene();
    await using context = await browser.newContext({ timezoneId: "Asia/Tokyo" });
    const page = await context.newPage();
    const judged = async (): Promise<void> => {
      for (const colorScheme of ["light", "dark"] as const)
        for (const [width, height] of [
          [1280, 900],
          [390, 844],
        ] as const) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height });
          expect([await complaints(page, "all"), await overhang(page)]).toEqual([[], 0]);
        }
    };
    await page.goto(`${service.url}/settings/mail`);
    await judged();
    await page.setViewportSize({ width: 1280, height: 500 });
    const save = page.getByRole("button", { name: "Save" });
    // It stays in view, however far down the form goes.
    expect((await save.boundingBox())?.y).toBeLessThan(500);
    await page.getByLabel("Host").fill("127.0.0.1");
    await page.getByLabel("Security").selectOption("None");
    await page.getByLabel("Port").fill(String(server.port));
    await page.getByLabel("User").fill("picket");
    const password = page.getByLabel("Password", { exact: true });
    await password.fill("sesame sesame");
    await page.getByLabel("Sender").fill("picket@example.com");
    await page.getByLabel("To", { exact: true }).fill("ann@example.com");
    await page.getByRole("button", { name: "Send a test mail" }).click();
    await page.locator("#test .notice.good").waitFor();
    expect(server.mails[0]).toMatch(/Sent: .*(GMT\+9|JST)/);
    expect(page.url()).toBe(`${service.url}/settings/mail`);
    await page.getByRole("button", { name: "Show" }).click();
    expect([await password.getAttribute("type"), await password.inputValue()]).toEqual([
      "text",
      "sesame sesame",
    ]);
    await judged();
    await follow(page.getByRole("button", { name: "Save" }));
    await judged();
    await follow(page.getByRole("link", { name: "Use no mail server" }));
    await judged();
    await page.goto(`${service.url}/channels/new/email`);
    expect(await page.getByText("cannot be used yet").count()).toBe(0);
  },
);
