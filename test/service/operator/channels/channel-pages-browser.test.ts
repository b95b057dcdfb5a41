import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { noAccounts } from "#service/notify/accounts";
import { follow, snap } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { judgedPages } from "../../../support/judged-pages.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { accounts } from "../../../support/notices.ts";
import { tabTo } from "../../../support/page-faults.ts";

const browser = fileBrowser();
const { isThere } = browser;

test.skipIf(!isThere)(
  "every page of channels is accessible and fits, in each of its states",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const { page, faults, seen, judge } = await judgedPages(context, service.url, "channel");
    await page.goto(`${service.url}/channels`);
    await judge("list");
    await follow(page.getByRole("link", { name: "New channel" }));
    await judge("choice");
    await follow(page.getByRole("link", { name: "Slack" }));
    await judge("slack");
    await page.getByLabel("Webhook URL").fill("hooks.slack.com/services/T0/B0/planted");
    await page.getByLabel("Name", { exact: true }).fill("#ops");
    await page.getByRole("button", { name: "Add quiet hours" }).click();
    await page.getByLabel("From").fill("22:00");
    await page.getByLabel("To", { exact: true }).fill("25:00");
    await follow(page.getByRole("button", { name: "Create channel" }));
    await judge("refused");
    await page.getByLabel("Webhook URL").fill("https://hooks.slack.test/services/T0/B0/planted");
    await page.getByLabel("To", { exact: true }).fill("07:00");
    await page.getByRole("button", { name: "Send a test message" }).click();
    await page.getByText("Slack accepted the test message for #ops").waitFor();
    await judge("tested");
    await follow(page.getByRole("button", { name: "Create channel" }));
    expect(await page.locator("h1").innerText()).toBe("#ops");
    await judge("made");
    await follow(page.getByRole("link", { name: "Edit", exact: true }));
    await judge("edit");
    await page.goto(`${service.url}/channels/1/delete`);
    await judge("delete");
    await page.goto(`${service.url}/channels/new/webhook`);
    await page.getByLabel("URL", { exact: true }).fill("https://hooks.test/planted");
    await follow(page.getByRole("button", { name: "Create channel" }));
    await judge("webhook-made");
    // The browser says of a refusal that it is one, and of a hand that is quicker than a field's own focus.
    const odd = seen.filter((one) => !/422|Autofocus/.test(one));
    expect([...faults, ...odd].join("\n")).toBe("");
  },
);

test.skipIf(!isThere)(
  "the preview of a channel has its times in the zone that the form has, also that of the browser",
  async () => {
    const { service } = await operatorScene({ days: 0 });
    const path = `${service.url}/channels/new/slack`;
    await using context = await browser.newContext({ timezoneId: "Europe/Berlin" });
    const page = await context.newPage();
    await page.goto(path);
    page.setDefaultTimeout(15_000);
    const preview = page.locator("aside.preview");
    await preview.getByText("12:59:55 CET").first().waitFor();
    await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
    await preview.getByText("20:59:55 GMT+9").first().waitFor();
    expect(await preview.getByRole("button", { name: "Preview" }).isVisible()).toBe(false);
    await using still = await browser.newContext({ javaScriptEnabled: false });
    const plain = await still.newPage();
    await plain.goto(path);
    await plain.getByLabel("Time zone").selectOption("Asia/Tokyo");
    await follow(plain.getByRole("button", { name: "Preview" }));
    expect(await plain.locator("aside.preview").innerText()).toContain("20:59:55 GMT+9");
    expect(await plain.locator("h1").innerText()).toBe("New channel: Slack");
  },
);

