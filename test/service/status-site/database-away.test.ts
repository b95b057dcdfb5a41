import path from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as limits from "#limits/status-limits";
import { parseBlock } from "#network/address-block";
import { pageTexts } from "#service/status-page/texts/page-texts";
import {
  isPostgresInstalled,
  type PostgresServer,
  startPostgres,
} from "../../support/postgres-server.ts";
import { quickFolder } from "../../support/running-service.ts";
import { getAs, statusScene, type StatusScene } from "./status-scene.ts";

let server: PostgresServer;

const late = pageTexts.en.late;
const proxies = [parseBlock("127.0.0.0/8") ?? []].flat();

async function scene(): Promise<StatusScene> {
  const secretFile = path.join(quickFolder(), "key");
  return statusScene(proxies, null, { database: server.fresh(), secretFile });
}

/** What a reader gets: the status, and when to come again. */
async function gets(
  here: StatusScene,
  at: string,
  headers: Record<string, string> = {},
): Promise<[number, string | null]> {
  const answer = await here.get(at, headers);
  await answer.body?.cancel();
  return [answer.status, answer.headers.get("retry-after")];
}

const from = (address: string) => ({ "x-forwarded-for": address });
const again = [503, "5"];
const documents = ["/summary.json", "/incidents.json", "/feed/atom", "/feed/rss", "/feed/json"];

describe.skipIf(!isPostgresInstalled())("while PostgreSQL is away", () => {
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("readers get the page as it was with its time, or are asked to come again, and never a 404", async () => {
    await using here = await scene();
    await here.call("CreateStatusPage", {
      title: "Acme",
      slug: "acme",
      customDomain: "s.acme.test",
    });
    await here.call("AddMonitorComponent", { pageId: "1", monitorId: "1" });
    await here.call("CreateStatusPage", { title: "Unseen", slug: "unseen" });
    await here.call("CreateStatusPage", { title: "Draft", slug: "draft", published: false });
    const before = await (await here.get("/status/acme")).text();
    expect(before).not.toContain(late);

    await server.stop();
    here.clock.suspend(61_000);
    // As soon as its connections have ended.
    await expect.poll(() => gets(here, "/status/missing")).toEqual(again);
    const shown = await here.get("/status/acme");
    const body = await shown.text();
    expect([shown.status, body.includes(late)]).toEqual([200, true]);
    expect(body).toMatch(
      /class="late" role="status">\s*[^<]+As of\s+<time datetime="2026-11-22T12:00:00.000Z">/,
    );
    expect(shown.headers.get("cache-control")).toBe("public, max-age=10");
    for (const document of documents)
      expect(await gets(here, `/status/acme${document}`), document).toEqual([200, null]);
    for (const state of ["/badge", "/badge.json", "/badge/1", "/embed", "/picture.png"])
      expect(await gets(here, `/status/acme${state}`), state).toEqual(again);
    const own = await getAs(`${here.service.url}/`, "s.acme.test");
    expect([own.status, own.body.includes(late)]).toEqual([200, true]);
    // No reader has seen it, or it may be new, or it may be published by now.
    for (const unknown of ["unseen", "missing", "draft"])
      expect(await gets(here, `/status/${unknown}`), unknown).toEqual(again);
    expect(await gets(here, "/v1/domains/ask?domain=s.acme.test")).toEqual([200, null]);
    expect(await gets(here, "/v1/domains/ask?domain=new.test")).toEqual(again);
    expect(await gets(here, "/livez")).toEqual([200, null]);

    await server.start();
    await expect.poll(() => gets(here, "/status/unseen")).toEqual([200, null]);
    await expect
      .poll(async () => (await (await here.get("/status/acme")).text()).includes(late))
      .toBe(false);
    expect(await gets(here, "/status/draft")).toEqual([404, null]);
    expect(await gets(here, "/status/missing")).toEqual([404, null]);
  });

  test("a slow one gives readers the page as it was, and badges and pictures wait for it", async () => {
    const database = server.fresh();
    const secretFile = path.join(quickFolder(), "key");
    await using here = await statusScene(proxies, null, { database, secretFile });
    await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
    await here.call("AddMonitorComponent", { pageId: "1", monitorId: "1" });
    expect(await gets(here, "/status/acme")).toEqual([200, null]);

    const other = new Client(database);
    await other.connect();
    await other.query("BEGIN; LOCK TABLE pages IN ACCESS EXCLUSIVE MODE");
    here.clock.suspend(limits.statusPageStaleFor + 1_000);
    const states = ["/badge", "/badge.json", "/badge/1", "/embed", "/picture.png"];
    const early = states.map((state) => gets(here, `/status/acme${state}`));
    const shown: string[] = [];
    const reader = here.get("/status/acme").then(async (page) => shown.push(await page.text()));
    await expect
      .poll(async () => {
        await here.clock.advance(limits.statusPagePatience);
        return shown.length;
      })
      .toBe(1);
    await reader;
    expect(shown[0]).toContain(late);
    const later = states.map((state) => gets(here, `/status/acme${state}`));
    await other.query("ROLLBACK");
    await other.end();
    expect(await Promise.all([...early, ...later])).toEqual(
      Array.from({ length: 2 * states.length }, () => [200, null]),
    );
  });

  test("a restricted page is shown to those whom it let in, and to no one else", async () => {
    await using here = await scene();
    const password = "open sesame";
    const pages = [
      { slug: "locked", accessType: "PAGE_ACCESS_TYPE_PASSWORD_PROTECTED", password },
      {
        slug: "office",
        accessType: "PAGE_ACCESS_TYPE_IP_RESTRICTED",
        allowedIpRanges: "10.0.0.0/8",
      },
      { slug: "mail", accessType: "PAGE_ACCESS_TYPE_AUTHENTICATED", authEmailDomains: ["a.test"] },
      { slug: "narrowed" },
    ];
    for (const page of pages)
      await here.call("CreateStatusPage", { title: `Secret ${page.slug}`, ...page });
    const entered = await here.post("/status/locked/sign-in", { password });
    const cookie = { cookie: (entered.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
    const open = pages.slice(0, 3);
    expect(await gets(here, "/status/narrowed")).toEqual([200, null]);
    await here.call("UpdateStatusPage", { id: "4", ...pages[0], slug: "narrowed" });
    for (const { slug } of open) await gets(here, `/status/${slug}`, from("10.1.1.1"));

    await server.stop();
    here.clock.suspend(61_000);
    await expect.poll(() => gets(here, "/status/missing")).toEqual(again);
    // It is for fewer people now, whom the database knows.
    for (const path of ["", "/feed/atom", "/summary.json"])
      expect(await gets(here, `/status/narrowed${path}`), path).toEqual(again);
    for (const { slug } of open)
      for (const path of ["", "/events", ...documents, "/badge"]) {
        const [status] = await gets(here, `/status/${slug}${path}`, from("203.0.113.1"));
        expect(status, `${slug}${path}`).toBe(path === "/badge" ? 503 : 403);
      }
    for (const [slug, headers] of [
      ["locked", cookie],
      ["office", from("10.1.1.1")],
    ] as const) {
      const shown = await here.get(`/status/${slug}`, headers);
      expect([shown.status, shown.headers.get("cache-control")], slug).toEqual([200, "no-store"]);
      expect(await shown.text(), slug).toContain(late);
    }
    expect((await here.post("/status/locked/sign-in", { password: "no" })).status).toBe(403);
    expect((await here.post("/status/locked/sign-in", { password })).status).toBe(303);
  });
});
