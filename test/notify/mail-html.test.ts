import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Notice } from "#notify/event";
import { browserIsThere, sizes, snap, startBrowser } from "../support/browser.ts";
import { notices, rendered, shop } from "../support/notices.ts";

const isThere = browserIsThere();
let browser: Browser;
beforeAll(async () => {
  if (isThere) browser = await startBrowser();
});
afterAll(async () => {
  if (isThere) await browser.close();
});

const mailOf = (notice: Notice): string => {
  const made = rendered("email", notice);
  return made.is === "mail" ? made.mail.html : "";
};

const hostile: Notice = {
  ...notices["monitor.error"],
  monitor: {
    ...shop,
    name: `${"shop".repeat(60)} <script>document.title = "seen"</script> <img src="http://127.0.0.1:9/">`,
    description: "مرحبا <b>x</b>\nhttps://wiki.internal/shop",
  },
};

const mails = { ...notices, hostile };

describe.skipIf(!isThere)("a mail as a person sees it", () => {
  // One of each tone, what has a list, and what is meant to break it.
  const names = ["monitor.error", "monitor.degraded", "monitor.recovered", "digest", "hostile"];
  const looks = names.flatMap((name) => [
    [name, "light", "desktop"] as const,
    [name, "dark", "phone"] as const,
  ]);
  test.each(looks)(
    "%s, %s, on a %s: nothing that axe finds, nothing from elsewhere, no scrolling sideways",
    async (name, scheme, size) => {
      const notice = Object.entries(mails).find(([one]) => one === name)?.[1];
      const context = await browser.newContext({ viewport: sizes[size], colorScheme: scheme });
      const asked: string[] = [];
      context.on("request", (request) => asked.push(request.url()));
      const page = await context.newPage();
      await page.setContent(notice === undefined ? "" : mailOf(notice));
      await page.evaluate(axe.source);
      const found: unknown = await page.evaluate(async () => {
        const { violations } = await Reflect.get(globalThis, "axe").run();
        return violations.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => [
          id,
          ...nodes.map(({ html }) => html),
        ]);
      });
      expect(found).toEqual([]);
      expect(asked).toEqual([]);
      expect(await page.title()).not.toBe("seen");
      const wide = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      expect(wide).toBe(0);
      if (name === "monitor.error" || name === "hostile")
        await snap(page, `mail-${name}-${scheme}-${size}`);
      await context.close();
    },
  );
});