test.skipIf(!isThere)(
  "a part of a preview that a person unfolded stays so while the preview follows what is typed",
  async () => {
    const { service } = await operatorScene({
      days: 0,
      accounts: { ...noAccounts, smtp: accounts.smtp },
    });
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/channels/new/email`);
    const folded = page.locator("[data-preview] details");
    await folded.locator("summary").click();
    expect(await folded.getAttribute("open")).not.toBeNull();
    const followed = page.waitForResponse((answer) => answer.request().method() === "POST");
    const drawn = page.evaluate(
      () =>
        new Promise((done) =>
          Reflect.get(globalThis, "document").addEventListener("previewed", done, { once: true }),
        ),
    );
    await page.locator('[name="name"]').fill("Ops");
    await followed;
    await drawn;
    expect(await folded.getAttribute("open")).not.toBeNull();
  },
);

test.skipIf(!isThere)(
  "the preview of something new has the browser's zone before the service answers",
  async () => {
    const { service } = await operatorScene({ days: 0 });
    for (const [timezoneId, message, brief, period] of [
      ["America/Chicago", "22 Nov 2026, 05:59:55 CST", "05:59 CST", "22 Nov 2026, 06:05–07:05 CST"],
      ["Europe/Berlin", "22 Nov 2026, 12:59:55 CET", "12:59 CET", "22 Nov 2026, 13:05–14:05 CET"],
    ] as const) {
      await using context = await browser.newContext({ timezoneId });
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      await page.route("**/*", (route) =>
        route.request().method() === "POST" ? route.abort() : route.continue(),
      );
      const preview = page.locator("[data-preview]");
      for (const [path, words] of [
        ["/channels/new/slack", message],
        ["/channels/new/sms", brief],
        ["/maintenances/new", period],
      ] as const) {
        await page.goto(`${service.url}${path}`);
        await preview.getByText(words).first().waitFor();
        expect(await preview.innerText()).not.toContain("UTC");
      }
    }
  },
);

test.skipIf(!isThere)(
  "a webhook's test is above its long message, which scrolls by itself, and each provider has a glyph",
  async () => {
    const { service } = await operatorScene({ days: 0 });
    await using context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    await page.goto(`${service.url}/channels/new`);
    const tiles = page.locator(".provider-mark");
    expect(await tiles.locator("svg").count()).toBe(await page.locator(".provider").count());
    expect((await tiles.allInnerTexts()).join("")).toBe("");
    await page.goto(`${service.url}/channels/new/webhook`);
    await page.getByText("An example of a failure, as JSON").click();
    const test = await page.getByRole("button", { name: "Send a test message" }).boundingBox();
    // From the page, as the preview is exchanged once for that of the reader's zone.
    const [at = 0, shown = 0, whole = 0] = await page.locator("body").evaluate((body) => {
      const message = body.querySelector(".preview .look pre");
      return message === null
        ? []
        : [message.getBoundingClientRect().top, message.clientHeight, message.scrollHeight];
    });
    expect(test?.y ?? Number.POSITIVE_INFINITY).toBeLessThan(at);
    expect(shown).toBeLessThan(400);
    expect(whole).toBeGreaterThan(shown);
  },
);

test.skipIf(!isThere)(
  "a channel is tried and made with the keyboard alone and without a script, for a night without messages",
  async () => {
    const { service, sent } = await operatorScene();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const type = async (label: string, text: string): Promise<void> => {
      await tabTo(page, page.getByLabel(label, { exact: true }));
      await page.keyboard.type(text);
    };
    const enter = async (to: Locator): Promise<void> => {
      await tabTo(page, to);
      const loaded = page.waitForEvent("load");
      await page.keyboard.press("Enter");
      await loaded;
    };
    const press = (name: string) => enter(page.getByRole("button", { name, exact: true }));
    await page.goto(`${service.url}/channels`);
    await enter(page.getByRole("link", { name: "New channel" }));
    await enter(page.getByRole("link", { name: "ntfy" }));
    await type("Name", "night shift");
    await type("Topic", "shop-3f9a2c");
    await press("Add quiet hours");
    await type("From", "22:00");
    await type("To", "07:00");
    await press("Send a test message");
    expect(await page.getByRole("status").innerText()).toContain("ntfy accepted the test message");
    expect(sent.map(({ notice }) => notice)).toMatchObject([
      { type: "test", channel: "night shift" },
    ]);
    await press("Create channel");
    expect(await page.locator("h1").innerText()).toBe("night shift");
    expect(await page.locator("main").innerText()).toContain(
      "Notified of every failure, slowdown and recovery of all monitors and of faults of their locations, not between 22:00 and 07:00 (UTC).",
    );
  },
);

test.skipIf(!isThere)(
  "monitors are offered to a channel once it is not for all of them, also without a script",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${service.url}/channels/new/slack`);
    const offered = page.getByRole("group", { name: "Or only these monitors" });
    expect(await offered.count()).toBe(0);
    await page.getByLabel("All monitors, also those made later").uncheck();
    await offered.getByLabel("Billing API").check();
    await page.getByLabel("Webhook URL").fill("https://hooks.slack.test/services/T0/B0/planted");
    await follow(page.getByRole("button", { name: "Create channel" }));
    expect(await page.locator("main").innerText()).toContain("recovery of Billing API and");
  },
);

