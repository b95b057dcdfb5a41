import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { type HttpDefinition, httpDefaults } from "#check/definition";
import { type Service, startService } from "#service/server";
import { fileBrowser } from "../../../support/file-browser.ts";
import { judgedPages } from "../../../support/judged-pages.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { startPicket } from "../../../support/running-picket.ts";
import { quickFolder, temporaryFolder } from "../../../support/running-service.ts";

const browser = fileBrowser();

type Answering = (request: IncomingMessage, response: ServerResponse) => void;

/** A real HTTP server. */
async function target(answering: Answering): Promise<string> {
  const server = createServer(answering);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `127.0.0.1:${address.port}`;
}

interface Scene {
  readonly service: Service;
  readonly database: string;
  readonly id: string;
}

/** A service, a monitor, and a real agent that has checked it once, on request. */
async function checked(monitor: Partial<HttpDefinition>): Promise<Scene> {
  const database = path.join(quickFolder(), "service.sqlite");
  const service = await startService({
    database,
    host: "127.0.0.1",
    port: 0,
    clock: systemClock,
    log: silentLogger,
    pages: "local",
    opensStore: openStoreHere,
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const shop = { ...httpDefaults, name: "shop", periodicity: "1h", active: true, ...monitor };
  const { id } = await service.admin.createMonitor(shop, "management");
  const office = { name: "office", monitorIds: [id], metadata: {} };
  const { token } = await service.admin.createPrivateLocation(office);
  const agent = startPicket(["agent"], {
    SERVICE_API_URL: service.url,
    PICKET_TOKEN: token,
    PICKET_STATE_DIR: temporaryFolder(),
    PICKET_ALLOW_HTTP: "true",
    PICKET_LOG_LEVEL: "debug",
    PICKET_LISTEN: "127.0.0.1:0",
  });
  await agent.said(/the push channel is open/);
  return { service, database, id };
}

const answered = (page: Page, check: "failed" | "passed") =>
  page.locator(`#${check}-check .answered`);

/** The tables of the database that hold a text anywhere. */
function tablesWith(database: string, text: string): readonly string[] {
  using db = new DatabaseSync(database, { readOnly: true });
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return tables
    .map(({ name }) => String(name))
    .filter((name) =>
      db
        .prepare(`SELECT * FROM "${name}"`)
        .all()
        .some((row) =>
          Object.values(row).some((value) =>
            (value instanceof Uint8Array
              ? Buffer.from(value).toString("latin1")
              : String(value)
            ).includes(text),
          ),
        ),
    )
    .toSorted();
}

describe("what a server answered to a check that an agent made", () => {
  test.skipIf(!browser.isThere)(
    "with 500 is on the pages of monitor and incident: status, headers and body, and neither a credential nor what the monitor sent",
    async () => {
      const secret = "s3cret-of-the-shop/1";
      const at = await target(({ headers }, response) => {
        response.writeHead(500, {
          "content-type": "application/json",
          "x-upstream": "<b>db-7</b>",
          "set-cookie": "session=never-kept-cookie",
          "www-authenticate": 'Bearer realm="never-kept-realm"',
        });
        const sent = String(headers["x-api-key"]);
        const fault = { error: "<b>the disk is full</b>", sent, token: "never-kept-token" };
        response.end(JSON.stringify({ ...fault, trace: `at ${"line ".repeat(2_000)}` }));
      });
      const { service, database, id } = await checked({
        url: `http://${at}/health`,
        headers: [{ key: "X-Api-Key", value: secret }],
        bodyAssertions: [{ target: "all is well", comparator: "contains" }],
      });
      await using context = await browser.newContext();
      context.setDefaultTimeout(20_000);
      const { page, judge, faults, seen } = await judgedPages(context, service.url, "answer");
      await page.goto(`${service.url}/monitors/${id}`);
      await page.getByRole("button", { name: "Check now" }).click();
      await answered(page, "failed").waitFor();
      const words = await answered(page, "failed").innerText();
      expect(words).toContain("500 Internal Server Error");
      expect(words).toContain("<b>db-7</b>");
      expect(words).toMatch(/Set-Cookie\s+not kept/);
      expect(words).toMatch(/Www-Authenticate\s+not kept/);
      expect(words).toContain(
        '{"error":"<b>the disk is full</b>","sent":"[removed]","token":"[removed]","trace":"at line ',
      );
      expect(await page.locator("#failed-check .check-parts .facts").innerText()).toContain(
        'Body does not contain "all is well": received {"error":"<b>the disk is full</b>","sent":"[removed]"',
      );
      expect(words).toContain("Body, the first 2\u00a0KiB of 9.9\u00a0KiB");
      for (const width of [390, 1_280]) {
        await page.setViewportSize({ width, height: 900 });
        await judge(`500-${width}`);
      }
      for (const planted of ["never-kept-cookie", "never-kept-realm", "never-kept-token", secret]) {
        expect(await page.content()).not.toContain(planted);
        expect(tablesWith(database, planted)).toEqual(planted === secret ? ["monitors"] : []);
      }
      const incident = `${service.url}/incidents/1`;
      await expect.poll(async () => (await fetch(incident)).status).toBe(200);
      await page.goto(incident);
      const bad = await page.locator("#bad-check .answered").innerText();
      expect(bad).toContain("<b>db-7</b>");
      expect(bad).toContain("<b>the disk is full</b>");
      expect([...faults, ...seen]).toEqual([]);
    },
  );

  test.skipIf(!browser.isThere)(
    "too late is there with the beginning of its body as text, whose long lines are broken, and without what the monitor sent",
    async () => {
      const secret = "s3cret-of-the-shop/1";
      const at = await target(({ headers, url }, response) => {
        const echo = `you sent ${String(headers["x-api-key"])} to ${String(url)}`;
        response.writeHead(200, { "content-type": "text/html", "x-echo": echo });
        const page = `<script>document.title="ran"</script>\u0000\n${echo}\n${"wide ".repeat(300)}\n`;
        setTimeout(() => response.end(page + "x".repeat(14 * 1_024 - page.length)), 40);
      });
      const { service, database, id } = await checked({
        url: `http://${at}/?key=query-of-the-shop`,
        headers: [{ key: "X-Api-Key", value: secret }],
        degradedAt: 1,
        bodyAssertions: [{ target: "you sent", comparator: "contains" }],
        headerAssertions: [{ key: "x-echo", target: "you sent", comparator: "contains" }],
      });
      await using context = await browser.newContext();
      context.setDefaultTimeout(20_000);
      const { page, judge, faults, seen } = await judgedPages(context, service.url, "answer");
      await page.goto(`${service.url}/monitors/${id}`);
      await page.getByRole("button", { name: "Check now" }).click();
      await answered(page, "passed").waitFor();
      const words = await answered(page, "passed").innerText();
      expect(await page.locator("#passed").innerText()).toMatch(/^Last slow check:/);
      expect(words).toContain("200 OK");
      expect(words).toContain("you sent [removed] to /?[removed]");
      expect(words).toContain("Body, the first 2\u00a0KiB of 14\u00a0KiB");
      expect(words).toContain('<script>document.title="ran"</script>\ufffd');
      expect(await page.title()).not.toContain("ran");
      // One line of JSON is read without scrolling sideways.
      const body = page.locator(".answer-body");
      for (const width of [390, 1_280]) {
        await judge(`degraded-${width}`);
        await page.setViewportSize({ width, height: 900 });
        expect(await body.evaluate((pre) => pre.scrollWidth - pre.clientWidth)).toBe(0);
        const wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        expect(await page.evaluate(wide)).toBe(0);
      }
      const shown = await page.content();
      for (const one of [secret, "query-of-the-shop"]) {
        expect(shown).not.toContain(one);
        expect(tablesWith(database, one).filter((name) => name !== "monitors")).toEqual(
          // The request of the check, whose address only keys that may write see.
          one === secret ? [] : ["result_details"],
        );
      }
      const all = [`/monitors/${id}.json`, "/overview.json", `/monitors/${id}/chart.json`];
      for (const to of all)
        expect(await (await fetch(`${service.url}${to}`)).text()).not.toContain("you sent");
      expect([...faults, ...seen]).toEqual([]);
    },
  );
});
