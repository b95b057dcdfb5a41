import { expect, test } from "vitest";
import { pages } from "#service/operator/page-routes";
import { follow, sizes } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { samplePath } from "../../../support/sample-path.ts";
import { formTokenIn } from "../../../support/signed-in.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

/** The pages that are forms, and the field that has the cursor as each opens; null: a person chooses where they begin. */
const formPages: Readonly<Record<string, string | null>> = {
  "/monitors/new": "url",
  "/monitors/new?kind=dns": "uri",
  "/monitors/new?kind=tcp": "uri",
  "/monitors/1/copy": null,
  "/monitors/1/edit": null,
  "/locations/new": "name",
  "/locations/1/edit": null,
  "/channels/new": "url",
  "/channels/new/discord": "name",
  "/channels/1/edit": null,
  "/maintenances/new": "title",
  "/maintenances/1/edit": null,
  "/maintenances/1/updates": "message",
  "/status-pages/new": "title",
  "/status-pages/1?add=parts": "name",
  "/status-pages/1?add=groups": "name",
  "/status-pages/1?add=monitors": null,
  "/status-pages/1?edit=1": null,
  "/status-pages/1?edit=group-1": null,
  "/status-pages/1/look": null,
  "/status-pages/1/access": null,
  "/status-pages/1/settings": null,
  // Filled in from what fails now, and from nothing.
  "/status-pages/1/reports/new": "title",
  "/status-pages/2/reports/new": "title",
  "/status-pages/1/templates/new": "name",
  "/reports/1": null,
  "/reports/1/updates/1/edit": null,
  "/settings": null,
  "/settings/service": null,
  "/settings/mail": "host",
  "/settings/people/new": "name",
  "/settings/keys/new": "name",
};

/** Pages with a form next to what they are for, or with one that cannot be sent as long as the service has no address. */
const formsAside = ["/incidents/1", "/status-pages/1/subscribers"];

test("every page with a form to be saved is in the table of those without page keys", async () => {
  const { service, get } = await operatorScene();
  await generatedPage(service);
  const paths = new Set([
    ...pages.map(({ path }) => samplePath(path, "1")),
    ...Object.keys(formPages),
  ]);
  const marked: string[] = [];
  const unmarked: string[] = [];
  for (const path of paths) {
    const forms = (await (await get(path)).text()).match(/<form\b[^>]*class="form\b[^>]*>/g) ?? [];
    if (forms.some((form) => form.includes("data-filled-in"))) marked.push(path);
    else if (forms.length > 0) unmarked.push(path);
  }
  expect(marked.toSorted()).toEqual(Object.keys(formPages).toSorted());
  expect(unmarked).toEqual(formsAside);
});

test.skipIf(!isThere)(
  "letters typed on a form that just opened are text in its first field, and lead to no page",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext();
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    for (const [path, name] of Object.entries(formPages)) {
      await page.goto(`${service.url}${path}`);
      if (name !== null) await page.locator(`[name="${name}"]:focus`).waitFor();
      await page.keyboard.type("Network, gi gu nax/");
      expect([path, page.url()]).toEqual([path, `${service.url}${path}`]);
      if (name === null)
        expect([path, await page.locator("input:focus, textarea:focus").count()]).toEqual([
          path,
          0,
        ]);
      else
        expect([path, await page.locator(`[name="${name}"]:focus`).inputValue()]).toEqual([
          path,
          "Network, gi gu nax/",
        ]);
      // Next to the fields, too.
      await page.locator("h1").first().click();
      await page.keyboard.type("ngu");
      expect([path, page.url()]).toEqual([path, `${service.url}${path}`]);
    }
  },
);

test.skipIf(!isThere)(
  "a form that was refused, or that was filled by a button, is without page keys, and ? says which keys there are",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    await page.goto(`${service.url}/maintenances`);
    await follow(page.getByRole("link", { name: "Plan maintenance" }).first());
    await page.locator('[name="title"]:focus').waitFor();
    await page.keyboard.type("Network");
    await page.getByRole("button", { name: "Now, for 1 h" }).click();
    await page.locator('[name="message"]:focus').waitFor();
    await follow(page.locator("form.form button.main"));
    await page.locator(".mistakes").waitFor();
    await page.locator("h1").first().click();
    await page.keyboard.type("ngu");
    expect(new URL(page.url()).pathname).toBe("/maintenances/new");
    expect(await page.getByLabel("Title").inputValue()).toBe("Network");
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keys" });
    expect(await help.locator("dt").allInnerTexts()).toEqual(["Ctrl+K", "?"]);
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "hidden" });
    await follow(page.getByRole("link", { name: "Cancel" }));
    const loaded = page.waitForURL(/\/monitors\/new$/);
    await page.keyboard.type("n");
    await loaded;
  },
);

/** Where a press opens a form inside its page: the link, and the field that has the cursor then. */
const opened = [
  ["/status-pages/1", "Group", "name"],
  ["/status-pages/1", "Component without a monitor", "name"],
  ["/status-pages/1/subscribers", "Add subscriber", "webhook_url"],
] as const;

test.skipIf(!isThere)(
  "a form that is opened inside its page takes what is typed, and Enter sends it",
  async () => {
    const { service, get, post } = await operatorScene();
    await generatedPage(service);
    const form = formTokenIn(await (await get("/settings/service")).text());
    await post("/settings/service", { form, address: "https://picket.test" });
    const added = { form, webhook_url: "https://chat.test/first" };
    await post("/status-pages/1/subscribers", added);
    for (const javaScriptEnabled of [true, false]) {
      await using context = await browser.newContext({
        javaScriptEnabled,
        viewport: sizes.desktop,
      });
      context.setDefaultTimeout(10_000);
      const page = await context.newPage();
      for (const [path, link, name] of opened) {
        await page.goto(`${service.url}${path}`);
        if (path === "/status-pages/1") await page.locator("summary", { hasText: "Add" }).click();
        await follow(page.getByRole("link", { name: link, exact: true }));
        const field = page.locator(`[name="${name}"]:focus`);
        await field.waitFor();
        const { y = -1, height = 0 } = (await field.boundingBox()) ?? {};
        expect([link, y > 0, y + height < sizes.desktop.height]).toEqual([link, true, true]);
        const typed =
          name === "name"
            ? `${link} ${javaScriptEnabled}`
            : `https://chat.test/${javaScriptEnabled}`;
        await page.keyboard.type(typed);
        const loaded = page.waitForEvent("load");
        await page.keyboard.press("Enter");
        await loaded;
        expect([typed, await page.locator(".mistakes").count()]).toEqual([typed, 0]);
        if (name === "name") expect(await (await get("/status-pages/1")).text()).toContain(typed);
      }
    }
  },
);

test.skipIf(!isThere)(
  "the page that asks a reader for a password has the cursor there, also after a wrong one",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ javaScriptEnabled: false });
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    await page.goto(`${service.url}/status/closed`);
    for (const password of ["sesam", "sesame"]) {
      await page.locator('[name="password"]:focus').waitFor();
      await page.keyboard.type(password);
      const loaded = page.waitForEvent("load");
      await page.keyboard.press("Enter");
      await loaded;
    }
    expect(await page.locator("h1").innerText()).toBe("All systems are operational");
  },
);
