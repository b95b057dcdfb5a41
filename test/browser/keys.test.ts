import { pictureShownFor } from "#limits/pages-limits";
import { describe, expect, test } from "vitest";
import { complaints, follow } from "../support/browser.ts";
import { fileBrowser } from "../support/file-browser.ts";
import { notedIncident } from "../support/noted-incident.ts";
import { openStoreHere } from "../support/open-store-here.ts";
import { operatorScene } from "../support/operator-scene.ts";

const browser = fileBrowser();

describe.skipIf(!browser.isThere)("the keys of the operator's pages", () => {
  test("Ctrl+K finds monitors, pages and actions, and Enter goes there", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/incidents`);
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Find a monitor, a page or an action" });
    expect(await field.evaluate((one) => one.ownerDocument.activeElement === one)).toBe(true);
    expect(await complaints(page, "all")).toEqual([]);
    await field.fill("billing");
    await page
      .getByRole("dialog")
      .getByRole("option", { name: /^Billing API Failing/ })
      .waitFor();
    const loaded = page.waitForURL(/\/monitors\/2$/);
    await page.keyboard.press("Enter");
    await loaded;
    await page.keyboard.press("Control+k");
    await field.fill("edit");
    expect(await page.getByRole("dialog").getByRole("option").first().innerText()).toContain(
      "Edit",
    );
    await field.fill("nothing has this name");
    await page.getByRole("dialog").getByText("Nothing is found.").waitFor();
    expect(await page.getByRole("dialog").getByRole("option").count()).toBe(0);
    await page.keyboard.press("Escape");
    expect(await field.isVisible()).toBe(false);
  });

  test("j and k walk through rows, a acknowledges that of the row, and the focus stays there", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/incidents?state=open`);
    const focused = (): Promise<string> => page.locator(":focus").innerText();
    for (const key of ["j", "j", "j", "k", "k"]) await page.keyboard.press(key);
    expect(await focused()).toBe("Billing API");
    const loaded = page.waitForURL(/acknowledged=done/);
    await page.keyboard.press("a");
    await loaded;
    await expect.poll(focused).toBe("Billing API");
    expect(await page.getByRole("status").innerText()).toMatch(/1 incident is acknowledged/);
    expect(await page.locator("li", { hasText: "Incident 7" }).innerText()).toContain(
      "acknowledged",
    );
  });

  test("a acknowledges what is in view: the group of a line, or the incident of the page", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/incidents?state=open`);
    const group = page.locator("li.group");
    await group.locator("summary").click();
    await page.keyboard.press("j");
    expect(await page.locator(":focus").innerText()).toBe("Printer queue");
    const listed = page.waitForURL(/acknowledged=done\.3/);
    await page.keyboard.press("a");
    await listed;
    await expect.poll(() => group.locator("button").count()).toBe(0);
    // What someone has taken already has no button, and that of all others is not pressed for it.
    await page.keyboard.press("a");
    expect(await page.getByRole("button", { name: "Acknowledge", exact: false }).count()).toBe(1);
    await page.goto(`${service.url}/incidents/7`);
    const loaded = page.waitForURL(/incidents\/7\?notice=acknowledged/);
    await page.keyboard.press("a");
    await loaded;
    expect(await page.getByRole("button", { name: "Take back acknowledgement" }).count()).toBe(1);
  });

  test("a acknowledges the incident of a monitor's row, or those of a row of one cause, and says if there is none", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/?sort=urgency`);
    const pressed = async (words: RegExp): Promise<void> => {
      const loaded = page.waitForEvent("load");
      await page.keyboard.press("a");
      await loaded;
      expect(await page.locator("main :is(.notice, .undo)").innerText()).toMatch(words);
    };
    const focused = (): Promise<string> => page.locator(":focus").innerText();
    await page.getByRole("link", { name: "Intranet", exact: true }).focus();
    await page.keyboard.press("k");
    expect(await focused()).toBe("Billing API");
    await pressed(/^1 incident is acknowledged: .* You can undo this/);
    expect(await focused()).toBe("Billing API");
    expect(await page.locator(".line", { hasText: "Billing API" }).innerText()).toContain(
      "incident 7, acknowledged",
    );
    await page.keyboard.press("k");
    expect(await focused()).toContain("3 monitors at Warehouse");
    await pressed(/^3 incidents are acknowledged/);
    expect(await focused()).toContain("All are acknowledged.");
    const none = /^Nothing is acknowledged: this row has no open incident, or someone/;
    await pressed(none);
    for (const name of ["Intranet", "Shop"]) {
      await page.getByRole("link", { name, exact: true }).focus();
      await pressed(none);
      expect(await focused()).toBe(name);
    }
  });

  test("a acknowledges the incidents of all selected rows, wherever the focus is, and says if none of them waits", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/?sort=urgency`);
    const pressed = async (words: RegExp): Promise<void> => {
      const loaded = page.waitForEvent("load");
      await page.keyboard.press("a");
      await loaded;
      expect(await page.locator("main :is(.notice, .undo)").innerText()).toMatch(words);
    };
    await page.getByLabel("Select Billing API").check();
    await page.locator('.cause > input[type="checkbox"].pick').check();
    await page.getByRole("link", { name: "Intranet", exact: true }).focus();
    await pressed(/^4 incidents are acknowledged: .* You can undo this/);
    expect(await page.locator(".pick:checked").count()).toBe(2);
    await pressed(/^Nothing is acknowledged: no selected monitor has an open incident/);
    await page.keyboard.press("?");
    const help = await page.getByRole("dialog").innerText();
    expect(help).toContain("Acknowledge what is selected; if nothing is, the row or the incident");
  });

  test("a acknowledges the incident of a monitor that flaps, also while it passes", async () => {
    const { service, database, clock } = await operatorScene();
    await using store = await openStoreHere({ database, use: "command", onProgress: () => {} });
    const shop = (await store.state.monitors.list({ limit: 100, offset: 0 })).find(
      ({ definition }) => definition.name === "Shop",
    );
    const noted = notedIncident({ kind: "monitor", id: shop?.id ?? 0 }, clock.wall());
    const flapping = { changes: 7, changedAt: clock.wall(), isDown: false };
    await store.alerts.incidents.note({ ...noted, incident: { ...noted.incident, flapping } });
    await clock.advance(pictureShownFor);
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/?sort=urgency`);
    const row = page.locator(".line", { hasText: "Shop" });
    expect(await row.innerText()).toMatch(/Flapping[^]*incident 8\)/);
    await row.getByRole("link", { name: "Shop", exact: true }).focus();
    const loaded = page.waitForEvent("load");
    await page.keyboard.press("a");
    await loaded;
    expect(await page.locator("main .undo").innerText()).toMatch(/^1 incident is acknowledged/);
    expect(await row.innerText()).toContain("incident 8, acknowledged");
  });

  test("x selects a row, and X all that are found or none", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/?label=team:web`);
    const selected = () => page.locator(".line .pick:checked").count();
    for (const key of ["j", "x"]) await page.keyboard.press(key);
    expect(await selected()).toBe(1);
    await page.keyboard.press("Shift+X");
    expect(await selected()).toBe(4);
    expect(await page.getByLabel("Select all 4").isChecked()).toBe(true);
    await page.keyboard.press("Shift+X");
    expect(await selected()).toBe(0);
    await page.keyboard.press("?");
    await page.getByText("Select all that are found").waitFor();
  });

  test("no letter leads away from a form whose button was just pressed", async () => {
    const { service } = await operatorScene({ days: 0 });
    await using context = await browser.newContext();
    const page = await context.newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${service.url}/channels/new/webhook`);
    const test = page.getByRole("button", { name: "Send a test message" });
    await test.focus();
    await page.keyboard.type("n");
    await follow(page.getByRole("link", { name: "Cancel" }));
    expect(asked).not.toContain("/monitors/new");
    await page.keyboard.type("n");
    await page.waitForURL(/\/monitors\/new$/);
  });

  test("g and a letter lead to a page, ? shows all keys, and nothing happens while a person types", async () => {
    const { service } = await operatorScene({ days: 0 });
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${service.url}/channels/new/slack`);
    await page.getByLabel("Name", { exact: true }).fill("");
    await page.keyboard.type("gi?");
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("gi?");
    await page.goto(`${service.url}/channels`);
    // No row of it has an incident.
    for (const key of ["a", "?"]) await page.keyboard.press(key);
    const help = page.getByRole("dialog", { name: "Keys" });
    expect(await help.innerText()).toMatch(
      /if nothing is, the row or the incident[^]*g\s*i\s*Incidents/,
    );
    await page.getByRole("button", { name: "Close" }).click();
    const loaded = page.waitForURL(/\/incidents$/);
    // A second between the two ends what the first began, and a busy machine may take that long.
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.keyboard.type("gi");
    await loaded;
    await page.clock.resume();
    // Axe does not know that a dialog is above all: the buttons of a form, which stay in view, would cover it.
    await page.keyboard.press("?");
    await help.waitFor();
    expect(await complaints(page, "all")).toEqual([]);
    await page.keyboard.press("Escape");
    await follow(page.getByRole("link", { name: "Monitors", exact: true }));
  });
});
