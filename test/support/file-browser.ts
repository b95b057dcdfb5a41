import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { browserIsThere, startBrowser } from "./browser.ts";

/** The one browser of a test file, open while its tests run. */
export interface FileBrowser {
  /** False if none is installed: then its tests are skipped. */
  readonly isThere: boolean;
  readonly newContext: Browser["newContext"];
  /** One page for tests that leave nothing behind: a browser starts a process for each, which compiles axe anew. */
  readonly sharedPage: () => Promise<Page>;
}

/** To be called once, at the top of a file; with what else the browser is started with. */
export function fileBrowser(args: readonly string[] = []): FileBrowser {
  const isThere = browserIsThere();
  let browser: Browser;
  let shared: Page | null = null;
  const newContext: Browser["newContext"] = async (options) =>
    patient(await browser.newContext(options));
  beforeAll(async () => {
    if (isThere) browser = await startBrowser(args);
  });
  afterAll(async () => {
    if (isThere) await browser.close();
  });
  return {
    isThere,
    newContext,
    sharedPage: async () => (shared ??= await (await newContext()).newPage()),
  };
}

/**
 * What it waits for has almost as long as the test has: its own 30 s are short on a busy machine. It ends before the
 * test does, so that the failure names what was waited for.
 */
function patient(opened: BrowserContext): BrowserContext {
  opened.setDefaultTimeout(270_000);
  return opened;
}
