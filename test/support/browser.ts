import { mkdirSync } from "node:fs";
import path from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { isInstalled } from "./installed.ts";

const executablePath = "/usr/bin/chromium";

/** Whether there is a browser to see pages with. */
export const browserIsThere = (): boolean => isInstalled(executablePath);

/** Pictures of pages, for people who look at what a run made. */
const pictures = path.resolve(import.meta.dirname, "../../test-results");

/** The system's own browser, as a new user: no profile, no network of its own. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });

export const sizes = {
  desktop: { width: 1180, height: 860 },
  phone: { width: 375, height: 812 },
} as const;

/** A picture of the whole page as it is now. */
export async function snap(page: Page, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
}

/** What a page tried that it should not: dialogs, errors, and requests to anywhere but `origin`. */
export function watchPage(context: BrowserContext, origin: string): readonly string[] {
  const seen: string[] = [];
  context.on("dialog", (dialog) => {
    seen.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("console", (message) => seen.push(`console ${message.text()}`));
  context.on("weberror", (error) => seen.push(`error ${error.error().message}`));
  context.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) seen.push(`request ${request.url()}`);
  });
  return seen;
}
