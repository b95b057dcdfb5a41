import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { follow } from "../../support/browser.ts";
import { fileBrowser } from "../../support/file-browser.ts";
import { operatorScene } from "../../support/operator-scene.ts";
import { formTokenIn } from "../../support/signed-in.ts";
import { pageFaults } from "../../support/page-faults.ts";
import { generatedPage } from "../../support/status-page-scene.ts";

const browser = fileBrowser();

interface RefusedForm {
  readonly at: string;
  /** What opens it; null: it is open. */
  readonly summary: string | null;
  /** Which card is picked before. */
  readonly picked?: string;
  /** What is typed, by the names of the fields. */
  readonly typed: Readonly<Record<string, string>>;
  readonly button: string;
  /** What the link above the form says. */
  readonly says: RegExp;
}

const tooLong = "x".repeat(300);
/** Each form inside a page, with something that it refuses. */
const forms: readonly RefusedForm[] = [
  {
    at: "/incidents/7",
    summary: null,
    typed: { comment: "x".repeat(5_000) },
    button: "Comment",
    says: /^Comment for your colleagues must have at most/,
  },
  {
    at: "/status-pages/new",
    summary: null,
    typed: { title: "Acme & sons", slug: "No way" },
    button: "Create status page",
    says: /^Name in the address may have lower-case letters/,
  },
  {
    at: "/status-pages/1/settings",
    summary: null,
    typed: { title: "Another", slug: "No way" },
    button: "Save the page",
    says: /^Name in the address may have lower-case letters/,
  },
  {
    at: "/status-pages/1/access",
    summary: null,
    picked: "networks",
    typed: { allowed_ip_ranges: "everywhere" },
    button: "Save the access",
    says: /^Networks must be addresses or CIDR ranges/,
  },
  {
    at: "/status-pages/1/look",
    summary: null,
    typed: { "custom_theme.light.--primary": "#117733", "custom_theme.dark": "link: red" },
    button: "Save the look",
    says: /^Other variables in dark must have lines/,
  },
  {
    at: "/status-pages/1?add=monitors",
    summary: null,
    typed: {},
    button: "Add monitors",
    says: /^Monitors must have at least one chosen/,
  },
  {
    at: "/status-pages/1?add=parts",
    summary: null,
    typed: { name: tooLong },
    button: "Add component",
    says: /^Name must be/,
  },
  {
    at: "/status-pages/1?add=groups",
    summary: null,
    typed: { name: tooLong },
    button: "Add group",
    says: /^Name must be/,
  },
  {
    at: "/status-pages/1?edit=2",
    summary: null,
    typed: { name: "Bills", place: "soon" },
    button: "Save",
    says: /^Position must be a whole number/,
  },
  {
    at: "/status-pages/1?edit=group-1",
    summary: null,
    typed: { name: tooLong },
    button: "Save",
    says: /^Name must be/,
  },
  {
    at: "/status-pages/1/subscribers?add=subscriber",
    summary: null,
    typed: { webhook_url: "nobody", name: "Wall" },
    button: "Add subscriber",
    says: /^Webhook URL must be a URL that begins with https/,
  },
];

/** Opens a form, types into it and sends it. */
async function send(page: Page, form: RefusedForm): Promise<void> {
  const { at, summary, picked, typed, button } = form;
  const box =
    summary === null
      ? page.locator(at.includes("?edit=") ? ".edited" : at.includes("?add=") ? ".adding" : "main")
      : page.locator("details", { has: page.locator("summary", { hasText: summary }) }).last();
  if (summary !== null && (await box.getAttribute("open")) === null)
    await box.locator("summary").first().click();
  for (const one of await box.locator("details.group:not([open]) > summary").all())
    if (await one.isVisible()) await one.click();
  if (picked !== undefined) await box.getByRole("radio", { name: picked }).check();
  for (const [name, value] of Object.entries(typed))
    await box.locator(`[name="${name}"]`).fill(value);
  await follow(box.getByRole("button", { name: button, exact: true }).last());
}

test.skipIf(!browser.isThere)(
  "a form inside a page that is refused is open, says at its field what is wrong, and keeps all that was typed",
  async () => {
    const { service, get, post } = await operatorScene();
    // Without an address, no subscriber can be added.
    const form = formTokenIn(await (await get("/settings/service")).text());
    await post("/settings/service", { form, address: "https://picket.test" });
    await generatedPage(service);
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    for (const form of forms) {
      await page.goto(`${service.url}${form.at}`);
      await send(page, form);
      const link = page.locator(".mistakes li a");
      expect(await link.allInnerTexts()).toEqual([expect.stringMatching(form.says)]);
      const wrong = page.locator(`[id="${(await link.getAttribute("href"))?.slice(1)}"]`);
      const field = page.locator(".field", { has: wrong }).last();
      expect(await field.locator(".wrong-line").isVisible()).toBe(true);
      const sent = page.locator("form", { has: wrong });
      for (const [name, value] of Object.entries(form.typed))
        expect(await sent.locator(`[name="${name}"]`).inputValue()).toBe(value);
    }
  },
);

test.skipIf(!browser.isThere)(
  "a form inside a page is accessible as it was refused, on a desk and on a phone, light and dark",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ javaScriptEnabled: true });
    const page = await context.newPage();
    const faults: string[] = [];
    for (const [index, form] of forms.entries()) {
      if (![0, 2, 7, 8].includes(index)) continue;
      await page.goto(`${service.url}${form.at}`);
      await send(page, form);
      faults.push(...(await pageFaults(page, `refused-in-page-${index}`)));
    }
    expect(faults).toEqual([]);
  },
);

test.skipIf(!browser.isThere)(
  "a group that was deleted in another tab is refused at its field, and what was typed is kept",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const [page, other] = [await context.newPage(), await context.newPage()];
    await page.goto(`${service.url}/status-pages/1`);
    await page.locator("summary", { hasText: /^Add$/ }).click();
    await follow(page.getByRole("link", { name: "Component without a monitor" }));
    const box = page.locator('form[action="/status-pages/1/parts"]');
    await box.getByLabel("Name").fill("Help desk");
    await box.getByLabel("Group").selectOption({ index: 1 });
    await other.goto(`${service.url}/status-pages/1`);
    await other
      .getByLabel(/^Remove group/)
      .first()
      .click();
    await follow(other.getByRole("button", { name: "Remove the group" }).first());
    await follow(box.getByRole("button", { name: "Add component", exact: true }).last());
    expect(await page.locator(".mistakes li").allInnerTexts()).toEqual([
      "Group has one that was deleted meanwhile: it is no longer in the list.",
    ]);
    expect(await box.getByLabel("Name").inputValue()).toBe("Help desk");
  },
);
