import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { follow, sizes } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const browser = fileBrowser();

/** Names of groups and components, in their order: a component of a group is in its brackets. */
const shown = async (page: Page): Promise<string> => {
  const names = page.locator(".components :is(.component strong, .group-head h3)");
  const all = await names.evaluateAll((found) =>
    found.map((one) => {
      const isHead = one.localName === "h3";
      const isIn = one.closest(".component-group") !== null;
      return `${isHead ? "# " : isIn ? "- " : ""}${one.textContent}`;
    }),
  );
  return all.join(", ");
};

/** A component, or the head of a group. */
const rowOf = (page: Page, name: string) =>
  page
    .locator(".component, .group-head", {
      has: page.locator("strong, h3", { hasText: new RegExp(`^${name}$`) }),
    })
    .first();

const first =
  "Shop, # Payments and staff, - Billing API, - Intranet, # Data, - Wiki, - Registry, Support desk";

test.skipIf(!browser.isThere)(
  "components and groups are ordered by buttons without scripts, and readers see them so",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using plain = await browser.newContext({ javaScriptEnabled: false });
    const page = await plain.newPage();
    await page.goto(`${service.url}/status-pages/1`);
    expect(await shown(page)).toBe(first);
    const press = (name: string) => follow(page.getByRole("button", { name, exact: true }));
    await press("Move Intranet up");
    const up = page.getByRole("button", { name: "Move Intranet up" });
    expect(await up.getAttribute("aria-disabled")).toBe("true");
    await press("Move Data up");
    await press("Move Shop down");
    expect(await shown(page)).toBe(
      "# Data, - Wiki, - Registry, Shop, # Payments and staff, - Intranet, - Billing API, Support desk",
    );
    await page.getByLabel("Move to a group: Wiki").click();
    await press("Move Wiki to Payments and staff");
    await page.getByLabel("Move to a group: Registry").click();
    await press("Move Registry to No group");
    const after =
      "Registry, Shop, # Payments and staff, - Intranet, - Billing API, - Wiki, Support desk, # Data";
    expect(await shown(page)).toBe(after);
    const text = await (await fetch(`${service.url}/status/acme`)).text();
    const names = after.split(", ").map((one) => one.replace(/^[#-] /, ""));
    const list = text.slice(text.indexOf("<h2"));
    const places = names.slice(0, -1).map((name) => list.lastIndexOf(`${name}<`));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  },
);

test.skipIf(!browser.isThere)(
  "components and groups are dragged to where others are, and components onto groups",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    // All of the list is in view: a page that scrolls under a drag drops nothing.
    await using scripted = await browser.newContext({ viewport: { width: 1_280, height: 1_600 } });
    const page = await scripted.newPage();
    await page.goto(`${service.url}/status-pages/1`);
    const drag = async (one: string, other: string, said: string): Promise<void> => {
      const handle = page.getByTitle(`Drag to move ${one}`, { exact: true });
      await handle.dragTo(rowOf(page, other), { targetPosition: { x: 60, y: 6 } });
      await expect.poll(() => page.locator("body > [aria-live]").innerText()).toBe(said);
    };
    await drag("Billing API", "Intranet", "Billing API is number 2 of 2 in Payments and staff.");
    await drag("Shop", "Data", "Shop is number 3 of 3 in Data.");
    await drag("Data", "Payments and staff", "Group Data is number 1 of 3.");
    await drag("Support desk", "Wiki", "Support desk is number 1 of 4 in Data.");
    await page.reload();
    expect(await shown(page)).toBe(
      "# Data, - Support desk, - Wiki, - Registry, - Shop, # Payments and staff, - Intranet, - Billing API",
    );
  },
);

test.skipIf(!browser.isThere)(
  "a part is dragged by a finger, and Escape leaves it where it was",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using phone = await browser.newContext({
      viewport: { width: 390, height: 1_600 },
      hasTouch: true,
    });
    const page = await phone.newPage();
    await page.goto(`${service.url}/status-pages/1`);
    const session = await phone.newCDPSession(page);
    const middle = async (one: ReturnType<typeof rowOf>) => {
      const box = await one.boundingBox();
      return { x: (box?.x ?? 0) + 14, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
    };
    const touch = (
      type: "touchStart" | "touchMove" | "touchEnd",
      at: readonly { x: number; y: number }[],
    ) => session.send("Input.dispatchTouchEvent", { type, touchPoints: [...at] });
    const from = await middle(page.getByTitle("Drag to move Support desk"));
    const to = await middle(rowOf(page, "Shop"));
    await touch("touchStart", [from]);
    await touch("touchMove", [{ x: from.x, y: from.y - 20 }]);
    await touch("touchMove", [to]);
    await rowOf(page, "Shop").and(page.locator('[data-over="before"]')).waitFor();
    await touch("touchEnd", []);
    await expect
      .poll(() => page.locator("body > [aria-live]").innerText())
      .toBe("Support desk is number 1 of 4.");
    const after = await shown(page);
    expect(after.startsWith("Support desk, Shop")).toBe(true);
    const handle = await middle(page.getByTitle("Drag to move Shop"));
    await page.mouse.move(handle.x, handle.y);
    await page.mouse.down();
    const wiki = await middle(rowOf(page, "Wiki"));
    await page.mouse.move(wiki.x, wiki.y);
    expect(await rowOf(page, "Wiki").getAttribute("data-over")).toBe("before");
    await page.keyboard.press("Escape");
    await page.mouse.up();
    expect(await page.locator("[data-over], [data-dragged]").count()).toBe(0);
    expect(await shown(page)).toBe(after);
  },
);

test.skipIf(!browser.isThere)(
  "buttons move in place and keep the focus; whoever is late is shown how the list is now",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext();
    const [page, other] = [await context.newPage(), await context.newPage()];
    for (const one of [page, other]) await one.goto(`${service.url}/status-pages/1`);
    await page.getByRole("button", { name: "Move Wiki down" }).focus();
    await page.keyboard.press("Enter");
    await expect
      .poll(() => page.locator("body > [aria-live]").innerText())
      .toBe("Wiki is number 2 of 2 in Data.");
    const after = await shown(page);
    for (const _ of ["again", "and again"]) {
      expect(await page.locator(":focus").getAttribute("aria-label")).toBe("Move Wiki down");
      expect(await page.locator(":focus").getAttribute("aria-disabled")).toBe("true");
      await page.keyboard.press("Enter");
    }
    expect(await shown(page)).toBe(after);
    await other.getByRole("button", { name: "Move Shop down" }).click();
    await other.getByText("someone else changed the list meanwhile").waitFor();
    expect(await shown(other)).toBe(await shown(page));
  },
);

