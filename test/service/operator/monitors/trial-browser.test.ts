import path from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "#base/clock";
import { httpDefaults } from "#check/definition";
import { type Service, startService } from "#service/server";
import { dnsServer, zone } from "../../../servers/dns-server.ts";
import { answers, tcpPeer } from "../../../servers/scripted.ts";
import { applyFile } from "../../../support/applied-file.ts";
import { connected, type Told } from "../../../support/agent-channel.ts";
import { follow } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { pageFaults } from "../../../support/page-faults.ts";
import { startPicket } from "../../../support/running-picket.ts";
import { quickFolder, temporaryFolder } from "../../../support/running-service.ts";
import { silentLogger } from "#base/log";

const browser = fileBrowser();
const { isThere } = browser;

/** A service whose pages are open on this machine, and a location of it. */
async function scene(): Promise<{ readonly service: Service; readonly token: string }> {
  const service = await startService({
    database: path.join(quickFolder(), "service.sqlite"),
    host: "127.0.0.1",
    port: 0,
    clock: systemClock,
    log: silentLogger,
    pages: "local",
    opensStore: openStoreHere,
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const office = { name: "office", monitorIds: [], metadata: {} };
  const { token } = await service.admin.createPrivateLocation(office);
  return { service, token };
}

/** A real agent, once it holds its push channel. */
async function agentOf(url: string, token: string, rules: Record<string, string> = {}) {
  const agent = startPicket(["agent"], {
    SERVICE_API_URL: url,
    PICKET_TOKEN: token,
    PICKET_STATE_DIR: temporaryFolder(),
    PICKET_ALLOW_HTTP: "true",
    PICKET_LOG_LEVEL: "debug",
    PICKET_LISTEN: "127.0.0.1:0",
    ...rules,
  });
  await agent.said(/the push channel is open/);
}

const tried = (page: Page) => page.locator("#tried");

describe("a monitor that is not saved", () => {
  test.skipIf(!isThere)(
    "is checked by an agent from its form, without scripts and with them, and shows its rules and where the time went",
    async () => {
      await using target = await tcpPeer(
        answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Team: shop\r\n\r\nok"),
      );
      const { service, token } = await scene();
      await agentOf(service.url, token);
      for (const javaScriptEnabled of [false, true]) {
        await using context = await browser.newContext({ javaScriptEnabled });
        const page = await context.newPage();
        await page.goto(`${service.url}/monitors/new`);
        await page
          .getByLabel("URL", { exact: true })
          .fill(`http://127.0.0.1:${target.port}/health`);
        await page.locator("summary", { hasText: "Assertions" }).click();
        await page.getByRole("button", { name: "Add status rule" }).click();
        await page.getByLabel("Code").fill("204");
        await page.getByRole("checkbox", { name: "office" }).uncheck();
        await page.locator("#trial").getByRole("button", { name: "Try now" }).click();
        await tried(page).getByText("Failing").waitFor();
        expect(await tried(page).locator(".verdicts tbody tr").allInnerTexts()).toEqual([
          "Failed\tStatus code is 204\t200",
        ]);
        expect((await tried(page).innerText()).match(/204/g)).toHaveLength(1);
        expect(await page.getByRole("checkbox", { name: "office" }).isChecked()).toBe(true);
        await page.getByLabel("Code").fill("200");
        await page.locator("#trial").getByRole("button", { name: "Try now" }).click();
        await tried(page).getByText("Passing").waitFor();
        const figure = await tried(page).locator(".lede .figure").innerText();
        expect(figure).toMatch(/^Latency [\d.]+\sms$/);
        const seen = await tried(page).innerText();
        for (const words of ["Where the time went", "connect", "office"])
          expect(seen).toContain(words);
        await page.getByRole("button", { name: "Create monitor" }).click();
        await page.locator("h1", { hasText: `127.0.0.1:${target.port}/health` }).waitFor();
      }
    },
  );

  test.skipIf(!isThere)(
    "is tried, and what the server answered is shown: status, headers, body, and what each assertion received, without what was sent",
    async () => {
      const body = JSON.stringify({
        status: "down",
        sent: "k3y-of-the-shop",
        api: { token: "t0ken-of-the-shop" },
      });
      const head = `Content-Type: application/json\r\nX-Team: shop\r\nContent-Length: ${body.length}`;
      await using target = await tcpPeer(answers(`HTTP/1.1 503 Away\r\n${head}\r\n\r\n${body}`));
      const { service, token } = await scene();
      await agentOf(service.url, token);
      const { id } = await service.admin.createMonitor(
        {
          ...httpDefaults,
          name: "shop",
          periodicity: "1h",
          active: true,
          url: `http://127.0.0.1:${target.port}/health`,
          headers: [{ key: "X-Api-Key", value: "k3y-of-the-shop" }],
          headerAssertions: [{ key: "X-Team", comparator: "eq", target: "bakery" }],
          bodyAssertions: [{ comparator: "contains", target: '"up"' }],
          jsonAssertions: [
            { path: "$.status", comparator: "eq", target: '"up"' },
            { path: "$.api.token", comparator: "not_exists", target: "" },
          ],
        },
        "management",
      );
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${service.url}/monitors/${id}/edit`);
      await follow(page.locator("#trial").getByRole("button", { name: "Try now" }));
      const rows = await tried(page).locator(".verdicts tbody tr").allInnerTexts();
      const open = body
        .replace("k3y-of-the-shop", "[removed]")
        .replace("t0ken-of-the-shop", "[removed]");
      expect(rows).toEqual([
        `Failed\tBody contains "\\"up\\""\t${open}`,
        "Failed\tResponse header X-Team is the hidden value\tshop",
        'Failed\tJSON value $.status is "up"\t"down"',
        "Failed\tJSON value $.api.token does not exist\tnot shown: it may be a credential",
      ]);
      const answered = await tried(page).locator(".answered").innerText();
      expect(answered).toContain("503 Service Unavailable");
      const whole = await tried(page).innerText();
      expect(whole.indexOf("503 Service")).toBeLessThan(whole.indexOf("Where the time went"));
      expect(answered).toMatch(/X-Team\s+shop/);
      expect(answered).toContain(open);
      expect(await page.content()).not.toMatch(/(?:k3y|t0ken)-of-the-shop/);
    },
  );

  test.skipIf(!isThere)(
    "is tried, and of a check that passed what the server answered is folded, without what was sent",
    async () => {
      const body = JSON.stringify({ status: "up", sent: "k3y-of-the-shop" });
      const head = `X-Team: shop\r\nSet-Cookie: id=c00kie\r\nContent-Length: ${body.length}`;
      await using target = await tcpPeer(answers(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${body}`));
      const { service, token } = await scene();
      await agentOf(service.url, token);
      const shop = {
        ...httpDefaults,
        name: "shop",
        periodicity: "1h",
        active: true,
        url: `http://127.0.0.1:${target.port}/health`,
        headers: [{ key: "X-Api-Key", value: "k3y-of-the-shop" }],
        headerAssertions: [{ key: "X-Team", comparator: "eq", target: "shop" }],
      } as const;
      const { id } = await service.admin.createMonitor(shop, "management");
      for (const javaScriptEnabled of [false, true]) {
        await using context = await browser.newContext({ javaScriptEnabled });
        const page = await context.newPage();
        await page.goto(`${service.url}/monitors/${id}/edit`);
        await page.locator("#trial").getByRole("button", { name: "Try now" }).click();
        await tried(page).getByText("Passing").waitFor();
        const answered = tried(page).locator("details.answered");
        expect(await answered.locator(".answer-body").isVisible()).toBe(false);
        await answered.locator("summary").click();
        const seen = await answered.innerText();
        expect(seen).toContain("200 OK");
        expect(seen).toMatch(/X-Team\s+shop/);
        expect(seen).toContain('{"status":"up","sent":"[removed]"}');
        expect(await page.content()).not.toMatch(/k3y-of-the-shop|c00kie/);
        const rule = tried(page).locator(".verdicts tbody tr");
        expect(await rule.innerText()).toContain("Response header X-Team is the hidden value");
        const target = page.locator('[name="header_assertions[0].target"]');
        if (!(await target.isVisible()))
          await page.locator("summary", { hasText: "Assertions" }).click();
        await target.fill("shop");
        await page.locator("#trial").getByRole("button", { name: "Try now" }).click();
        await rule.getByText('Response header X-Team is "shop"').waitFor();
      }
    },
  );

  test.skipIf(!isThere)(
    "has the latency that would be judged as its headline, without the agent's own work, which is in the total below",
    async () => {
      const { service, token } = await scene();
      const { socket } = await connected(service, token);
      const at = String(systemClock.wall());
      const times = { monitorId: "0", latency: "31", timestamp: at, cronTimestamp: at };
      const http = { id: "a", ...times, requestStatus: "success", statusCode: "200" };
      const phases = { connectNs: "11400000", waitNs: "20000000" };
      const detail = { phases, totalNs: "56400000", ownNs: "25000000" };
      socket.on("message", (data: Buffer) => {
        const { checkNow }: Told = JSON.parse(data.toString());
        if (checkNow === undefined) return;
        const answer = {
          requestId: checkNow.requestId,
          instanceId: "new",
          trial: true,
          result: { http, detail },
        };
        socket.send(JSON.stringify({ checkNowAnswer: answer }));
      });
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${service.url}/monitors/new`);
      await page.getByLabel("URL", { exact: true }).fill("http://127.0.0.1:1/");
      await follow(page.locator("#trial").getByRole("button", { name: "Try now" }));
      expect(await tried(page).locator(".lede .figure").innerText()).toBe("Latency 31\u00a0ms");
      expect(await tried(page).locator(".phases tfoot").innerText()).toContain("56.40");
    },
  );

  test.skipIf(!isThere)(
    "shows which records a name server answered with, and each verdict on one line next to long ones",
    async () => {
      const txt =
        "v=spf1 include:mail.shop.test include:news.shop.test include:help.shop.test ~all";
      await using names = await dnsServer(
        zone([
          { type: "A", name: "shop.test", data: "192.0.2.7" },
          { type: "TXT", name: "shop.test", data: txt },
        ]),
      );
      const { service, token } = await scene();
      await agentOf(service.url, token);
      await using context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      const page = await context.newPage();
      await page.goto(`${service.url}/monitors/new?kind=dns`);
      await page.locator('[name="uri"]').fill(`dns:shop.test?server=127.0.0.1:${names.port}`);
      const attempt = page.locator("#trial").getByRole("button", { name: "Try now" });
      await attempt.click();
      await tried(page).getByText("Passing").waitFor();
      expect(await tried(page).locator(".facts").innerText()).toMatch(/Record\s+A 192\.0\.2\.7/);
      await page.locator("summary", { hasText: "Assertions" }).click();
      await page.getByRole("button", { name: "Add record rule" }).click();
      await page.locator('[name="record_assertions[0].record"]').selectOption("TXT");
      await page.locator('[name="record_assertions[0].target"]').fill(txt.replaceAll(" ", "+"));
      await attempt.click();
      await tried(page).getByText("Failing").waitFor();
      const mark = tried(page).locator(".verdicts .mark");
      const { height } = (await mark.boundingBox()) ?? { height: Number.NaN };
      expect(await mark.innerText()).toBe("Failed");
      // Two lines are 35 px high.
      expect(height).toBeLessThan(26);
    },
  );

  test.skipIf(!isThere)(
    "asks a pasted question before its rule has a value, and offers each answer as that, without scripts and with them",
    async () => {
      const txt = "v=spf1 include:mail.shop.test ~all";
      await using names = await dnsServer(zone([{ type: "TXT", name: "shop.test", data: txt }]));
      const { service, token } = await scene();
      await agentOf(service.url, token);
      for (const javaScriptEnabled of [false, true]) {
        await using context = await browser.newContext({ javaScriptEnabled });
        const page = await context.newPage();
        await page.goto(`${service.url}/monitors/new?kind=dns`);
        const question = `dig @127.0.0.1 -p ${names.port} shop.test TXT`;
        await page.locator('[name="uri"]').fill(question);
        const attempt = page.locator("#trial").getByRole("button", { name: "Try now" });
        await attempt.click();
        await tried(page).getByText("Passing").waitFor();
        expect(await tried(page).innerText()).toContain(`TXT ${txt}`);
        await tried(page).getByRole("button", { name: "Expect this answer" }).click();
        const value = page.locator('[name="record_assertions[0].target"]');
        await expect.poll(() => value.inputValue()).toBe(txt);
        await attempt.click();
        await tried(page).locator(".verdicts").getByText("Passed").waitFor();
        expect(await page.getByRole("button", { name: "Expect this answer" }).count()).toBe(0);
      }
    },
  );

  test.skipIf(!isThere)(
    "offers each record that no rule expects as a rule, one after the other, also of a question for addresses",
    async () => {
      const zoned = ["192.0.2.7", "192.0.2.8"].map((data) => ({
        type: "A" as const,
        name: "shop.test",
        data,
      }));
      await using names = await dnsServer(zone(zoned));
      const { service, token } = await scene();
      await agentOf(service.url, token);
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${service.url}/monitors/new?kind=dns`);
      await page.locator('[name="uri"]').fill(`dig @127.0.0.1 -p ${names.port} shop.test A`);
      const attempt = page.locator("#trial").getByRole("button", { name: "Try now" });
      const expects = tried(page).getByRole("button", { name: "Expect this answer" });
      await attempt.click();
      await tried(page).getByText("No rule expects these records").waitFor();
      expect(await expects.count()).toBe(2);
      await expects.first().click();
      const value = (index: number) =>
        page.locator(`[name="record_assertions[${index}].target"]`).inputValue();
      await expect.poll(() => value(0)).toBe("192.0.2.7");
      expect(await page.locator('[name="record_assertions[0].record"]').inputValue()).toBe("A");
      await attempt.click();
      await tried(page).locator(".verdicts").getByText("Passed").waitFor();
      expect(await expects.count()).toBe(1);
      await expects.click();
      await expect.poll(() => value(1)).toBe("192.0.2.8");
      await attempt.click();
      await expect.poll(() => tried(page).locator(".verdicts tbody tr").count()).toBe(2);
      expect(await expects.count()).toBe(0);
    },
  );

  test.skipIf(!isThere)(
    "offers the first values of a JSON answer as rules, without what may be a credential, with scripts and without",
    async () => {
      const body = JSON.stringify({
        db: { up: true, "last run": 3 },
        status: "ok",
        api: { token: "t0ken-of-the-shop" },
        since: null,
      });
      const head = `Content-Type: application/json\r\nContent-Length: ${body.length}`;
      await using target = await tcpPeer(answers(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${body}`));
      const { service, token } = await scene();
      await agentOf(service.url, token);
      for (const javaScriptEnabled of [false, true]) {
        await using context = await browser.newContext({ javaScriptEnabled });
        const page = await context.newPage();
        await page.goto(`${service.url}/monitors/new`);
        await page.getByLabel("URL", { exact: true }).fill(`http://127.0.0.1:${target.port}/`);
        const attempt = page.locator("#trial").getByRole("button", { name: "Try now" });
        await attempt.click();
        await tried(page).getByText("The answer is JSON.").waitFor();
        const offered = tried(page).locator(".expected-answers code");
        expect(await offered.allInnerTexts()).toEqual([
          '$.status = "ok"',
          "$.db.up = true",
          '$.db["last run"] = 3',
        ]);
        await tried(page).getByRole("button", { name: "Expect this" }).nth(1).click();
        const row = (column: string) => page.locator(`[name="json_assertions[0].${column}"]`);
        await expect.poll(() => row("path").inputValue()).toBe("$.db.up");
        expect(await row("target").inputValue()).toBe("true");
        await attempt.click();
        await tried(page).locator(".verdicts").getByText("Passed").waitFor();
        expect(await offered.count()).toBe(2);
      }
    },
  );

  test.skipIf(!isThere)(
    "is typed on while it is tried: the answer takes nothing of that away, nor the cursor",
    async () => {
      const { service, token } = await scene();
      const { socket } = await connected(service, token);
      const asked = Promise.withResolvers<string>();
      socket.on("message", (data: Buffer) => {
        const { checkNow }: Told = JSON.parse(data.toString());
        if (checkNow !== undefined) asked.resolve(checkNow.requestId);
      });
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${service.url}/monitors/new`);
      await page.getByLabel("URL", { exact: true }).fill("http://127.0.0.1:1/");
      const office = page.getByRole("checkbox", { name: "office" });
      await office.uncheck();
      await page.locator("#trial").getByRole("button", { name: "Try now" }).click();
      const requestId = await asked.promise;
      const name = page.getByLabel("Name", { exact: true });
      await name.pressSequentially("Typed mean");
      expect(await office.isChecked()).toBe(true);
      const answer = {
        requestId,
        instanceId: "old",
        error: "this agent does not run the monitor ",
      };
      socket.send(JSON.stringify({ checkNowAnswer: answer }));
      await tried(page).getByText("It was not tried").waitFor();
      await page.keyboard.type("while");
      expect(await name.inputValue()).toBe("Typed meanwhile");
      expect(await office.isChecked()).toBe(false);
    },
  );

  test.skipIf(!isThere)(
    "is refused while a person types elsewhere: its fields are marked, and the marks go with the next trial",
    async () => {
      const { service } = await scene();
      await using context = await browser.newContext();
      const page = await context.newPage();
      const arrived = Promise.withResolvers<undefined>();
      const typed = Promise.withResolvers<undefined>();
      await page.route("**/monitors/new", async (route) => {
        if (route.request().method() !== "POST") return route.continue();
        const response = await route.fetch();
        arrived.resolve(undefined);
        await typed.promise;
        return route.fulfill({ response });
      });
      await page.goto(`${service.url}/monitors/new`);
      const url = page.getByLabel("URL", { exact: true });
      const timeout = page.locator('[name="timeout"]');
      await url.fill("http://127.0.0.1:1/");
      await page.locator("details", { has: timeout }).locator("summary").click();
      await timeout.fill("soon");
      await page.locator("details", { has: timeout }).locator("summary").click();
      const attempt = page.locator("#trial").getByRole("button", { name: "Try now" });
      await attempt.click();
      await arrived.promise;
      await page.getByLabel("Name", { exact: true }).pressSequentially("Typed");
      typed.resolve(undefined);
      await tried(page).getByText("a field needs another look").waitFor();
      expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Typed");
      expect(await page.locator(".mistakes li").count()).toBe(1);
      expect(await timeout.getAttribute("aria-invalid")).toBe("true");
      const marks = (await timeout.getAttribute("aria-describedby")) ?? "";
      const [mark = ""] = marks.split(" ");
      expect(await page.locator(`#${mark}`).isVisible()).toBe(true);
      await timeout.fill("5 s");
      await attempt.click();
      await tried(page).getByText("no agent of this location").waitFor();
      expect(await page.locator(".mistakes, .wrong-line, [aria-invalid]").count()).toBe(0);
    },
  );

  test.skipIf(!isThere)(
    "is tried from a location of files, which does not have it ticked",
    async () => {
      await using target = await tcpPeer(answers("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
      const { service, token } = await scene();
      await applyFile(service, { owner: "team-shop", locations: [{ name: "office" }] });
      await agentOf(service.url, token);
      for (const javaScriptEnabled of [false, true]) {
        await using context = await browser.newContext({ javaScriptEnabled });
        const page = await context.newPage();
        await page.goto(`${service.url}/monitors/new`);
        await page.getByLabel("URL", { exact: true }).fill(`http://127.0.0.1:${target.port}/`);
        await page.locator("#trial").getByRole("button", { name: "Try now" }).click();
        await tried(page).getByText("Passing").waitFor();
        const office = page.getByRole("checkbox", { name: "office" });
        expect([await office.isDisabled(), await office.isChecked()]).toEqual([true, false]);
        if (javaScriptEnabled) expect(await pageFaults(page, "trial-of-files")).toEqual([]);
      }
    },
  );

  test.skipIf(!isThere)(
    "is tried as the files say it if they own it, and its form changes nothing",
    async () => {
      await using target = await tcpPeer(answers("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
      const { service, token } = await scene();
      const url = `http://127.0.0.1:${target.port}/health`;
      const http = { name: "shop", url, periodicity: "PERIODICITY_1H" };
      await applyFile(service, { owner: "team-shop", monitors: [{ config: { http } }] });
      await agentOf(service.url, token);
      for (const javaScriptEnabled of [false, true]) {
        await using context = await browser.newContext({ javaScriptEnabled });
        const page = await context.newPage();
        await page.goto(`${service.url}/monitors/1/edit`);
        await page.locator("#trial").getByRole("button", { name: "Try now" }).click();
        await tried(page).getByText("Passing").waitFor();
        const office = page.getByRole("checkbox", { name: "office" });
        expect([await office.isDisabled(), await office.isChecked()]).toEqual([true, false]);
        expect(await page.getByLabel("URL", { exact: true }).inputValue()).toBe(url);
        expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
        if (javaScriptEnabled) expect(await pageFaults(page, "trial-as-saved")).toEqual([]);
      }
    },
  );

  test.skipIf(!isThere)(
    "is not said to run while the service is away, and waits under another name than its button",
    async () => {
      const { service } = await scene();
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${service.url}/monitors/new`);
      await page.getByLabel("URL", { exact: true }).fill("https://shop.example/");
      const before = await tried(page).innerText();
      for (const path of ["**/monitors/new", "**/icon.svg"])
        await page.route(path, (route) => route.abort());
      await page.locator("#trial").getByRole("button", { name: "Try now" }).click();
      const alert = page.getByRole("alert").filter({ hasText: "The service does not answer." });
      expect(await alert.getByRole("button").allInnerTexts()).toEqual(["Ask again", "Cancel"]);
      expect(await tried(page).innerText()).toBe(before);
    },
  );

  test.skipIf(!isThere)(
    "is not checked where the agent's rules of targets forbid it, and the form says so",
    async () => {
      await using target = await tcpPeer(answers("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
      const { service, token } = await scene();
      await agentOf(service.url, token, { PICKET_TARGET_DENY: "127.0.0.0/8" });
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${service.url}/monitors/new`);
      await page.getByLabel("URL", { exact: true }).fill(`http://127.0.0.1:${target.port}/`);
      await follow(page.locator("#trial").getByRole("button", { name: "Try now" }));
      expect(await tried(page).innerText()).toContain("target_denied");
    },
  );

  test.skipIf(!isThere)(
    "is not checked without an agent, nor by an old one, and the form says why and keeps what was typed",
    async () => {
      const { service, token } = await scene();
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${service.url}/monitors/new?kind=tcp`);
      await page.getByLabel("Host and port").fill("127.0.0.1:1");
      await page.getByRole("checkbox", { name: "office" }).uncheck();
      await follow(page.locator("#trial").getByRole("button", { name: "Try now" }));
      expect(await tried(page).innerText()).toMatch(/^It was not tried: no agent of this location/);
      expect(await page.getByRole("checkbox", { name: "office" }).isChecked()).toBe(false);
      const { socket } = await connected(service, token);
      socket.on("message", (data: Buffer) => {
        const { checkNow }: Told = JSON.parse(data.toString());
        if (checkNow === undefined) return;
        const error = "this agent does not run the monitor ";
        const answer = { requestId: checkNow.requestId, instanceId: "old", error };
        socket.send(JSON.stringify({ checkNowAnswer: answer }));
      });
      await follow(page.locator("#trial").getByRole("button", { name: "Try now" }));
      expect(await tried(page).innerText()).toBe(
        "It was not tried: the agent there is too old to try a monitor before it is saved: upgrade it.",
      );
      expect(await page.getByLabel("Host and port").inputValue()).toBe("127.0.0.1:1");
    },
  );
});
