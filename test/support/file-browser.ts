import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { browserIsThere, startBrowser } from "./browser.ts";

/** The one browser of a test file, open while its tests run. */
export interface FileBrowser {
  /** False where none is installed: then its tests are skipped. */
  readonly isThere: boolean;
  readonly newContext: Browser["newContext"];
  readonly newPage: Browser["newPage"];
}

/** To be called once, at the top of a file. */
export function fileBrowser(): FileBrowser {
  const isThere = browserIsThere();
  let browser: Browser;
  beforeAll(async () => {
    if (isThere) browser = await startBrowser();
  });
  afterAll(async () => {
    if (isThere) await browser.close();
  });
  return {
    isThere,
    newContext: (options) => browser.newContext(options),
    newPage: (options) => browser.newPage(options),
  };
}