test.skipIf(!browser.isThere)(
  "a button that brought a part to an end keeps the focus without scripts too, and does nothing there",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using plain = await browser.newContext({ javaScriptEnabled: false });
    const page = await plain.newPage();
    await page.goto(`${service.url}/status-pages/1`);
    await page.getByRole("button", { name: "Move Intranet up" }).focus();
    await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
    const after = await shown(page);
    await page.keyboard.press("Enter");
    expect(await page.locator(":focus").getAttribute("aria-label")).toBe("Move Intranet up");
    expect(await shown(page)).toBe(after);
  },
);

test.skipIf(!browser.isThere)(
  "components and groups are moved, renamed and removed by the keyboard alone without scripts; what removes asks once",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using plain = await browser.newContext({ javaScriptEnabled: false });
    const page = await plain.newPage();
    await page.goto(`${service.url}/status-pages/1`);
    const focused = () => page.locator(":focus").getAttribute("aria-label");
    const press = async (): Promise<void> => {
      const loaded = page.waitForEvent("load");
      await page.keyboard.press("Enter");
      await loaded;
    };
    const tab = async (): Promise<string | null> => {
      await page.keyboard.press("Tab");
      return focused();
    };
    await page.getByRole("button", { name: "Move Support desk up" }).focus();
    await press();
    expect(await focused()).toBe("Move Support desk up");
    for (const next of ["Move Support desk down", "Move to a group: Support desk"])
      expect(await tab()).toBe(next);
    expect(await tab()).toBe("Edit Support desk");
    await press();
    expect(await page.getByLabel("Position").isVisible()).toBe(false);
    await page.getByLabel("Name", { exact: true }).and(page.locator(":visible")).first().focus();
    await page.keyboard.press("End");
    await page.keyboard.type("s");
    await press();
    expect(await page.locator(".component strong").allInnerTexts()).toContain("Support desks");
    await page.getByRole("button", { name: "Move Data up" }).focus();
    await press();
    expect(await focused()).toBe("Move Data up");
    expect(await tab()).toBe("Move Data down");
    expect(await tab()).toBe("Edit Data");
    await press();
    await page.locator(".component-group .edited [name=name]").focus();
    await page.keyboard.press("End");
    await page.keyboard.type("bases");
    await press();
    const heads = () => page.locator(".group-head h3").allInnerTexts();
    expect(await heads()).toEqual(["Payments and staff", "Databases"]);
    await page.getByLabel("Remove group Databases…").focus();
    await page.keyboard.press("Enter");
    expect(await page.locator(".asked[open]").innerText()).toContain(
      "Its 2 components stay on the page, in no group.",
    );
    await page.keyboard.press("Tab");
    await press();
    expect(await heads()).toEqual(["Payments and staff"]);
    expect(await shown(page)).toContain("Wiki");
    await follow(page.getByRole("button", { name: "Undo" }));
    expect(await heads()).toEqual(["Payments and staff", "Databases"]);
    expect(await shown(page)).toContain("# Databases, - Wiki, - Registry");
    await page.getByLabel("Remove Wiki from the page…").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await press();
    expect(await shown(page)).not.toContain("Wiki");
    expect(await page.locator(".undo").innerText()).toContain("The component Wiki is removed.");
    await follow(page.getByRole("button", { name: "Undo" }));
    expect(await page.locator(".undo p").innerText()).toBe("The component is restored.");
    expect(await shown(page)).toContain("Wiki");
  },
);

