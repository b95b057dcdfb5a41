import { expect, test } from "vitest";
import { follow } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { sentForm } from "../../../support/sent-form.ts";

const browser = fileBrowser();
const { isThere } = browser;

test.skipIf(!isThere)(
  "the summary of a monitor follows what is typed, and a threshold that no check reaches is said at its field",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/new?kind=tcp`);
    await page.getByLabel("Host and port").pressSequentially("db.example:5432");
    await page.locator("#sums", { hasText: "db.example:5432 is checked" }).waitFor();
    // No one has left a field yet: nothing is wrong.
    expect(await page.locator(".wrong-line").count()).toBe(0);
    await page.locator("#group-slow > summary").click();
    await page.getByLabel("Degraded above").pressSequentially("20 s");
    const note = page.locator(".field:has([name=degraded_at]) > .doubt");
    await note.waitFor();
    expect(await note.innerText()).toBe(
      "No check is degraded by this: it fails at the timeout of 10 s. Choose less than that.",
    );
    await page.getByLabel("Degraded above").fill("2 s");
    await note.waitFor({ state: "detached" });
    await page.locator("#sums", { hasText: "Above 2 s it is degraded." }).waitFor();
  },
);

test.skipIf(!isThere)(
  "who is notified follows the labels as they are typed, below the boxes as in the summary",
  async () => {
    const { service, get, post } = await operatorScene({ days: 0 });
    const path = "/channels/new/webhook";
    const channel = sentForm(await (await get(path)).text(), path);
    channel.set("name", "Web team");
    channel.set("endpoint", "https://hook.test/web");
    channel.set("labels[0].key", "team");
    channel.set("labels[0].value", "web");
    channel.set("all_monitors", "yes");
    expect((await post(path, channel)).status).toBe(303);
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/new?kind=tcp`);
    const note = page.locator('[data-follows="note-notifications"]');
    const only = "Web team is notified only of monitors with the label team:web.";
    expect(await note.innerText()).toContain(only);
    await page.locator("#group-notes > summary").click();
    await page.getByRole("button", { name: "Add label" }).click();
    await page.getByLabel("Key", { exact: true }).pressSequentially("team");
    await page.locator('[name="labels[0].value"]').pressSequentially("web");
    await expect.poll(() => note.innerText()).toContain("Web team is notified when it fails.");
    expect(await note.innerText()).not.toContain(only);
    expect(await page.locator("#sums").innerText()).toContain(
      "Web team is notified when it fails.",
    );
    await page.locator('[name="labels[0].value"]').fill("shop");
    await expect.poll(() => note.innerText()).toContain(only);
  },
);

test.skipIf(!isThere)(
  "a button that says “anyway” says what it said before, once the name is changed",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/locations/new`);
    await page.getByLabel("Name", { exact: true }).fill("Office");
    await follow(page.getByRole("button", { name: "Create location" }));
    await page.getByRole("button", { name: "Create it anyway" }).waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Second office");
    expect(await page.locator("button.main").innerText()).toBe("Create location");
  },
);

test.skipIf(!isThere)(
  "what is wrong with a field that was left is said, though its question ended as another field was typed in",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/new?kind=tcp`);
    const lefts: (readonly string[])[] = [];
    await page.route(`${service.url}/monitors/new*`, async (route) => {
      lefts.push(new URLSearchParams(route.request().postData() ?? "").getAll("left"));
      // The first is answered too late: whatever is typed meanwhile ends it.
      if (lefts.length > 1) await route.continue();
    });
    const target = page.getByLabel("Host and port");
    await target.fill("127.0.0.1:99999");
    const asked = page.waitForRequest((request) => request.method() === "POST");
    await target.press("Tab");
    await asked;
    await page.getByLabel("Name", { exact: true }).pressSequentially("till");
    await page.locator(".wrong-line").waitFor();
    expect(await page.locator(".field.wrong:has(.wrong-line) input").count()).toBe(1);
    expect(lefts[0]?.length).toBe(1);
    expect(lefts[1]).toEqual(lefts[0]);
    // It is said: what the next question is about is what is marked, and nothing once that is right.
    await target.fill("127.0.0.1:999");
    await target.press("Tab");
    await page.locator(".wrong-line").waitFor({ state: "detached" });
    await page.getByLabel("Name", { exact: true }).pressSequentially("s");
    await expect.poll(() => lefts.at(-1)).toEqual([]);
  },
);
