import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { follow } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { sentForm } from "../../../support/sent-form.ts";
import type { Service } from "#service/server";
import { httpDefaults } from "#check/definition";

const browser = fileBrowser();
const { isThere } = browser;

const press = (page: Page, name: string): Promise<void> =>
  follow(page.getByRole("button", { name, exact: true }));

/** The refusals that the top of the form lists. */
const refusals = (page: Page): Promise<readonly string[]> =>
  page.locator(".mistakes li").allInnerTexts();

describe("the form of a monitor", () => {
  test.skipIf(!isThere)("has the buttons of its kinds in one row of a wide window", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/new`);
    const buttons = await page.getByRole("group", { name: "Kind" }).getByRole("button").all();
    const tops = await Promise.all(buttons.map(async (one) => (await one.boundingBox())?.y));
    expect([buttons.length, new Set(tops).size]).toEqual([5, 1]);
  });
  test.skipIf(!isThere)("says who is notified as channels are ticked", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/new`);
    const said = () => page.locator("[data-notified]").innerText();
    for (const name of ["Operations", "Tickets"])
      await page.getByRole("checkbox", { name }).uncheck();
    expect(await said()).toBe("No one is notified when it fails: tick a channel.");
    await page.getByRole("checkbox", { name: "Operations" }).check();
    expect(await said()).toBe("Operations is notified when it fails.");
    await page.getByRole("checkbox", { name: "Tickets" }).check();
    expect(await said()).toBe("Operations and Tickets are notified when it fails.");
  });
  test.skipIf(!isThere)(
    "names as many channels as the served sentence does, and none that takes no failures",
    async () => {
      const { service, post, get } = await operatorScene({ days: 0 });
      const path = "/channels/new/webhook";
      const channel = sentForm(await (await get(path)).text(), path);
      channel.delete("all_monitors");
      for (const name of ["a", "b", "c", "d", "e", "f", "g", "planned"]) {
        channel.set("name", name);
        channel.set("endpoint", `https://hook.test/${name}`);
        channel.delete("events");
        channel.append("events", name === "planned" ? "maintenance" : "error");
        expect((await post(path, channel)).status).toBe(303);
      }
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${service.url}/monitors/new`);
      const said = () => page.locator("[data-notified]").innerText();
      const boxes = page.locator('[name="notifications"]');
      await page.getByRole("checkbox", { name: "planned" }).check();
      expect(await said()).toBe("No one is notified when it fails: tick a channel.");
      for (const box of await boxes.all()) await box.check();
      const seven = "a, b, c, d, e and 2 more are notified when it fails.";
      expect(await said()).toBe(seven);
      await press(page, "Create monitor");
      expect(await refusals(page)).toHaveLength(1);
      expect(await said()).toBe(seven);
    },
  );
  test.skipIf(!isThere)("says of what is folded what holds while nothing is set", async () => {
    const { service } = await operatorScene();
    const page = await browser.sharedPage();
    await page.goto(`${service.url}/monitors/new`);
    expect(await page.locator("summary .summed").allInnerTexts()).toEqual([
      "Status code 200 to 299",
      "Not set",
      "Follow redirects",
      "Timeout: 10 s · Retries: 1",
      "Critical; warning if slow",
      "Figures are not public",
      "Sent to no collector",
    ]);
  });
  test.skipIf(!isThere)(
    "has one field for the target: a URL is created by Enter, and anything else fills the form in first",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext();
      const page = await context.newPage();
      const url = page.getByLabel("URL", { exact: true });
      await page.goto(`${service.url}/monitors/new`);
      await url.fill("db.shop.example:5432");
      await url.press("Enter");
      const host = page.getByLabel("Host and port", { exact: true });
      await host.waitFor();
      expect(await host.inputValue()).toBe("db.shop.example:5432");
      expect(await host.evaluate((one) => one.matches(":focus"))).toBe(true);
      expect(await page.locator(".filled").innerText()).toBe(
        "Changed from HTTP to TCP, which fits what you typed. Press Enter in the field, or Create monitor, to create it. Undo",
      );
      await host.press("Enter");
      await page.waitForURL(/\/monitors\/\d+/);
      expect(await page.locator("h1").innerText()).toBe("db.shop.example:5432");
      await page.goto(`${service.url}/monitors/new`);
      await url.fill("https://shop.example/health");
      const loaded = page.waitForEvent("load");
      await url.press("Enter");
      await loaded;
      expect(await page.locator("h1").innerText()).toBe("shop.example/health");
      await page.goto(`${service.url}/monitors/new`);
      await url.fill("no address at all");
      await url.press("Enter");
      await page.locator(".wrong-line").waitFor();
      expect(await page.locator(".wrong-line").innerText()).toContain("cannot be checked");
      expect(await url.inputValue()).toBe("no address at all");
    },
  );
  test.skipIf(!isThere)(
    "says in words what it makes, and says it again as that changes",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${service.url}/monitors/new`);
      const words = page.locator("#sums li");
      expect(await words.first().innerText()).toBe(
        "The target is checked every minute from Office and Warehouse.",
      );
      await page.getByLabel("URL", { exact: true }).fill("https://shop.example/health");
      await page.getByRole("checkbox", { name: "Warehouse" }).uncheck();
      await expect
        .poll(() => words.first().innerText())
        .toBe("https://shop.example/health is checked every minute from Office.");
      expect(await page.getByLabel("URL", { exact: true }).inputValue()).toBe(
        "https://shop.example/health",
      );
    },
  );
  test.skipIf(!isThere)("has each rule and its button on one line of a wide window", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ viewport: { width: 1_280, height: 1_000 } });
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/new`);
    await page.locator("summary", { hasText: "Assertions" }).click();
    for (const one of ["status", "body", "header", "JSON"]) {
      await page.getByRole("button", { name: `Add ${one} rule` }).click();
      const remove = await page.getByRole("button", { name: `Remove ${one} rule 1` }).boundingBox();
      const choice = await page.getByLabel("Comparison").last().boundingBox();
      expect(Math.abs((remove?.y ?? 0) - (choice?.y ?? 99))).toBeLessThan(4);
    }
  });
  test.skipIf(!isThere)(
    "says what is wrong with a field as it is left, repeats nothing of that, and takes it back as the field is corrected",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${service.url}/monitors/new`);
      const sums = page.locator("#sums");
      await sums.getByText("Next: fill in “URL”.").waitFor();
      const [url, timeout] = ["URL", "Timeout"].map((label) =>
        page.getByLabel(label, { exact: true }),
      );
      if (!url || !timeout) throw new Error("the form has both fields");
      await url.fill("htp://foo");
      await url.press("Tab");
      await page.locator("#field-url-wrong").getByText("http:// or https://").waitFor();
      expect(await url.getAttribute("aria-invalid")).toBe("true");
      expect(await sums.innerText()).not.toContain("htp://foo");
      await page.locator("details", { has: timeout }).locator("summary").click();
      await timeout.fill("abc");
      await timeout.press("Tab");
      await page.locator("#field-timeout-wrong").getByText("must be a time").waitFor();
      await sums.getByText("Next: correct “URL” and “Timeout”.").waitFor();
      expect(await sums.innerText()).not.toContain("abc");
      expect(await page.locator(".wrong-line").count()).toBe(2);
      await timeout.fill("5 s");
      await timeout.press("Tab");
      await sums.getByText("within 5 s").waitFor();
      expect(await page.locator(".wrong-line").count()).toBe(1);
      await url.fill("https://shop.example/");
      await url.press("Tab");
      await sums.getByText("Next: press Create monitor.").waitFor();
      expect(await page.locator(".wrong-line, [aria-invalid], .mistakes").count()).toBe(0);
      await page.getByRole("button", { name: "TCP", exact: true }).click();
      const host = page.getByLabel("Host and port", { exact: true });
      await host.waitFor();
      expect(await host.inputValue()).toBe("shop.example:443");
      await sums.getByText("Next: press Create monitor.").waitFor();
    },
  );
  test.skipIf(!isThere)(
    "is filled in as the cursor leaves its target, which can be undone, and keeps what is typed meanwhile",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext();
      context.setDefaultTimeout(10_000);
      const page = await context.newPage();
      const sent = Promise.withResolvers<undefined>();
      const typed = Promise.withResolvers<undefined>();
      await page.route("**/monitors/new", async (route) => {
        if (route.request().method() !== "POST") return route.continue();
        const response = await route.fetch();
        sent.resolve(undefined);
        await typed.promise;
        return route.fulfill({ response });
      });
      await page.goto(`${service.url}/monitors/new`);
      const [url, host, name] = ["URL", "Host and port", "Name"].map((label) =>
        page.getByLabel(label, { exact: true }),
      );
      if (!url || !host || !name) throw new Error("the form has three such fields");
      await url.fill("db.shop.example:5432");
      await url.press("Tab");
      await sent.promise;
      await page.getByRole("checkbox", { name: "Warehouse" }).uncheck();
      await name.pressSequentially("Data");
      typed.resolve(undefined);
      await host.waitFor();
      expect(await host.inputValue()).toBe("db.shop.example:5432");
      expect(await name.evaluate((one) => one.matches(":focus"))).toBe(true);
      await page.keyboard.type("base");
      expect(await name.inputValue()).toBe("Database");
      expect(await page.getByRole("checkbox", { name: "Warehouse" }).isChecked()).toBe(false);
      await page.getByRole("button", { name: "Undo" }).click();
      await url.waitFor();
      expect(await url.inputValue()).toBe("db.shop.example:5432");
      expect(await url.evaluate((one) => one.matches(":focus"))).toBe(true);
      await press(page, "Create monitor");
      expect((await refusals(page)).join()).toContain("URL must begin with http:// or https://");
      await url.fill("shop.example:8080/health");
      await url.press("Tab");
      await page.locator(".filled:not(:empty)").waitFor();
      expect(await page.locator(".filled").innerText()).toBe(
        "http:// was added. Press Enter in the field, or Create monitor, to create it.",
      );
      expect(await url.inputValue()).toBe("http://shop.example:8080/health");
      await page.goto(`${service.url}/monitors/new?kind=tcp`);
      await host.fill("https://shop.example/");
      await name.click();
      await url.waitFor();
      expect(await page.locator(".filled").innerText()).toContain("Changed from TCP to HTTP");
    },
  );
  test.skipIf(!isThere)(
    "shows another kind without scripts before it is saved if something typed goes with the old one, which can be undone",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${service.url}/monitors/new?kind=tcp`);
      await page.goto(`${service.url}/monitors/new?kind=dns`);
      const host = page.getByLabel("Domain name", { exact: true });
      await host.fill("https://shop.example/");
      await page.locator("summary", { hasText: "Assertions" }).click();
      await press(page, "Add record rule");
      await page.locator('[name="record_assertions[0].target"]').fill("192.0.2.53");
      await press(page, "Create monitor");
      expect(await page.locator(".filled").innerText()).toBe(
        "Changed from DNS to HTTP, which fits what you typed. Press Enter in the field, or Create monitor, to create it. Undo",
      );
      await press(page, "Undo");
      expect(await host.inputValue()).toBe("https://shop.example/");
      await press(page, "Create monitor");
      expect((await refusals(page)).join()).toMatch(/^Domain name /);
    },
  );
  for (const javaScriptEnabled of [true, false])
    test.skipIf(!isThere)(
      `makes a monitor of host and port by one click right after typing, ${javaScriptEnabled ? "with" : "without"} scripts`,
      async () => {
        const { service } = await operatorScene();
        await using context = await browser.newContext({ javaScriptEnabled });
        context.setDefaultTimeout(20_000);
        const page = await context.newPage();
        await page.goto(`${service.url}/monitors/new`);
        await page.getByLabel("URL", { exact: true }).pressSequentially("db.shop.example:5432");
        await press(page, "Create monitor");
        expect(await page.locator("h1").innerText()).toBe("db.shop.example:5432");
        expect(await page.getByRole("status", { name: "Done" }).innerText()).toContain(
          "The monitor is created as TCP, which fits its target.",
        );
      },
    );
  for (const javaScriptEnabled of [true, false])
    test.skipIf(!isThere)(
      `shows what of a curl command is not taken over before it is saved, ${javaScriptEnabled ? "with" : "without"} scripts`,
      async () => {
        const { service } = await operatorScene();
        await using context = await browser.newContext({ javaScriptEnabled });
        context.setDefaultTimeout(20_000);
        const page = await context.newPage();
        await page.goto(`${service.url}/monitors/new`);
        const url = page.getByLabel("URL", { exact: true });
        await url.fill("curl -k https://shop.example/a");
        await press(page, "Create monitor");
        expect(await page.getByRole("alert").innerText()).toContain(
          "-k is not taken over: certificates are always verified.",
        );
        expect(await url.inputValue()).toBe("https://shop.example/a");
        await press(page, "Save anyway");
        expect(await page.locator("h1").innerText()).toBe("shop.example/a");
      },
    );
  test.skipIf(!isThere)("moves nothing from under a pointer that is pressed", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    const asked = Promise.withResolvers<undefined>();
    const answered = Promise.withResolvers<undefined>();
    await page.route("**/monitors/new", async (route) => {
      if (route.request().postDataJSON()?.fill === undefined) return route.continue();
      const response = await route.fetch();
      asked.resolve(undefined);
      await answered.promise;
      return route.fulfill({ response });
    });
    await page.goto(`${service.url}/monitors/new`);
    const url = page.getByLabel("URL", { exact: true });
    await url.fill("curl https://shop.example/pasted");
    await url.evaluate((one) => one.dispatchEvent(new Event("paste", { bubbles: true })));
    await asked.promise;
    await page.getByRole("button", { name: "Create monitor", exact: true }).hover();
    await page.mouse.down();
    const filled = page.waitForResponse((one) => one.request().postDataJSON()?.fill === "yes");
    answered.resolve(undefined);
    await (await filled).finished();
    const loaded = page.waitForEvent("load");
    await page.mouse.up();
    await loaded;
    expect(await page.locator("h1").innerText()).toBe("shop.example/pasted");
  });
  test.skipIf(!isThere)(
    "lists mistakes as wide as its column, and names the domain of DNS apart from the monitor",
    async () => {
      const { service } = await operatorScene({ days: 0 });
      await using context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      context.setDefaultTimeout(8_000);
      const page = await context.newPage();
      await page.goto(`${service.url}/monitors/new?kind=dns`);
      expect(await page.getByLabel("Domain name", { exact: true }).count()).toBe(1);
      expect(await page.getByLabel("Name", { exact: true }).count()).toBe(1);
      await follow(page.getByRole("button", { name: "Create monitor" }));
      const ends = await page
        .locator(".mistakes, #group-what")
        .evaluateAll((boxes) => boxes.map((one) => Math.round(one.getBoundingClientRect().right)));
      expect(ends).toHaveLength(2);
      expect(ends[0]).toBe(ends[1]);
    },
  );
  test.skipIf(!isThere)(
    "is one line high for a URL, grows with a curl command that is pasted, and says what that filled in",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext();
      const page = await context.newPage();
      const url = page.getByLabel("URL", { exact: true });
      const height = async () => (await url.boundingBox())?.height ?? 0;
      await page.goto(`${service.url}/monitors/new`);
      expect(await height()).toBe((await page.getByLabel("Name").boundingBox())?.height);
      const line = await height();
      const curl = "curl -k -X PUT \\\n -H 'X-A: 1' \\\n -d x \\\n https://shop.example/a";
      await url.fill(curl);
      expect(await height()).toBeGreaterThan(2 * line);
      await url.evaluate((one) => one.dispatchEvent(new Event("paste", { bubbles: true })));
      await page.locator(".filled:not(:empty)").waitFor();
      expect(await page.locator(".filled").innerText()).toBe(
        [
          "Filled in from the curl command: PUT, 2 headers, a body, redirects are not followed.",
          "Press Enter in the field, or Create monitor, to create it.",
        ].join(" "),
      );
      const leftOut = page.locator(".lead .notice.warn");
      expect(await leftOut.innerText()).toBe(
        "-k is not taken over: certificates are always verified. Give your CA to the agent in PICKET_CA_FILE.",
      );
      // What was filled in is not saved yet.
      expect(await page.locator("summary", { hasText: "Request" }).last().innerText()).toMatch(
        /2 headers · Request body · /,
      );
      expect(await page.getByLabel("Method").inputValue()).toBe("PUT");
      expect([await url.inputValue(), await height()]).toEqual(["https://shop.example/a", line]);
      expect(await url.evaluate((one) => one.matches(":focus"))).toBe(true);
    },
  );
  test.skipIf(!isThere)(
    "says the same of a paste in its address as of one by hand, which can be undone",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      const opened = async (paste: string): Promise<string> => {
        await page.goto(`${service.url}/monitors/new?${new URLSearchParams({ paste }).toString()}`);
        return page.locator(".filled").innerText();
      };
      expect(await opened("curl -X PUT https://shop.example/ -H 'A: b'")).toBe(
        "Filled in from the curl command: PUT, 1 header, redirects are not followed. Press Enter in the field, or Create monitor, to create it.",
      );
      expect(await opened("https://shop.example/")).toBe("");
      expect(await opened("db.shop.example:5432")).toBe(
        "Changed from HTTP to TCP, which fits what you typed. Press Enter in the field, or Create monitor, to create it. Undo",
      );
      await follow(page.getByRole("button", { name: "Undo" }));
      expect(await page.getByLabel("URL", { exact: true }).inputValue()).toBe(
        "db.shop.example:5432",
      );
    },
  );
  test.skipIf(!isThere)(
    "makes one without scripts from a pasted curl command, with rules and places, in three clicks",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(service.url);
      await follow(page.getByRole("link", { name: "New monitor" }));
      await page
        .getByLabel("URL", { exact: true })
        .fill(
          `curl -X POST -H 'Authorization: Bearer planted' \\\n -d '{"a": 1}' -L https://shop.example/health?key=planted`,
        );
      await press(page, "Fill in from the target");
      expect(await page.getByLabel("URL", { exact: true }).inputValue()).toBe(
        "https://shop.example/health?key=planted",
      );
      await page.locator("summary", { hasText: "Assertions" }).click();
      await press(page, "Add status rule");
      await page.getByLabel("Comparison").selectOption("lt");
      await page.getByLabel("Code").fill("300");
      await page.getByRole("checkbox", { name: "Warehouse" }).uncheck();
      await page.getByRole("checkbox", { name: "Operations" }).check();
      await press(page, "Create monitor");
      expect(await page.locator("h1").innerText()).toBe("shop.example/health");
      const id = /\/monitors\/(\d+)/.exec(page.url())?.[1] ?? "";
      const { http } = await storedMonitor(service, id);
      expect(http).toMatchObject({
        url: "https://shop.example/health?key=planted",
        method: "HTTP_METHOD_POST",
        body: '{"a": 1}',
        headers: [
          { key: "Authorization", value: "Bearer planted" },
          { key: "Content-Type", value: "application/x-www-form-urlencoded" },
        ],
        statusCodeAssertions: [{ comparator: "NUMBER_COMPARATOR_LESS_THAN", target: "300" }],
        periodicity: "PERIODICITY_1M",
        active: true,
        privateLocationIds: ["1"],
      });
    },
  );

  test.skipIf(!isThere)(
    "refuses each wrong value by its field, keeps all that was typed, and links to the fields",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${service.url}/monitors/new`);
      await openGroups(page);
      await page.getByLabel("URL", { exact: true }).fill("ftp://shop.example");
      await page.getByLabel("Name", { exact: true }).fill("Shop <b>");
      await page.getByLabel("Timeout").fill("soon");
      await page.getByLabel("Retries").fill("11");
      await press(page, "Add status rule");
      await page.getByLabel("Code").fill("99");
      await press(page, "Create monitor");
      expect((await refusals(page)).join("\n")).toMatchInlineSnapshot(`
        "URL must begin with http:// or https://.
        Status code, status rule 1: Code must be in 100 to 599, not 99.
        Timeout must be a time with its unit, for example 45 s, 5 s or 1 min.
        Retries must be in 0 to 10, not 11."
      `);
      expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Shop <b>");
      const url = page.getByLabel("URL", { exact: true });
      expect(await url.evaluate((one) => one.matches(":focus"))).toBe(true);
      expect(await page.getByLabel("Timeout").inputValue()).toBe("soon");
      expect(await page.getByLabel("Timeout").getAttribute("aria-invalid")).toBe("true");
      await page.getByRole("link", { name: /^Retries/ }).click();
      expect(new URL(page.url()).hash).toBe("#field-retry");
      // Without its scheme it is a URL all the same.
      await url.fill("shop.example");
      await press(page, "Create monitor");
      expect(await url.inputValue()).toBe("https://shop.example");
      await openGroups(page);
      await page.getByLabel("Timeout").fill("5 s");
      await page.getByLabel("Retries").fill("1");
      await page.getByLabel("Code").fill("200");
      await press(page, "Create monitor");
      expect(await page.locator("h1").innerText()).toBe("Shop <b>");
      await follow(page.getByRole("link", { name: "Edit", exact: true }));
      await url.fill("other.example");
      await press(page, "Save");
      expect((await refusals(page)).join()).toContain(
        "http:// or https://, for example https://example.com",
      );
      await press(page, "Use https://other.example");
      expect(await url.inputValue()).toBe("https://other.example");
    },
  );

  test.skipIf(!isThere)(
    "shows no saved secret, keeps each one that is left alone, and takes another in its place",
    async () => {
      const { service } = await operatorScene();
      const { id } = await service.admin.createMonitor(
        {
          ...httpDefaults,
          name: "Secrets",
          periodicity: "1m",
          method: "POST",
          url: "https://user:planted@shop.example/health?key=planted",
          body: "planted",
          headers: [
            { key: "X-First", value: "planted" },
            { key: "X-Second", value: "planted" },
          ],
          headerAssertions: [{ key: "etag", comparator: "eq", target: "planted" }],
          otel: {
            endpoint: "https://collector.example/v1/metrics?key=planted",
            headers: [{ key: "Authorization", value: "planted" }],
          },
        },
        "management",
      );
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${service.url}/monitors/${id}/edit`);
      expect(await page.content()).not.toContain("planted");
      await openGroups(page);
      await page
        .getByRole("group", { name: "header 2", exact: true })
        .getByLabel("Value")
        .fill("other");
      await press(page, "Remove header 1");
      expect(await page.content()).not.toContain("planted");
      await page
        .getByLabel("URL")
        .fill(
          (await page.getByLabel("URL", { exact: true }).inputValue()).replace("/health", "/ready"),
        );
      await press(page, "Save");
      const { http } = await storedMonitor(service, id);
      expect(http).toMatchObject({
        url: "https://user:planted@shop.example/ready?key=planted",
        body: "planted",
        headers: [{ key: "X-Second", value: "other" }],
        headerAssertions: [{ key: "etag", target: "planted" }],
        openTelemetry: {
          endpoint: "https://collector.example/v1/metrics?key=planted",
          headers: [{ key: "Authorization", value: "planted" }],
        },
      });
      await follow(page.getByRole("link", { name: "Copy" }));
      expect(await page.content()).not.toContain("planted");
      await press(page, "Create monitor");
      const copied = await storedMonitor(service, /\/monitors\/(\d+)/.exec(page.url())?.[1] ?? "");
      expect(copied.http).toMatchObject({ name: "Secrets (copy)", body: "planted" });
    },
  );
});

/** A monitor as an API key sees it that may write. */
async function storedMonitor(service: Service, id: string): Promise<{ readonly http: unknown }> {
  const { key } = await service.admin.createApiKey({ name: "tests", scope: "write" });
  const answer = await fetch(`${service.url}/openstatus.monitor.v1.MonitorService/GetMonitor`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-key": key },
    body: JSON.stringify({ id }),
  });
  const { monitor }: { monitor: { http: unknown } } = JSON.parse(await answer.text());
  return monitor;
}

/** Opens what is folded, by clicks: no script runs. */
async function openGroups(page: Page): Promise<void> {
  const folded = page.locator("main details:not([open]) > summary");
  while ((await folded.count()) > 0) await folded.first().click();
}