test.skipIf(!browser.isThere)(
  "a move keeps what was typed, the form that is open and the size of the preview",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ viewport: { width: 1_600, height: 1_200 } });
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    const spoken = () => page.locator("body > [aria-live]").innerText();
    await page.goto(`${service.url}/status-pages/1?add=groups`);
    const frameWidth = async () =>
      Number(await page.locator("iframe").evaluate(({ clientWidth }) => clientWidth));
    const wide = await frameWidth();
    await page.getByLabel("Phone").check();
    const narrow = await frameWidth();
    expect(narrow).toBeLessThan(wide);
    await page.locator("#add [name=name]").fill("Offices");
    await page.getByRole("button", { name: "Move Shop down" }).click();
    await expect.poll(spoken).toBe("Shop is number 2 of 4.");
    expect(await page.locator("#add [name=name]").inputValue()).toBe("Offices");
    expect(await page.getByLabel("Phone").isChecked()).toBe(true);
    expect(await frameWidth()).toBe(narrow);
    expect(new URL(page.url()).searchParams.get("add")).toBe("groups");
    await page.getByLabel("Desktop").check();
    expect(await frameWidth()).toBe(wide);
    await page.getByLabel("Edit Wiki").click();
    const typed = page.locator(".component .edited [name=name]");
    await typed.fill("Handbook");
    await page.getByRole("button", { name: "Move Wiki down" }).click();
    await expect.poll(spoken).toBe("Wiki is number 2 of 2 in Data.");
    expect(await typed.inputValue()).toBe("Handbook");
    await follow(page.locator(".component .edited").getByRole("button", { name: "Save" }));
    expect(await shown(page)).toContain("# Data, - Registry, - Handbook");
  },
);

test.skipIf(!browser.isThere)("a move without scripts leaves the open form open", async () => {
  const { service } = await operatorScene();
  await generatedPage(service);
  await using plain = await browser.newContext({ javaScriptEnabled: false });
  const page = await plain.newPage();
  await page.goto(`${service.url}/status-pages/1?add=groups`);
  await follow(page.getByRole("button", { name: "Move Shop down" }));
  expect(await page.locator("#add [name=name]").isVisible()).toBe(true);
  expect(await page.locator(":focus").getAttribute("aria-label")).toBe("Move Shop down");
  await follow(page.getByLabel("Edit Wiki"));
  await follow(page.getByRole("button", { name: "Move Wiki down" }));
  expect(await page.locator(".component .edited [name=name]").inputValue()).toBe("Wiki");
});

test.skipIf(!browser.isThere)(
  "whoever moves a component by its menu has the focus there afterwards, with scripts and without",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    for (const javaScriptEnabled of [true, false]) {
      await using context = await browser.newContext({ javaScriptEnabled });
      context.setDefaultTimeout(10_000);
      const page = await context.newPage();
      await page.goto(`${service.url}/status-pages/1`);
      const menu = page.getByLabel("Move to a group: Shop");
      await menu.focus();
      await page.keyboard.press("Enter");
      const to = javaScriptEnabled ? "Data" : "No group";
      await page.getByRole("button", { name: `Move Shop to ${to}` }).focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(/moved=1\.here/);
      await menu.and(page.locator(":focus")).waitFor();
      expect(await page.locator("details.moves[open]").count()).toBe(0);
    }
  },
);

test.skipIf(!browser.isThere)(
  "a second quick press is done after the first, and none is done that has nothing left to do",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext();
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    const held = Promise.withResolvers<void>();
    const sent: string[] = [];
    await page.route("**/move", async (route) => {
      sent.push(route.request().url());
      await held.promise;
      await route.continue();
    });
    await page.goto(`${service.url}/status-pages/1`);
    const up = page.getByRole("button", { name: "Move Support desk up" });
    for (const _ of [1, 2, 3, 4, 5]) await up.click();
    expect(sent.length).toBe(1);
    held.resolve();
    await expect.poll(() => shown(page)).toMatch(/^Support desk, Shop/);
    // It was the fourth of four.
    await expect.poll(() => sent.length).toBe(3);
    expect(await page.locator("main .notice").count()).toBe(0);
  },
);

