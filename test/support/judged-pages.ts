import type { BrowserContext, Page } from "playwright-core";
import { openAll, watchPage } from "./browser.ts";
import { keyboardFaults, pageFaults } from "./page-faults.ts";

/** A page that is judged in each state that a test brings it to. */
export interface JudgedPages {
  readonly page: Page;
  /** What was found, each with the name of the state. */
  readonly faults: readonly string[];
  /** What it tried that it should not. */
  readonly seen: readonly string[];
  /** Judges it as it is now, with all of it open. */
  readonly judge: (name: string) => Promise<void>;
}

/** The pages of one kind of object, which do not renew themselves meanwhile. */
export async function judgedPages(
  context: BrowserContext,
  origin: string,
  kind: string,
): Promise<JudgedPages> {
  await context.route("**/live.js", (route) =>
    route.fulfill({ contentType: "text/javascript", body: "" }),
  );
  const seen = watchPage(context, origin);
  const page = await context.newPage();
  const faults: string[] = [];
  const judge = async (name: string): Promise<void> => {
    await openAll(page);
    const found = [...(await pageFaults(page, `${kind}-${name}`)), ...(await keyboardFaults(page))];
    faults.push(...found.map((one) => `${name}: ${one}`));
  };
  return { page, faults, seen, judge };
}
