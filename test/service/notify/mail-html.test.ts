import type { Request } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Notice } from "#service/notify/event";
import { complaints, looks, overhang, sizes, snap } from "../../support/browser.ts";
import { fileBrowser } from "../../support/file-browser.ts";
import { notices, rendered, shop } from "../../support/notices.ts";

const browser = fileBrowser();
const { isThere } = browser;

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
  test.each(names)(
    "%s, light and dark, on a desktop and on a phone: nothing that axe finds, nothing from elsewhere, no scrolling sideways",
    async (name) => {
      const notice = Object.entries(mails).find(([one]) => one === name)?.[1];
      const asked: string[] = [];
      const note = (request: Request): void => void asked.push(request.url());
      const page = await browser.sharedPage();
      page.on("request", note);
      await page.setContent(notice === undefined ? "" : mailOf(notice));
      for (const { colorScheme, size, rules } of looks) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(sizes[size]);
        expect(await complaints(page, rules)).toEqual([]);
        expect(await overhang(page)).toBe(0);
        if (name === "monitor.error" || name === "hostile")
          await snap(page, `mail-${name}-${colorScheme}-${size}`);
      }
      expect(asked).toEqual([]);
      expect(await page.title()).not.toBe("seen");
      page.off("request", note);
    },
  );

  test("Acknowledge is the one filled button, and all are filled if there is none", async () => {
    const page = await browser.sharedPage();
    await page.emulateMedia({ colorScheme: "light" });
    const filled = async (notice: Notice): Promise<readonly string[]> => {
      await page.setContent(mailOf(notice));
      return page.$$eval(".links a", (links) =>
        links
          .filter(
            (one) =>
              Reflect.get(globalThis, "getComputedStyle")(one).backgroundColor !==
              "rgba(0, 0, 0, 0)",
          )
          .map(({ textContent }) => textContent),
      );
    };
    expect(await filled(notices["monitor.error"])).toEqual(["Acknowledge"]);
    expect(await filled(notices.digest)).toEqual(["Acknowledge all 2"]);
    expect(await filled({ ...notices.digest, cause: null })).toEqual(["Acknowledge these 2"]);
    expect(await filled({ ...notices.digest, waiting: 1 })).toEqual(["Acknowledge 1 of 2"]);
    expect(await filled({ ...notices.digest, waiting: 1, open: 1 })).toEqual(["Acknowledge"]);
    expect((await filled(notices["monitor.recovered"])).length).toBeGreaterThan(0);
    expect(await filled(notices["monitor.recovered"])).toEqual(
      await page.locator(".links a").allTextContents(),
    );
  });
});