const lostAnswer = "No answer came, so it may have been moved. Load the page again to see.";
const refusal = "The service refused the move. Load the page again.";

test.skipIf(!browser.isThere)(
  "a move without an answer, or refused, says so, and leaves the list and what was typed as they were",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext();
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/1?add=groups`);
    await page.locator("#add [name=name]").fill("Offices");
    for (const [status, said] of [
      [0, lostAnswer],
      [502, lostAnswer],
      [403, refusal],
      [404, refusal],
    ] as const) {
      await page.route("**/move", (route) =>
        status === 0 ? route.abort() : route.fulfill({ status, body: "bad" }),
      );
      await page.getByRole("button", { name: "Move Shop down" }).click();
      const notice = page.getByRole("alert");
      expect([status, await notice.innerText()]).toEqual([status, said]);
      expect(await notice.count()).toBe(1);
      expect(await shown(page)).toBe(first);
      expect(await page.locator("#add [name=name]").inputValue()).toBe("Offices");
      await page.unroute("**/move");
      await page.getByRole("button", { name: "Move Shop down" }).click();
      await expect.poll(() => shown(page)).not.toBe(first);
      expect(await notice.count()).toBe(0);
      await page.getByRole("button", { name: "Move Shop up" }).click();
      await expect.poll(() => shown(page)).toBe(first);
    }
  },
);

test.skipIf(!browser.isThere)(
  "a move whose answer was lost is seen once the page is loaded again; one on a page that is gone is refused",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext();
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/1`);
    await page.route("**/move", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("button", { name: "Move Shop down" }).click();
    const notice = page.getByRole("alert");
    expect(await notice.innerText()).toBe(lostAnswer);
    await page.unroute("**/move");
    await page.reload();
    expect(await shown(page)).toMatch(/^# Payments and staff, .* Shop, /);
    const other = await context.newPage();
    await other.goto(`${service.url}/status-pages/1/delete`);
    await follow(other.locator("main").getByRole("button", { name: /^Delete/ }));
    await page.getByRole("button", { name: "Move Shop up" }).click();
    expect(await notice.innerText()).toBe(refusal);
  },
);

test.skipIf(!browser.isThere)(
  "what is dropped quickly on an empty group goes into it, though no move was seen over it",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ viewport: { width: 1_280, height: 1_600 } });
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/1?add=groups`);
    await page.locator("#add [name=name]").fill("Offices");
    await follow(page.getByRole("button", { name: "Add group" }));
    const middle = async (one: ReturnType<typeof rowOf>) => {
      const box = await one.boundingBox();
      return { x: (box?.x ?? 0) + 14, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
    };
    const session = await context.newCDPSession(page);
    const mouse = (type: "mousePressed" | "mouseMoved" | "mouseReleased", at: object) =>
      session.send("Input.dispatchMouseEvent", {
        type,
        x: 0,
        y: 0,
        button: "left",
        buttons: type === "mouseReleased" ? 0 : 1,
        clickCount: 1,
        ...at,
      });
    await mouse("mousePressed", await middle(page.getByTitle("Drag to move Shop")));
    await mouse("mouseMoved", await middle(rowOf(page, "Wiki")));
    await mouse("mouseReleased", await middle(rowOf(page, "Offices")));
    await expect.poll(() => shown(page)).toMatch(/# Offices, - Shop$/);
  },
);

test.skipIf(!browser.isThere)(
  "the name of a component in a group has one line at each width of a desk, also if it is an address",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    const { key } = await service.admin.createApiKey({ name: "names", scope: "write" });
    const renamed = await fetch(
      `${service.url}/rpc/openstatus.status_page.v1.StatusPageService/UpdateComponent`,
      {
        method: "POST",
        headers: { "content-type": "application/json", "x-service-key": key },
        body: JSON.stringify({ id: "3", name: "127.0.0.1:18191/health" }),
      },
    );
    expect(renamed.status).toBe(200);
    for (const width of [sizes.desktop.width, 1_530, 1_700]) {
      await using context = await browser.newContext({ viewport: { width, height: 900 } });
      const page = await context.newPage();
      await page.goto(`${service.url}/status-pages/1`);
      const name = page.locator("#component-3 > .name");
      expect(await name.innerText()).toBe("127.0.0.1:18191/health");
      expect((await name.boundingBox())?.height).toBeLessThan(30);
    }
  },
);
