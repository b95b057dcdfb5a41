import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { follow } from "../support/browser.ts";
import { fileBrowser } from "../support/file-browser.ts";
import { operatorScene, type OperatorScene } from "../support/operator-scene.ts";

const browser = fileBrowser();

/** A page in Berlin, where a clock is one hour ahead of UTC in November. */
async function inBerlin(
  { service }: OperatorScene,
  path: string,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  await using context = await browser.newContext({
    timezoneId: "Europe/Berlin",
    baseURL: service.url,
  });
  const page = await context.newPage();
  await page.clock.setFixedTime("2026-11-22T12:00:00Z");
  await page.goto(path);
  await page.getByText(/those of Europe\/Berlin/).waitFor();
  await use(page);
}

const days = (page: Page) =>
  ["From (Europe/Berlin)", "To (Europe/Berlin)"].map((one) =>
    page.getByLabel(one, { exact: true }),
  );

test.skipIf(!browser.isThere)(
  "a range of a chart is typed in the reader's zone, which its fields name, and its address is UTC",
  async () => {
    await inBerlin(await operatorScene(), "/monitors/2?range=24h", async (page) => {
      const show = () => follow(page.getByRole("button", { name: "Show" }));
      await page.getByText("Custom range").click();
      const [from, to] = days(page);
      expect([await from?.inputValue(), await to?.inputValue()]).toEqual([
        "2026-11-21T13:00",
        "2026-11-22T13:00",
      ]);
      await from?.fill("2026-10-25T01:30");
      await to?.fill("2026-10-25T03:30");
      await show();
      // The clocks were put back meanwhile.
      expect(new URL(page.url()).search).toBe(
        "?range=custom&from=2026-10-24T23%3A30%3A00Z&to=2026-10-25T02%3A30%3A00Z",
      );
      await page.locator(".own-range summary").click();
      await from?.fill("2026-11-22T13:05");
      await to?.fill("2026-11-22T13:50");
      await show();
      const fault = page.getByRole("alert");
      await expect
        .poll(() => fault.innerText())
        .toBe(
          "From was read as 13:05:00 CET, which is in the future: it is 13:00:00 CET now. Choose an earlier time.",
        );
      expect([await from?.inputValue(), await to?.inputValue()]).toEqual([
        "2026-11-22T13:05",
        "2026-11-22T13:50",
      ]);
    });
  },
);

test.skipIf(!browser.isThere)(
  "an hour that a clock shows twice stays the one that an address names, if it is sent again",
  async () => {
    const range = "range=custom&from=2026-10-25T01:30:15Z&to=2026-10-25T06:00Z";
    await inBerlin(await operatorScene(), `/monitors/2?${range}`, async (page) => {
      await page.locator(".own-range summary").click();
      const [from] = days(page);
      expect(await from?.inputValue()).toBe("2026-10-25T02:30:15");
      await follow(page.getByRole("button", { name: "Show" }));
      expect(new URL(page.url()).searchParams.get("from")).toBe("2026-10-25T01:30:15Z");
    });
  },
);

test.skipIf(!browser.isThere)(
  "a range with seconds takes round times, and an end before its beginning is refused at the field of the end",
  async () => {
    const range = "range=custom&from=2026-11-22T08:31:06Z&to=2026-11-22T10:36:15Z";
    await inBerlin(await operatorScene(), `/monitors/2?${range}`, async (page) => {
      const show = () => follow(page.getByRole("button", { name: "Show" }));
      await page.locator(".own-range summary").click();
      const [from, to] = days(page);
      await from?.fill("2026-11-22T09:32");
      await show();
      expect(new URL(page.url()).search).toBe(
        "?range=custom&from=2026-11-22T08%3A32%3A00Z&to=2026-11-22T10%3A36%3A15Z",
      );
      await page.locator(".own-range summary").click();
      await to?.fill("2026-11-22T09:30");
      await show();
      const fault = page.getByRole("alert");
      await expect
        .poll(() => fault.innerText())
        .toBe(
          "To must be at least 10 seconds after From. From was read as 09:32:00 CET, and To as 09:30:00 CET.",
        );
      expect([await from?.inputValue(), await to?.inputValue()]).toEqual([
        "2026-11-22T09:32",
        "2026-11-22T09:30",
      ]);
      expect(await to?.isVisible()).toBe(true);
      expect(await to?.getAttribute("aria-describedby")).toBe(await fault.getAttribute("id"));
      expect([
        await from?.getAttribute("aria-invalid"),
        await to?.getAttribute("aria-invalid"),
      ]).toEqual([null, "true"]);
    });
  },
);

test.skipIf(!browser.isThere)(
  "days of the audit log are those of the reader's zone, and an address says whose days it names",
  async () => {
    await inBerlin(await operatorScene(), "/changes", async (page) => {
      const [from, to] = days(page);
      await from?.fill("2026-11-22");
      await page.waitForURL(/since=2026-11-22/);
      expect(new URL(page.url()).search).toBe("?zone=Europe%2FBerlin&since=2026-11-22");
      await to?.fill("2026-11-21");
      const fault = page.getByRole("alert");
      await fault.waitFor();
      expect(await fault.innerText()).toBe(
        "To is before From: choose the day of From, or a later one.",
      );
      expect(await page.getByText("There is no such change").count()).toBe(0);
      await expect.poll(() => to?.getAttribute("aria-invalid")).toBe("true");
      await page.reload();
      await fault.waitFor();
      expect([await from?.inputValue(), await to?.inputValue()]).toEqual([
        "2026-11-22",
        "2026-11-21",
      ]);
      expect(await to?.getAttribute("aria-describedby")).toBe(await fault.getAttribute("id"));
      await to?.fill("2026-11-22");
      await fault.waitFor({ state: "detached" });
      expect(await to?.getAttribute("aria-invalid")).toBe(null);
    });
  },
);
