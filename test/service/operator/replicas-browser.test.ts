import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { follow } from "../../support/browser.ts";
import { fileBrowser } from "../../support/file-browser.ts";
import {
  isPostgresInstalled,
  type PostgresServer,
  startPostgres,
} from "../../support/postgres-server.ts";
import { twoReplicas } from "../../support/two-replicas.ts";

const browser = fileBrowser();

describe.skipIf(!browser.isThere || !isPostgresInstalled())(
  "two replicas on one PostgreSQL, in a browser",
  () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server[Symbol.asyncDispose]());

    test("are as one: a session, a monitor, a conflict and an undo of one are those of the other", async () => {
      const [one, other] = await twoReplicas(server);
      const { key } = await one.admin.createApiKey({ name: "ops", scope: "write" });
      // Cookies do not look at the port, so one browser is signed in at both.
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${one.url}/sign-in`);
      await page.locator("[name=secret]").fill(key);
      await follow(
        page.locator("form", { has: page.locator("[name=secret]") }).getByRole("button"),
      );
      await page.goto(`${other.url}/monitors/new?kind=tcp`);
      await page.getByLabel("Host and port").fill("db.example:5432");
      await follow(page.locator("form.form button.main"));
      await page.goto(`${one.url}/monitors/1/edit`);
      expect(await page.getByLabel("Host and port").inputValue()).toBe("db.example:5432");
      const late = await context.newPage();
      await late.goto(`${other.url}/monitors/1/edit`);
      await page.getByLabel("Host and port").fill("db.example:5433");
      await follow(page.locator("form.form button.main"));
      await late.getByLabel("Host and port").fill("db.example:5434");
      await follow(late.locator("form.form button.main"));
      expect(await late.locator("h1").innerText()).toBe("This monitor was changed meanwhile");
      expect(await late.locator("main").innerText()).toContain("db.example:5433");
      await page.goto(`${one.url}/monitors/1/delete`);
      await follow(page.getByRole("button", { name: "Delete monitor" }));
      expect((await late.goto(`${other.url}/monitors/1`))?.status()).toBe(404);
      await late.goto(`${other.url}/?deleted=monitor.1`);
      await follow(late.getByRole("button", { name: "Undo" }));
      expect((await page.goto(`${one.url}/monitors/1`))?.status()).toBe(200);
    });
  },
);
