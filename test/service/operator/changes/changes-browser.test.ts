import type { BrowserContext, Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { minutes } from "#base/units";
import {
  complaints,
  follow,
  looks,
  overhang,
  openAll,
  sizes,
  snap,
} from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const browser = fileBrowser();

describe.skipIf(!browser.isThere)("two people at the operator's pages", () => {
  let scene: OperatorScene;
  let ann: Page;
  let bob: Page;
  const contexts: BrowserContext[] = [];

  const person = async (): Promise<Page> => {
    const context = await browser.newContext({ baseURL: scene.service.url });
    contexts.push(context);
    return context.newPage();
  };
  beforeEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    scene = await operatorScene();
    [ann, bob] = [await person(), await person()];
  });

  /** A page that passes in both looks, and is as wide as what shows it. */
  const judge = async (page: Page, name: string): Promise<void> => {
    await openAll(page);
    for (const { colorScheme, size, rules } of looks) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(sizes[size]);
      expect(await complaints(page, rules)).toEqual([]);
      expect(await overhang(page)).toBe(0);
      await snap(page, `${name}-${colorScheme}-${size}`);
    }
    await page.setViewportSize(sizes.desktop);
  };

  const token = async (path: string): Promise<string> =>
    /name="form" value="([^"]+)"/.exec(await (await scene.get(path)).text())?.[1] ?? "";
  const newPage = async (): Promise<string> => {
    const form = await token("/status-pages/new");
    const made = await scene.post("/status-pages", { form, title: "Acme", slug: "acme" });
    return (made.headers.get("location") ?? "").split("?")[0] ?? "";
  };
  const settings = (page: Page) => page.locator("form", { has: page.locator("[name=slug]") });
  const title = (page: Page) => settings(page).locator("[name=title]");
  const openSettings = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${path}/settings`);
  };
  const save = (page: Page): Promise<void> =>
    follow(settings(page).getByRole("button", { name: "Save the page" }));

  test("who saves what another changed meanwhile sees what that was, and may go on editing", async () => {
    const path = await newPage();
    await openSettings(ann, path);
    await openSettings(bob, path);
    await title(ann).fill("Acme Europe");
    await save(ann);
    await title(bob).fill("Acme Asia");
    await save(bob);
    expect(await bob.getByRole("heading", { level: 1 }).textContent()).toBe(
      "This status page was changed meanwhile",
    );
    const choice = bob.getByRole("group", { name: "Title" });
    expect(await choice.locator(".help").allTextContents()).toEqual([
      "Before: Acme",
      "Acme Asia",
      "Acme Europe",
    ]);
    await judge(bob, "overtaken");
    await follow(bob.getByRole("button", { name: "Go on editing" }));
    expect(await title(bob).inputValue()).toBe("Acme Asia");
    await title(bob).fill("Acme Africa");
    await save(bob);
    expect(await bob.getByRole("heading", { level: 1 }).textContent()).toContain("Acme Africa");
  });
  test("who was overtaken saves theirs of what both changed, unless they choose", async () => {
    const path = await newPage();
    await openSettings(ann, path);
    await openSettings(bob, path);
    await title(ann).fill("Acme Europe");
    await save(ann);
    await title(bob).fill("Acme Asia");
    await save(bob);
    await follow(bob.getByRole("button", { name: "Save with your choices" }));
    expect(await bob.getByRole("heading", { level: 1 }).textContent()).toContain("Acme Asia");
  });
  test("who was overtaken may keep what the other saved, of one field or of all", async () => {
    const path = await newPage();
    await openSettings(bob, path);
    await openSettings(ann, path);
    await title(ann).fill("Acme Europe");
    await save(ann);
    await title(bob).fill("Acme Asia");
    await save(bob);
    await bob.getByRole("radio", { name: /^Theirs/ }).check();
    await follow(bob.getByRole("button", { name: "Save with your choices" }));
    expect(await bob.getByRole("heading", { level: 1 }).textContent()).toContain("Acme Europe");
    await openSettings(bob, path);
    await openSettings(ann, path);
    await title(ann).fill("Acme Africa");
    await save(ann);
    await settings(bob).locator("[name=description]").fill("Typed by Bob");
    await save(bob);
    await judge(bob, "merged");
    await follow(bob.getByRole("link", { name: "Discard mine" }));
    expect(await bob.getByRole("heading", { level: 1 }).textContent()).toContain("Acme Africa");
    await openSettings(bob, path);
    expect(await settings(bob).locator("[name=description]").inputValue()).toBe("");
  });
  test("who changed something else than the other saves both with one click", async () => {
    const path = await newPage();
    await openSettings(bob, path);
    await openSettings(ann, path);
    await title(ann).fill("Acme Europe");
    await save(ann);
    await settings(bob).locator("[name=description]").fill("Typed by Bob");
    await save(bob);
    await follow(bob.getByRole("button", { name: "Save both" }));
    await openSettings(ann, path);
    expect(await settings(ann).locator("[name=description]").inputValue()).toBe("Typed by Bob");
    expect(await bob.getByRole("heading", { level: 1 }).textContent()).toContain("Acme Europe");
  });
  test("what was deleted in another tab and restored there takes what was typed", async () => {
    const path = await newPage();
    await openSettings(bob, path);
    await title(bob).fill("Acme Asia");
    await ann.goto(`${path}/delete`);
    await judge(ann, "delete");
    await follow(ann.getByRole("button", { name: "Delete" }));
    await save(bob);
    expect(await bob.getByRole("heading", { level: 1 }).textContent()).toBe(
      "This status page was deleted",
    );
    await judge(bob, "deleted-meanwhile");
    await follow(ann.getByRole("button", { name: "Undo" }));
    await follow(bob.getByRole("button", { name: "Restore it, and send my form" }));
    expect(await bob.getByRole("heading", { level: 1 }).textContent()).toContain("Acme Asia");
  });
  test("what files own meanwhile is not saved over them, and what was typed is kept", async () => {
    const path = await newPage();
    await openSettings(bob, path);
    await title(bob).fill("Acme Asia");
    const { key } = await scene.service.admin.createApiKey({ name: "ci", scope: "write" });
    const taken = await fetch(`${scene.service.url}/picket.v1.ConfigurationService/ImportObject`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-key": key, connection: "close" },
      body: JSON.stringify({ kind: "status_page", name: "acme", owner: "web" }),
    });
    expect(await taken.json()).toMatchObject({ name: "acme" });
    await save(bob);
    const words = await bob.locator("main").textContent();
    expect(words).toContain("It belongs to the files of web since you opened it");
    expect(words).toContain("Acme Asia");
    expect(await bob.getByRole("button", { name: /^Save/ }).count()).toBe(0);
    await judge(bob, "owned-meanwhile");
  });
  test("a monitor is deleted after one question that says what goes with it, and is back whole with one button", async () => {
    await ann.goto("/");
    // The first may be folded away, with others of one cause.
    await follow(ann.locator(".line h3 a").filter({ visible: true }).first());
    const path = new URL(ann.url()).pathname;
    const name = await ann.getByRole("heading", { level: 1 }).textContent();
    await ann.goto(`${path}/delete`);
    const question = await ann.locator("main").textContent();
    expect(question).toMatch(/Its [\d,\s]+ results go with it/);
    expect(question).toContain("You can undo this for ten minutes.");
    await judge(ann, "delete-monitor");
    // By the keyboard alone.
    await ann.getByRole("button", { name: "Delete" }).focus();
    const listed = ann.waitForEvent("load");
    await ann.keyboard.press("Enter");
    await listed;
    expect((await bob.goto(path))?.status()).toBe(404);
    const notice = ann.getByRole("status", { name: "Deleted" });
    expect(await notice.textContent()).toContain("is deleted. You can undo this until");
    await judge(ann, "deleted");
    await notice.getByRole("button", { name: "Undo" }).focus();
    const restored = ann.waitForEvent("load");
    await ann.keyboard.press("Enter");
    await restored;
    expect(new URL(ann.url()).pathname).toBe(path);
    expect(await ann.getByRole("heading", { level: 1 }).textContent()).toBe(name);
    await ann.goto(`${path}/delete`);
    await follow(ann.getByRole("button", { name: "Delete" }));
    await notice.getByRole("button", { name: "Close" }).focus();
    const closed = ann.waitForEvent("load");
    await ann.keyboard.press("Enter");
    await closed;
    expect(await notice.count()).toBe(0);
  });
  const acme = (who: string): string => `https://${who}.acme.example`;
  test.each([
    ["/monitors/1/edit", "name", (who: string) => `Renamed by ${who}`],
    ["/channels/1/edit", "name", (who: string) => `Renamed by ${who}`],
    ["/locations/1/edit", "name", (who: string) => `Renamed by ${who}`],
    ["/maintenances/1/edit", "title", (who: string) => `Renamed by ${who}`],
    ["/settings/service", "address", acme],
  ] as const)(
    "a form that edits an object is compared with what it showed: %s",
    async (path, name, typed) => {
      await generatedPage(scene.service);
      await ann.goto(path);
      await bob.goto(path);
      const field = (page: Page) => page.locator(`form.form [name=${name}]`);
      const submit = (page: Page) => follow(page.locator("form.form button.main"));
      await field(ann).fill(typed("ann"));
      await submit(ann);
      await field(bob).fill(typed("bob"));
      await submit(bob);
      expect(await bob.getByRole("heading", { level: 1 }).textContent()).toContain(
        "was changed meanwhile",
      );
      const words = await bob.locator("form.kept").textContent();
      expect(words).toContain(typed("ann"));
      expect(words).toContain(typed("bob"));
      await judge(bob, `overtaken${path.replaceAll("/", "-")}`);
      await follow(bob.getByRole("button", { name: "Save with your choices" }));
      await ann.goto(path);
      expect(await field(ann).inputValue()).toBe(typed("bob"));
    },
  );
  const newReport = async (): Promise<string> => {
    const path = await newPage();
    const form = await token(path);
    const report = { form, title: "Slow cards", status: "investigating", message: "We look." };
    await scene.post(`${path}/reports/new`, report);
    return "/reports/1";
  };
  test.each(["/reports/1", "/reports/1/updates/1/edit"])(
    "who writes of a report that another wrote of meanwhile sees what that was: %s",
    async (path) => {
      const report = await newReport();
      await ann.goto(report);
      await bob.goto(path);
      const message = (page: Page) => page.locator("form.form [name=message]");
      const submit = (page: Page) => follow(page.locator("form.form button.main"));
      await message(ann).fill("A switch broke.");
      await submit(ann);
      await message(bob).fill("It may be the switch.");
      await submit(bob);
      expect(await bob.getByRole("heading", { level: 1 }).textContent()).toBe(
        "This report was changed meanwhile",
      );
      expect(await bob.locator("main").textContent()).toContain("A switch broke.");
      expect(await bob.locator("table.changes").textContent()).toContain("It may be the switch.");
      await follow(bob.getByRole("button", { name: "Save both" }));
      await ann.goto(report);
      expect(await ann.locator("main").textContent()).toContain("It may be the switch.");
      expect(await ann.locator("main").textContent()).toContain("A switch broke.");
    },
  );
  test("who changes a person that another owner changed or deleted meanwhile sees that, and nothing is saved", async () => {
    const form = await token("/settings/people/new");
    const cy = { form, name: "Cy", email: "cy@acme.example", role: "reader" };
    await scene.post("/settings/people", cy);
    const path = "/settings/people/1";
    await ann.goto(path);
    await bob.goto(path);
    const save = (page: Page) => follow(page.getByRole("button", { name: "Save" }));
    await ann.getByRole("radio", { name: /^Editor/ }).check();
    await save(ann);
    await bob.getByLabel("Name").fill("Cyrus");
    await save(bob);
    expect(await bob.getByRole("heading", { level: 1 }).textContent()).toBe(
      "This person was changed meanwhile",
    );
    const cells = (name: RegExp) =>
      bob.getByRole("row", { name }).getByRole("cell").allTextContents();
    expect(await cells(/^Role/)).toEqual([
      "reader",
      "editor",
      "a person on this machine, perhaps you in another tab",
    ]);
    expect(await cells(/^Name/)).toEqual(["Cy", "Cyrus", "you"]);
    await follow(bob.getByRole("button", { name: "Save both" }));
    await bob.goto(path);
    expect(await bob.getByLabel("Name").inputValue()).toBe("Cyrus");
    expect(await bob.getByRole("radio", { name: /^Editor/ }).isChecked()).toBe(true);
    await bob.getByLabel("Name").fill("Cyrus the Great");
    await scene.post(`${path}/delete`, { form: await token(path) });
    await save(bob);
    expect(await bob.getByRole("heading", { level: 1 }).textContent()).toBe(
      "This person was deleted",
    );
    expect(await bob.locator("main").textContent()).toContain("It cannot be restored");
    expect(await bob.locator(".kept-texts").textContent()).toContain("Cyrus");
    await judge(bob, "person-deleted-meanwhile");
  });
  test("a key that another owner revoked meanwhile is said to be revoked", async () => {
    const form = await token("/settings/keys/new");
    await scene.post("/settings/keys", { form, name: "ci", scope: "read", days: "" });
    const ask = (page: Page) => follow(page.getByRole("link", { name: "Revoke ci" }));
    const revoke = (page: Page) => follow(page.getByRole("button", { name: "Revoke the key" }));
    const cy = await bob.context().newPage();
    for (const page of [ann, bob, cy]) await page.goto("/settings/keys");
    await ask(ann);
    await ask(bob);
    await revoke(ann);
    await revoke(bob);
    expect(await bob.getByRole("status").textContent()).toContain("Someone else revoked this key");
    await ask(cy);
    expect(await cy.getByRole("alert").textContent()).toContain("If someone revoked it meanwhile");
  });
  test("after ten minutes nothing can be undone any more", async () => {
    const path = await newPage();
    await ann.goto(`${path}/delete`);
    await follow(ann.getByRole("button", { name: "Delete" }));
    scene.clock.suspend(minutes(10));
    await follow(ann.getByRole("button", { name: "Undo" }));
    expect(await ann.locator("main").textContent()).toContain("deleted more than ten minutes ago");
    await ann.goto("/status-pages?deleted=page.1");
    expect(await ann.getByRole("button", { name: "Undo" }).count()).toBe(0);
  });
  test("an entry of the audit log that is listed alone is open, and without a script each unfolds", async () => {
    const path = await newPage();
    const context = await browser.newContext({
      baseURL: scene.service.url,
      javaScriptEnabled: false,
    });
    contexts.push(context);
    const page = await context.newPage();
    const tables = page.locator("table.changes").filter({ visible: true });
    await page.goto("/changes?kind=page");
    expect([await page.locator("li.change").count(), await tables.count()]).toEqual([1, 1]);
    const form = await token(path);
    await scene.post(`${path}/parts`, { form, name: "Support desk" });
    await page.reload();
    expect([await page.locator("li.change").count(), await tables.count()]).toEqual([2, 0]);
    await page.locator("li.change summary").first().click();
    expect(await tables.innerText()).toContain("Support desk");
    await page.getByLabel("Who").fill("someone else");
    await page.getByRole("button", { name: "Filter" }).click();
    expect(await page.locator("main").textContent()).toContain("There is no such change.");
  });
  test("a long value is cut in its cell, and is whole once a person opens it, by the keyboard too", async () => {
    const path = await newPage();
    const form = await token(path);
    const message = `${"It is slow. ".repeat(40)}It is the disk.`;
    const report = { title: "Slow", status: "investigating", message };
    await scene.post(`${path}/reports/new`, { form, ...report });
    await ann.goto("/changes?kind=report");
    const entry = ann.locator("li.change").first();
    const whole = entry.locator("details.whole");
    if (!(await whole.isVisible())) await entry.locator("summary").first().click();
    expect(await whole.innerText()).toMatch(/It is slow.*…$/s);
    await whole.locator("summary").focus();
    await ann.keyboard.press("Enter");
    await ann.getByText("It is the disk.").filter({ visible: true }).waitFor();
    expect(await whole.innerText()).toContain("Show less");
    expect((await whole.innerText()).match(/It is slow/g)?.length).toBe(40);
    await judge(ann, "a long value");
  });
  test("who changed what is found by object, person and day, page by page, and leads back", async () => {
    const path = await newPage();
    const form = await token(path);
    for (let round = 1; round <= 51; round += 1)
      await scene.post(`${path}/parts`, { form, name: `Part ${round}` });
    await ann.goto(path);
    await follow(ann.getByRole("link", { name: "Audit log of this status page" }));
    // One line for all, which unfolds to a line for each.
    const lines = ann.locator("main > .changes-list > li.change");
    expect(await lines.count()).toBe(1);
    expect(await lines.locator("summary").first().textContent()).toMatch(/added 51 components/);
    expect(await lines.locator("li.change").count()).toBe(50);
    expect(await ann.getByRole("heading", { level: 2 }).allTextContents()).toEqual([
      "Sunday, 22 November 2026 (UTC)",
    ]);
    expect(await ann.locator("table.changes").filter({ visible: true }).count()).toBe(0);
    // What a page cuts elsewhere is whole here, and its count is of all.
    await lines.locator("summary").first().click();
    await follow(ann.getByRole("link", { name: "Show all 51" }));
    expect(await lines.locator("li.change").count()).toBe(51);
    await ann.goBack();
    await lines.locator("summary").first().waitFor();
    // By the keyboard alone.
    await lines.locator("summary").first().focus();
    await ann.keyboard.press("Enter");
    const entry = lines.locator("li.change").first();
    await entry.locator("summary").focus();
    await ann.keyboard.press("Enter");
    expect(await entry.getByRole("row", { name: /Part 51/ }).isVisible()).toBe(true);
    await judge(ann, "changes");
    await follow(ann.getByRole("link", { name: "Older" }));
    const first = ann.locator("li.change").last();
    expect(await first.textContent()).toContain("created status page");
    // With a script, what is chosen or typed is shown at once.
    const isEmpty = ann.getByText("There is no such change.");
    expect(await ann.getByRole("button", { name: "Filter" }).isVisible()).toBe(false);
    await ann.getByLabel("Who").fill("someone else");
    await isEmpty.waitFor();
    await follow(ann.getByRole("link", { name: "All changes" }));
    await ann.getByLabel("What").selectOption("channel");
    // Several that were made at once are one line, and each is folded in it.
    const made = ann.getByText(/created (channel|\d+ channels)/).filter({ visible: true });
    await isEmpty.or(made.first()).waitFor();
    await ann.getByLabel("What").selectOption("page");
    await ann.getByText("added 51 components").waitFor();
    await ann.getByLabel("To (UTC)", { exact: true }).fill("2026-11-21");
    await isEmpty.waitFor();
    expect(new URL(ann.url()).search).toBe("?kind=page&until=2026-11-21");
    await ann.getByLabel("To (UTC)", { exact: true }).fill("2026-11-22");
    await ann.getByText("added 51 components").waitFor();
    expect(await lines.locator("li.change").count()).toBe(50);
    const file = ann.waitForEvent("download");
    await ann.locator("a[download]").first().click();
    expect((await file).suggestedFilename()).toMatch(/^picket-changes-\d+\.jsonl$/);
  });
});
