import { mkdirSync } from "node:fs";
import path from "node:path";
import axe from "axe-core";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import { isInstalled } from "./installed.ts";
import { programAt, programPath } from "./program-path.ts";

/** Chromium without the parts that only a screen needs: it draws the same pages for half the processor time. */
const withoutScreen = "chromium-headless-shell";
const executablePath = programAt(withoutScreen) ?? programAt("chromium") ?? withoutScreen;

/** Whether there is a browser to see pages with. */
export const browserIsThere = (): boolean =>
  path.basename(executablePath) !== withoutScreen || isInstalled(withoutScreen);

/** Where pictures of the pages go, for people who look at what a run made. They cost a run half a minute. */
const pictures = process.env["PICTURES"];

/** The system's own browser, as a new user: no profile, no network of its own. */
export const startBrowser = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath,
    // Debian's is a script that starts others.
    env: { ...process.env, PATH: programPath },
    // The hook that starts it has a limit.
    timeout: 0,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...args,
    ],
  });

export const sizes = {
  desktop: { width: 1180, height: 860 },
  phone: { width: 375, height: 812 },
} as const;

/** Clicks what leads to another page, until that is there as a whole: the click itself ends when its first bytes come. */
export async function follow(leading: Locator): Promise<void> {
  const loaded = leading.page().waitForEvent("load");
  await leading.click();
  await loaded;
}

/** Signs out by the menu of the account. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Account/ }).click();
  await follow(page.getByRole("button", { name: "Sign out" }));
}

/** A picture of the whole page as it is now, where pictures are asked for. */
export async function snap(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
}

/**
 * How a page is judged. The second look has the same document in other colours and places: only these rules can judge
 * it otherwise. No colour depends on the size, and no size on the colours, so two looks have all four.
 */
export const looks = [
  { colorScheme: "light", size: "desktop", rules: "all" },
  {
    colorScheme: "dark",
    size: "phone",
    rules: ["color-contrast", "target-size", "scrollable-region-focusable"],
  },
] as const;

/** What axe finds wrong with the page as it is now, by all of its rules or by those that are named. */
export async function complaints(
  page: Page,
  rules: readonly string[] | "all",
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate(
    async (only) => {
      // A bar that stays in view covers what is half below it at this moment, and axe takes that for a small target.
      const bars = [...Reflect.get(globalThis, "document").querySelectorAll(".actions.stays")];
      for (const { style } of bars) style.position = "static";
      const found: {
        violations: { id: string; nodes: { html: string }[] }[];
        passes: { id: string }[];
      } = await Reflect.get(globalThis, "axe").run({ resultTypes: ["violations"], ...only });
      for (const { style } of bars) style.position = "";
      return found;
    },
    rules === "all" ? {} : { runOnly: rules },
  );
  if (!passes.some(({ id }) => id === "color-contrast"))
    throw new Error("axe judged no text's contrast: there is none, or it cannot see the page");
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
}

/** How much wider the page is than what shows it. */
export const overhang = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = Reflect.get(globalThis, "document").documentElement;
    return scrollWidth - clientWidth;
  });

/** Opens all that can be opened, so that it is judged, too. */
export const openAll = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const one of Reflect.get(globalThis, "document").querySelectorAll("details"))
      one.open = true;
  });

/** Chromium notes it if the field was filled, or its text selected, before the first picture was drawn: the cursor is there already. */
const cursorWasThere =
  "Autofocus processing was blocked because a document already has a focused element.";

/** What a page tried that it should not: dialogs, errors, and requests to anywhere but `origin`. An edited form may be left. */
export function watchPage(context: BrowserContext, origin: string): readonly string[] {
  const seen: string[] = [];
  context.on("dialog", (dialog) => {
    if (dialog.type() === "beforeunload") return void dialog.accept();
    seen.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("console", (message) => {
    if (message.text() !== cursorWasThere) seen.push(`console ${message.text()}`);
  });
  context.on("weberror", (error) => seen.push(`error ${error.error().message}`));
  context.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) seen.push(`request ${request.url()}`);
  });
  return seen;
}