test.skipIf(!isThere)(
  "a channel's messages are cards on a phone: nothing is cut, however long a failure's words are",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(`${service.url}/channels/1`);
    const region = page.getByRole("region", { name: "Table of messages" });
    expect(await region.locator("thead").isVisible()).toBe(false);
    const outcome = region.locator("tbody tr").first().locator(".outcome");
    expect(await outcome.innerText()).toBe("Sent");
    const [shown, whole] = await outcome.evaluate((cell) => {
      cell.append(` https://hooks.slack.test/${"services".repeat(20)} answered 404`);
      const { clientWidth = 0, scrollWidth = 0 } = cell.closest(".delivered") ?? {};
      return [clientWidth, scrollWidth];
    });
    expect(whole).toBe(shown);
  },
);

test.skipIf(!isThere)(
  "a new channel has the browser's time zone next to its quiet hours, also after a URL was pasted, and keeps what a person chose",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ timezoneId: "Europe/Berlin" });
    const page = await context.newPage();
    const zone = page.getByRole("group", { name: "Events and times" }).getByLabel("Time zone");
    await page.goto(`${service.url}/channels/new/ntfy`);
    await expect.poll(() => zone.inputValue()).toBe("Europe/Berlin");
    await zone.selectOption("UTC");
    await follow(page.getByRole("button", { name: "Create channel" }));
    expect(await page.locator("h1").innerText()).toContain("New channel");
    expect(await zone.inputValue()).toBe("UTC");
    await page.goto(`${service.url}/channels/new`);
    await page.getByLabel("Paste").fill("https://ntfy.sh/planted");
    await page.getByLabel("Paste").press("Enter");
    await expect.poll(() => zone.inputValue()).toBe("Europe/Berlin");
  },
);

test.skipIf(!isThere)(
  "a refusal below From of quiet hours leaves To and Remove on its line",
  async () => {
    const { service } = await operatorScene({ days: 0 });
    await using context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    await page.goto(`${service.url}/channels/new/webhook`);
    await page.getByLabel("URL", { exact: true }).fill("https://hooks.test/planted");
    await page.getByRole("button", { name: "Add quiet hours" }).click();
    await page.getByLabel("From").fill("25:00");
    await page.getByLabel("To", { exact: true }).fill("25:00");
    await follow(page.getByRole("button", { name: "Create channel" }));
    const topOf = async (what: Locator): Promise<number> =>
      Math.round((await what.boundingBox())?.y ?? 0);
    const from = await topOf(page.getByLabel("From"));
    expect(await topOf(page.getByLabel("To", { exact: true }))).toBe(from);
    expect(
      Math.abs((await topOf(page.getByRole("button", { name: "Remove" }))) - from),
    ).toBeLessThan(8);
    await snap(page, "channel-quiet-hours-refused");
  },
);

test.skipIf(!isThere)(
  "the form of a new webhook that is loaded again shows the same signing secret, as opened and as refused",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    const secret = page.locator("#signing-secret");
    await page.goto(`${service.url}/channels/new/webhook?next=/start`);
    const shown = await secret.innerText();
    expect(shown).toMatch(/^whsec_/);
    await page.reload();
    expect(await secret.innerText()).toBe(shown);
    await follow(page.getByRole("button", { name: "Create channel" }));
    expect(await page.locator(".mistakes").count()).toBe(1);
    // The browser asks before it lets go what was sent.
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    expect(await page.locator(".mistakes").count()).toBe(0);
    expect(await secret.innerText()).toBe(shown);
    expect(await page.locator('[name="next"]').inputValue()).toBe("/start");
    await page.goto(`${service.url}/channels/new/webhook`);
    expect(await secret.innerText()).not.toBe(shown);
  },
);
