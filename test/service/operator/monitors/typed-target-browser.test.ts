import { expect, test } from "vitest";
import { follow } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

test.skipIf(!isThere)(
  "a target that cannot be checked is said at its field alone as it is pasted or left, since no one saved it",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/new`);
    const url = page.getByLabel("URL", { exact: true });
    await url.fill("ftp://shop.example/");
    await page.keyboard.press("Enter");
    await page.getByText("It must begin with http:// or https://").waitFor();
    expect(await page.locator(".mistakes").count()).toBe(0);
    await url.fill("127.0.0.1:99999");
    await page.getByLabel("Name", { exact: true }).click();
    await page.locator("#field-uri-wrong").waitFor();
    expect(await page.locator("#field-uri-wrong").innerText()).toContain("65");
    expect(await page.locator(".mistakes").count()).toBe(0);
  },
);

test.skipIf(!isThere)(
  "a question for one type of records fills the domain in, and opens a rule for the type",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    for (const text of ["shop.example TXT", "dns://shop.example?type=TXT"]) {
      await page.goto(`${service.url}/monitors/new?kind=dns`);
      const domain = page.getByLabel("Domain name");
      await domain.fill(text);
      await page.getByLabel("Name", { exact: true }).click();
      await page.locator(".row").waitFor();
      expect(await domain.inputValue()).toBe("shop.example");
      expect(await page.getByLabel("Type").inputValue()).toBe("TXT");
      expect(await page.getByLabel("Value").isVisible()).toBe(true);
    }
  },
);

test.skipIf(!isThere)(
  "without a script, a URL with a new line in it is one line when it is sent",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/new`);
    await page.getByLabel("URL", { exact: true }).fill("https://shop.example/\n/health\n");
    await follow(page.getByRole("button", { name: "Create monitor" }));
    if ((await page.locator("h1").innerText()) === "New monitor")
      await follow(page.getByRole("button", { name: "Save anyway" }));
    expect(await page.locator("main").innerText()).toContain("shop.example/");
    expect(await page.locator("h1").innerText()).not.toContain("monitor");
  },
);

test.skipIf(!isThere)(
  "how late an outage is reported follows the timeout as it is typed, and a kind without rules promises none",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/new?kind=tcp`);
    await page.getByText("Timeout and retries").first().click();
    const words = page.locator('[data-follows="attempts"]');
    expect(await words.innerText()).toMatch(/a timeout of 10\s+s and/);
    await page.getByLabel("Timeout").fill("3 s");
    await words.getByText(/a timeout of 3\s+s and/).waitFor();
    await page.getByLabel("Timeout").fill("3");
    await expect.poll(() => words.innerText()).toBe("");
    expect(await page.locator(".before-trial").innerText()).not.toContain("assertion");
    await page.goto(`${service.url}/monitors/new?kind=icmp`);
    expect(await page.locator(".before-trial").innerText()).toContain("each assertion");
  },
);

test.skipIf(!isThere)(
  "two addresses in two lines are offered as two monitors as Enter ends them, with a script and without one",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/new`);
    await page.getByLabel("URL", { exact: true }).fill("a.test");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("b.test");
    await page.keyboard.press("Enter");
    await page.getByText("These are 2 addresses.").waitFor();
    expect(await page.getByLabel("URL", { exact: true }).inputValue()).toBe("a.test\nb.test");
    await follow(page.getByRole("button", { name: "Create 2 monitors" }).last());
    expect(await page.getByText("2 monitors are created.").isVisible()).toBe(true);
    await using plain = await browser.newContext({ javaScriptEnabled: false });
    const other = await plain.newPage();
    await other.goto(`${service.url}/monitors/new`);
    await other.getByLabel("URL", { exact: true }).fill("https://c.test/\nhttps://d.test/");
    await follow(other.getByRole("button", { name: "Create monitor" }));
    expect(await other.locator("#field-url-wrong").innerText()).toContain("has 2 addresses");
    await follow(other.getByRole("button", { name: "Create 2 monitors" }).last());
    expect(await other.getByText("2 monitors are created.").isVisible()).toBe(true);
  },
);

test.skipIf(!isThere)(
  "the button says how many monitors it makes as addresses are typed and taken out",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/new`);
    const field = page.getByLabel("URL", { exact: true });
    await field.fill("a.test b.test c.test");
    await page.keyboard.press("Tab");
    const button = page.locator(".actions .main");
    await expect.poll(() => button.innerText()).toBe("Create 3 monitors");
    await field.fill("a.test b.test");
    await page.locator("#sums").getByText("Each of the 2 addresses").waitFor();
    await expect.poll(() => button.innerText()).toBe("Create 2 monitors");
    expect(await page.locator(".filled").innerText()).toContain("These are 2 addresses.");
    expect(await page.locator('input[name="several"]').getAttribute("value")).toBe("2");
  },
);
