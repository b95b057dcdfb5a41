import { type Document, DOMParser } from "@xmldom/xmldom";
import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import { parseBlock } from "#network/address-block";
import { locales } from "#service/status-page/page-definition";
import { pageTexts } from "#service/status-page/texts/page-texts";
import { memoryLog } from "../../support/twins.ts";
import { runningService } from "../../support/running-service.ts";
import { getAs, requestAs, statusScene, type StatusScene } from "./status-scene.ts";

const hostile = `<script>alert(1)</script>"'&]]>\u202E`;

/** As it is shown: what turns the direction of text is made visible. */
const shown = hostile.replace("\u202E", "\uFFFD");

/** Anything that is not well-formed ends the test. */
const strictly = new DOMParser({
  onError: (level, message) => {
    // Its one warning is about our sign for a character that is not shown.
    if (level !== "warning") throw new Error(`${level}: ${message}`);
  },
});

/** A page with a group, a monitor, a static component with a hostile name, a report and maintenance. */
async function acme(here: StatusScene, changes: object = {}): Promise<void> {
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme", ...changes });
  await here.call("CreateComponentGroup", { pageId: "1", name: `Web ${hostile}` });
  await here.call("AddMonitorComponent", { pageId: "1", monitorId: "1", groupId: "1" });
  await here.call("AddStaticComponent", { pageId: "1", name: hostile, description: hostile });
  await here.call("CreateStatusReport", {
    title: `Cards ${hostile}`,
    status: "STATUS_REPORT_STATUS_INVESTIGATING",
    message: `**Look** <img src=x onerror=alert(1)> [good](https://a.test/) [bad](javascript:alert(1)) ![i](https://b.test/i.png)`,
    date: "2026-11-22T11:30:00Z",
    pageId: "1",
    componentImpacts: [{ pageComponentId: "2", impact: "PAGE_COMPONENT_IMPACT_PARTIAL_OUTAGE" }],
  });
  await here.call("CreateMaintenance", {
    title: "Upgrade; first, part",
    message: `Two\nlines ${"long ".repeat(30)}${hostile}`,
    from: "2026-11-23T22:00:00Z",
    to: "2026-11-23T23:30:00Z",
    pageId: "1",
    pageComponentIds: ["1"],
  });
}

const routes = ["", "/events", "/events/report/1", "/events/maintenance/1"].concat(
  ["/summary.json", "/current.json"],
  ["/incidents.json", "/feed/atom", "/feed/rss", "/feed/json", "/calendar.ics"],
  [
    "/badge",
    "/badge.json",
    "/badge/1",
    "/badge/2.json",
    "/robots.txt",
    "/picture.png",
    "/times.js",
    "/days.js",
    "/reader-zone.js",
    "/renewal.js",
    "/idiomorph.js",
  ],
  ["/monitors/1", "/monitors/1.json"],
);

describe("a status page", () => {
  test("is there as soon as it is made, safe against what is written on it, and with no scripts but its own", async () => {
    await using here = await statusScene();
    await acme(here);
    for (const path of ["", "/events", "/events/report/1", "/events/maintenance/1"]) {
      const answer = await here.get(`/status/acme${path}`);
      const body = await answer.text();
      expect(answer.status, path).toBe(200);
      expect(answer.headers.get("content-security-policy")).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; script-src 'self'; connect-src 'self'",
      );
      const own = ["times", "days", "renewal"].map(
        (name) => `<script type="module" src="/status/acme/${name}.js"></script>`,
      );
      expect(own.map((one) => body.split(one).length)).toEqual([2, 2, 2]);
      expect(own.reduce((rest, one) => rest.replace(one, ""), body)).not.toMatch(
        /<script|<img|onerror=alert\(1\)>|\u202e|href="javascript:|style="/i,
      );
      expect(body).toContain("&lt;script&gt;");
      if (path.endsWith("/maintenance/1")) continue;
      expect(body).toContain("<strong>Look</strong>");
      expect(body).toContain('<a href="https://a.test/" rel="nofollow noopener">good</a>');
    }
    const body = await (await here.get("/status/acme")).text();
    expect(body).toContain(pageTexts.en.partly);
    // An outage has the colour of an outage, in the heading too.
    expect(body).toContain('<h1 class="overall error">');
    expect(body).toContain("22 Nov 2026, 11:30 UTC");
    expect((await here.get("/status/ACME/")).status).toBe(200);
    const [, shown = ""] = /property="og:image" content="([^"]*)"/.exec(body) ?? [];
    const picture = await here.get(new URL(shown).pathname);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect((await picture.bytes()).subarray(1, 4)).toEqual(new TextEncoder().encode("PNG"));
  });

  test("is answered from memory, with a tag, and is new at once when a person reports", async () => {
    await using here = await statusScene();
    await acme(here);
    const first = await here.get("/status/acme", { "accept-encoding": "gzip" });
    const tag = first.headers.get("etag") ?? "";
    expect(first.headers.get("cache-control")).toBe("public, max-age=10, stale-if-error=86400");
    const again = await here.get("/status/acme", {
      "if-none-match": tag,
      "accept-encoding": "gzip",
    });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    await here.call("AddStatusReportUpdate", {
      statusReportId: "1",
      status: "STATUS_REPORT_STATUS_RESOLVED",
      message: "Over.",
    });
    const later = await here.get("/status/acme", { "if-none-match": tag });
    expect([later.status, (await later.text()).includes("Over.")]).toEqual([200, true]);
    const head = await fetch(`${here.service.url}/status/acme`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await here.post("/status/acme", {})).status).toBe(405);
  });

  test("does not say that there are no reports while one is open", async () => {
    await using here = await statusScene();
    await acme(here);
    const pageNow = async () => (await here.get("/status/acme")).text();
    const none = "There are no reports of the last two weeks.";
    const open = await pageNow();
    expect([open.includes('id="past"'), open.includes(none)]).toEqual([false, false]);
    await here.call("AddStatusReportUpdate", {
      statusReportId: "1",
      status: "STATUS_REPORT_STATUS_RESOLVED",
      message: "Over.",
    });
    expect(await pageNow()).toContain('id="past"');
  });

  test("says nothing of itself before it is published, or of what there is not", async () => {
    await using here = await statusScene();
    await here.call("CreateStatusPage", { title: "Secret", slug: "draft", published: false });
    await acme(here);
    const none = await here.get("/status/none");
    const said = [none.status, await none.text()];
    for (const path of ["/status/draft", "/status/draft/style.css", "/status/acme/nothing"].concat([
      "/status/acme/badge/99",
      "/status/acme/events/report/99",
      "/status/acme/events/maintenance/99",
      "/status/acme/monitors/2",
      "/status/acme/monitors/2.json",
      "/status/acme/monitors/1/1",
      "/status/acme/fr",
      "/status/",
    ])) {
      const answer = await here.get(path);
      expect([answer.status, await answer.text()], path).toEqual(said);
    }
  });

  test("is new at once when work is planned, spoken of, changed or deleted", async () => {
    await using here = await statusScene();
    await acme(here);
    const page = async (): Promise<string> => (await here.get("/status/acme")).text();
    expect(await page()).not.toContain("Move of the rack");
    const work = { from: "2026-11-22T12:30:00Z", to: "2026-11-22T13:00:00Z", pageId: "1" };
    await here.call("CreateMaintenance", { title: "Move of the rack", message: "Soon.", ...work });
    expect(await page()).toContain("Move of the rack");
    await here.call("AddMaintenanceUpdate", { maintenanceId: "2", message: "The lift is stuck." });
    expect(await page()).toContain("The lift is stuck.");
    await here.call("UpdateMaintenance", { id: "2", title: "Move by hand" });
    expect(await page()).toContain("Move by hand");
    await here.call("DeleteMaintenance", { id: "2" });
    expect(await page()).not.toContain("Move by hand");
  });

  test("announces planned work below its components, and above them what begins within two days", async () => {
    await using here = await statusScene();
    await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
    expect(await (await here.get("/status/acme")).text()).not.toContain("Components");
    await here.call("AddStaticComponent", { pageId: "1", name: "Desk" });
    const plan = (title: string, from: string) =>
      here.call("CreateMaintenance", {
        title,
        from,
        to: "2026-11-24T13:00:00Z",
        message: "Slow.",
        pageId: "1",
        pageComponentIds: ["1"],
      });
    const order = async (): Promise<readonly string[]> => {
      const page = await (await here.get("/status/acme")).text();
      const at = (words: string): number => page.indexOf(`>${words}<`);
      return ["Components", "Soon", "Later"]
        .filter((words) => at(words) > 0)
        .toSorted((one, other) => at(one) - at(other));
    };
    await plan("Later", "2026-11-24T12:01:00Z");
    expect(await order()).toEqual(["Components", "Later"]);
    await plan("Soon", "2026-11-24T11:59:00Z");
    expect(await order()).toEqual(["Soon", "Components", "Later"]);
  });

  test("of fifty components takes 30 KB with its looks", async () => {
    await using here = await statusScene();
    await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
    for (let made = 0; made < 50; made += 1)
      await here.call("AddStaticComponent", {
        pageId: "1",
        name: `Component number ${made} of the shop`,
        description: "What it is for, in a sentence.",
      });
    const size = async (path: string): Promise<number> => {
      const answer = await here.get(path, { "accept-encoding": "gzip" });
      await answer.arrayBuffer();
      return Number(answer.headers.get("content-length"));
    };
    const all = (await size("/status/acme")) + (await size("/status/acme/style.css"));
    expect(all).toBeLessThan(30_000);
  });

  test("speaks each language that it offers: as its address says, else as the browser asks", async () => {
    await using here = await statusScene();
    const all = locales.map((one) => `LOCALE_${one.toUpperCase()}`);
    const page = { title: "Acme", slug: "acme", locales: all, defaultLocale: "LOCALE_DE" };
    await here.call("CreateStatusPage", page);
    await here.call("AddStaticComponent", { pageId: "1", name: "Desk" });
    for (const locale of locales) {
      const body = await (await here.get(`/status/acme/${locale}`)).text();
      expect(body).toContain(`<html lang="${locale}">`);
      expect(body).toContain(pageTexts[locale].overall.operational);
    }
    const asked = async (header: string): Promise<string | undefined> => {
      const answer = await here.get("/status/acme", { "accept-language": header });
      return /<html lang="(\w+)">/.exec(await answer.text())?.[1];
    };
    expect(await asked("es, fr-CH;q=0.8, en;q=0.5")).toBe("fr");
    expect(await asked("es")).toBe("de");
    expect(await asked("*")).toBe("de");
  });
});

describe("what programs read", () => {
  test("is JSON in the shapes that they know", async () => {
    await using here = await statusScene();
    await acme(here);
    const read = async (path: string): Promise<unknown> =>
      JSON.parse(await (await here.get(`/status/acme${path}`)).text());
    expect(await read("/current.json")).toEqual({
      page: {
        id: "acme",
        name: "Acme",
        url: `${here.service.url}/status/acme/`,
        time_zone: "Etc/UTC",
        updated_at: "2026-11-22T12:00:00.000Z",
      },
      status: { indicator: "major", description: "Some systems are partly down" },
    });
    expect(await read("/summary.json")).toMatchObject({
      components: [
        {
          id: "1",
          name: "shop",
          status: "unknown",
          uptime_percent: null,
          monitor_url: `${here.service.url}/status/acme/monitors/1`,
        },
        { id: "2", name: hostile, status: "partial_outage", monitor_url: null },
      ],
      incidents: [
        {
          id: "1",
          status: "investigating",
          impact: "major",
          created_at: "2026-11-22T11:30:00.000Z",
          resolved_at: null,
          shortlink: `${here.service.url}/status/acme/events/report/1`,
          components: ["2"],
          incident_updates: [
            {
              body: expect.stringMatching(/^Look .*good \(https:\/\/a\.test\/\)/),
              body_markdown: expect.stringMatching(/^\*\*Look\*\* /),
            },
          ],
        },
      ],
      scheduled_maintenances: [
        {
          status: "scheduled",
          scheduled_for: "2026-11-23T22:00:00.000Z",
          scheduled_until: "2026-11-23T23:30:00.000Z",
        },
      ],
    });
    expect(await read("/feed/json")).toMatchObject({ title: "Acme", status: "partial_outage" });
    expect(Object.keys(Object(await read("/feed/json")))).toEqual(
      expect.arrayContaining(["pageComponents", "maintenances", "statusReports", "updatedAt"]),
    );
    expect(await read("/badge.json")).toEqual({
      schemaVersion: 1,
      label: "Acme",
      message: "Some systems are partly down",
      color: "critical",
    });
    const shared = await here.get("/status/acme/summary.json");
    expect(shared.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("is a JSON Feed of version 1.1, which its page names", async () => {
    await using here = await statusScene();
    await acme(here);
    const answer = await here.get("/status/acme/feed/json");
    expect(answer.headers.get("content-type")).toBe("application/feed+json; charset=utf-8");
    const { version, title, home_page_url, feed_url, language, items } = JSON.parse(
      await answer.text(),
    );
    const home = `${here.service.url}/status/acme`;
    expect({ version, title, home_page_url, feed_url, language }).toEqual({
      version: "https://jsonfeed.org/version/1.1",
      title: "Acme",
      home_page_url: `${home}/`,
      feed_url: `${home}/feed/json`,
      language: "en",
    });
    expect(items).toHaveLength(2);
    const ids = new Set<string>();
    for (const item of items) {
      ids.add(item.id);
      expect(item.url).toMatch(new RegExp(`^${home}/events/(report|maintenance)/`));
      expect(item.content_html).toContain("<p>");
      for (const date of [item.date_published, item.date_modified])
        expect(new Date(date).toISOString()).toBe(date);
      expect(item.date_published <= item.date_modified).toBe(true);
    }
    expect(ids.size).toBe(2);
    expect(await (await here.get("/status/acme")).text()).toMatch(
      /type="application\/feed\+json"\s+href="\/status\/acme\/feed\/json"/,
    );
  });

  test("is feeds and badges that a strict parser of XML takes, whatever is written in them", async () => {
    await using here = await statusScene();
    await acme(here);
    const read = async (path: string): Promise<Document> => {
      const text = await (await here.get(`/status/acme${path}`)).text();
      return strictly.parseFromString(text, "text/xml");
    };
    const texts = (document: Document, name: string): readonly (string | null)[] =>
      [...document.getElementsByTagName(name)].map(({ textContent }) => textContent);
    const atom = await read("/feed/atom");
    expect(texts(atom, "title")).toEqual([
      "Acme",
      "Planned maintenance: Upgrade; first, part",
      `Investigating: Cards ${shown}`,
    ]);
    expect(texts(atom, "updated")).toEqual([
      "2026-11-22T12:00:00.000Z",
      "2026-11-22T12:00:00.000Z",
      "2026-11-22T11:30:00.000Z",
    ]);
    expect(texts(atom, "id").at(-1)).toBe(`${here.service.url}/status/acme/events/report/1`);
    const rss = await read("/feed/rss");
    expect(texts(rss, "pubDate").at(-1)).toBe("Sun, 22 Nov 2026 11:30:00 GMT");
    const badge = await read("/badge/2?size=xl&theme=dark&variant=outline");
    expect(texts(badge, "title")).toEqual(["Partial outage"]);
    expect(badge.documentElement?.getAttribute("height")).toBe("40");
    // If its font is missing, what is left of its room is on both sides, and no letter is stretched.
    const words = badge.getElementsByTagName("text")[0];
    expect(words?.getAttribute("text-anchor")).toBe("middle");
    expect(words?.hasAttribute("textLength")).toBe(false);
    // As the page says it, in its colour.
    const whole = await read("/badge");
    expect(texts(whole, "title")).toEqual(["Some systems are partly down"]);
    expect(whole.getElementsByTagName("circle")[0]?.getAttribute("fill")).toBe("#b01f24");
    // With its name, if that is wanted.
    const named = await read("/badge?label=name");
    expect(texts(named, "title")).toEqual(["Acme: Some systems are partly down"]);
    expect(texts(named, "text").map((text) => text?.trim())).toEqual([
      "Acme",
      "Some systems are partly down",
    ]);
    const [plain, wide] = [whole, named].map((one) =>
      Number(one.documentElement?.getAttribute("width")),
    );
    expect(wide).toBeGreaterThan(plain ?? 0);
  });

  test("is a calendar that a real parser reads as it was written", async () => {
    await using here = await statusScene();
    await acme(here);
    const text = await (await here.get("/status/acme/calendar.ics")).text();
    expect(Math.max(...text.split("\r\n").map((line) => Buffer.byteLength(line)))).toBe(75);
    const [event] = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent");
    const { summary, description, startDate, endDate } = new ICAL.Event(event);
    expect({ summary, description }).toEqual({
      summary: "Upgrade; first, part",
      description: `Two\nlines ${"long ".repeat(30)}${shown}`,
    });
    expect([startDate.toJSDate().toISOString(), endDate.toJSDate().toISOString()]).toEqual([
      "2026-11-23T22:00:00.000Z",
      "2026-11-23T23:30:00.000Z",
    ]);
  });
});

describe("a page that is not for all", () => {
  test("by password: every route is closed, and open to whoever gave it; a new one ends that", async () => {
    await using here = await statusScene();
    const password = "open sesame";
    const access = { accessType: "PAGE_ACCESS_TYPE_PASSWORD_PROTECTED", password };
    await acme(here, access);
    for (const route of routes) {
      const answer = await here.get(`/status/acme${route}`);
      const body = await answer.text();
      expect([route, answer.status, body.includes("shop")]).toEqual([route, 403, false]);
      expect(body).not.toMatch(/outage|Cards|Upgrade/i);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
    const wrong = await here.post("/status/acme/sign-in", { password: "no" });
    expect([wrong.status, (await wrong.text()).includes("This is not the password.")]).toEqual([
      403,
      true,
    ]);
    const right = await here.post("/status/acme/sign-in", {
      password,
      next: "https://evil.test/status/acme",
    });
    expect([right.status, right.headers.get("location")]).toEqual([303, "/status/acme/"]);
    const set = right.headers.get("set-cookie") ?? "";
    expect(set).toMatch(
      /^picket-page-1=[\w.-]+; Path=\/status\/acme; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
    );
    const cookie = set.split(";")[0] ?? "";
    for (const route of routes) {
      const answer = await here.get(`/status/acme${route}`, { cookie });
      expect([route, answer.status]).toEqual([route, 200]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
    const once = await here.get(`/status/acme/feed/atom?pw=${encodeURIComponent(password)}&a=b`);
    expect([once.status, once.headers.get("location")]).toEqual([
      303,
      "/status/acme/feed/atom?a=b",
    ]);
    await here.call("UpdateStatusPage", { id: "1", password: "another" });
    expect((await here.get("/status/acme", { cookie })).status).toBe(403);
    const tries = [];
    for (let tried = 0; tried < 4; tried += 1)
      tries.push((await here.post("/status/acme/sign-in", { password: "no" })).status);
    expect(tries).toEqual([403, 403, 429, 429]);
  });

  test("by address: every route; by e-mail domain if no mail can be sent, no one", async () => {
    await using here = await statusScene();
    const restricted = { accessType: "PAGE_ACCESS_TYPE_IP_RESTRICTED" };
    await acme(here, { ...restricted, allowedIpRanges: "192.0.2.0/24" });
    const statuses = () =>
      Promise.all(routes.map(async (one) => (await here.get(`/status/acme${one}`)).status));
    expect(new Set(await statuses())).toEqual(new Set([403]));
    const forged = await here.get("/status/acme", { "x-forwarded-for": "192.0.2.1" });
    expect(forged.status).toBe(403);
    await here.call("UpdateStatusPage", { id: "1", allowedIpRanges: "192.0.2.0/24,127.0.0.0/8" });
    expect(new Set(await statuses())).toEqual(new Set([200]));
    const byMail = { accessType: "PAGE_ACCESS_TYPE_AUTHENTICATED", authEmailDomains: ["a.test"] };
    await here.call("UpdateStatusPage", { id: "1", ...byMail });
    expect(new Set(await statuses())).toEqual(new Set([403]));
  });
});

describe("a reader behind a known proxy", () => {
  const proxies = ["127.0.0.0/8"].flatMap((one) => parseBlock(one) ?? []);
  const reader = (address: string) => ({ "x-forwarded-for": `198.51.100.9, ${address}` });

  test("is let in by its own address, not by what it wrote before it", async () => {
    await using here = await statusScene(proxies);
    const restricted = { accessType: "PAGE_ACCESS_TYPE_IP_RESTRICTED" };
    await acme(here, { ...restricted, allowedIpRanges: "192.0.2.0/24" });
    const statusFor = async (address: string) =>
      (await here.get("/status/acme", reader(address))).status;
    expect([await statusFor("192.0.2.7"), await statusFor("203.0.113.7")]).toEqual([200, 403]);
    const forged = await here.get("/status/acme", { "x-forwarded-for": "192.0.2.7, 203.0.113.7" });
    expect(forged.status).toBe(403);
  });

  test("is let in by no address that the proxy did not say, and the log names the proxy", async () => {
    const log = memoryLog();
    await using here = await statusScene(proxies, null, { log });
    const restricted = { accessType: "PAGE_ACCESS_TYPE_IP_RESTRICTED" };
    await acme(here, { ...restricted, allowedIpRanges: "127.0.0.0/8" });
    expect((await here.get("/status/acme")).status).toBe(403);
    expect((await here.get("/status/acme/badge")).status).toBe(403);
    expect(log.said.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^a status page .* by 127\.0\.0\.1, which sent no X-Forwarded-For: have that proxy send the header: without it, the page refuses every reader behind this proxy/,
      ),
    ]);
  });

  test("is let in behind a proxy that is not named only if its own address may see the page, too", async () => {
    const log = memoryLog();
    await using here = await statusScene([], null, { log });
    const restricted = { accessType: "PAGE_ACCESS_TYPE_IP_RESTRICTED" };
    await acme(here, { ...restricted, allowedIpRanges: "127.0.0.0/8, 192.0.2.0/24" });
    const statusFor = async (address: string) =>
      (await here.get("/status/acme", reader(address))).status;
    expect([await statusFor("203.0.113.7"), await statusFor("192.0.2.7")]).toEqual([403, 200]);
    expect((await here.get("/status/acme")).status).toBe(200);
    expect(log.said.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /by 127\.0\.0\.1, which sent X-Forwarded-For: .* PICKET_SERVICE_TRUSTED/,
      ),
    ]);
  });

  test("has its own tries, which no other reader uses up", async () => {
    await using here = await statusScene(proxies);
    await acme(here, {
      accessType: "PAGE_ACCESS_TYPE_PASSWORD_PROTECTED",
      password: "open sesame",
    });
    const tryFrom = async (address: string, password: string) =>
      (await here.post("/status/acme/sign-in", { password }, reader(address))).status;
    const statuses = [];
    for (let tried = 0; tried < 6; tried += 1) statuses.push(await tryFrom("203.0.113.7", "no"));
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
    expect(await tryFrom("192.0.2.7", "open sesame")).toBe(303);
  });
});

test("a page's own domain shows that page and nothing else, and a proxy may ask for it", async () => {
  await using here = await statusScene();
  await acme(here, { customDomain: "Status.acme.example" });
  const { url } = here.service;
  const at = (path: string) => getAs(`${url}${path}`, "Status.Acme.Example:8443");
  const page = await at("/");
  expect([page.status, page.body.includes('href="/style.css"')]).toEqual([200, true]);
  expect((await at("/style.css")).status).toBe(200);
  expect((await at("/feed/rss")).body).toContain("https://status.acme.example/");
  expect((await at("/events/report/1")).status).toBe(200);
  expect((await at("/monitors/1.json")).status).toBe(200);
  for (const path of ["/sign-in/", "/locations/1", "/overview.json", "/status/acme"])
    expect([path, (await at(path)).status]).toEqual([path, 404]);
  const ask = async (domain: string): Promise<number> =>
    (await here.get(`/v1/domains/ask?domain=${domain}`)).status;
  expect([await ask("status.acme.example"), await ask("evil.test"), await ask("")]).toEqual([
    200, 404, 404,
  ]);
  // Nobody is to learn that a page is there before it is published.
  await here.call("UpdateStatusPage", { id: "1", published: false });
  expect([await ask("status.acme.example"), (await at("/")).status]).toEqual([404, 404]);
});

test("a page's own domain takes no call, neither with a key nor with a token, and no push channel", async () => {
  const customDomain = "status.acme.example";
  await using here = await statusScene();
  await acme(here, { customDomain });
  const { service } = here;
  const { key } = await service.admin.createApiKey({ name: "ops", scope: "write" });
  const office = { name: "office", monitorIds: [], metadata: {} };
  const { token } = await service.admin.createPrivateLocation(office);
  const calls: readonly (readonly [path: string, header: Record<string, string>])[] = [
    ["/rpc/openstatus.monitor.v1.MonitorService/ListMonitors", { "x-service-key": key }],
    ["/private_location.v1.PrivateLocationService/Monitors", { "x-service-token": token }],
  ];
  const statusAt = async (host: string, path: string, header: Record<string, string>) => {
    const headers = { ...header, host, "content-type": "application/json" };
    return (await requestAs(`${service.url}${path}`, { method: "POST", headers }, "{}")).status;
  };
  const channel = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    "x-service-token": token,
  };
  const watch = "/private_location.v1.PrivateLocationService/Watch";
  const channelAt = async (host: string) =>
    (await requestAs(`${service.url}${watch}`, { headers: { ...channel, host } })).status;
  for (const [path, header] of calls) {
    expect(await statusAt(customDomain, path, header)).toBe(404);
    expect(await statusAt("picket.example", path, header)).toBe(200);
  }
  expect([await channelAt(customDomain), await channelAt("picket.example")]).toEqual([404, 101]);
  expect((await getAs(`${service.url}/v1/domains/ask?domain=x`, customDomain)).body).toContain(
    "There is no such status page.",
  );
});

test("the service's public address takes calls, also if a page has it for its own domain", async () => {
  await using service = await runningService({ publicUrl: "https://acme.example/" });
  const { key } = await service.admin.createApiKey({ name: "ops", scope: "write" });
  const headers = { "x-service-key": key, "content-type": "application/json" };
  const call = (path: string, ask: object) =>
    requestAs(
      `${service.url}/rpc/openstatus.${path}`,
      { method: "POST", headers: { ...headers, host: "acme.example" } },
      JSON.stringify(ask),
    );
  const page = { title: "Acme", slug: "acme", customDomain: "acme.example" };
  const made = await call("status_page.v1.StatusPageService/CreateStatusPage", page);
  const listed = await call("monitor.v1.MonitorService/ListMonitors", {});
  expect([made.status, listed.status]).toEqual([200, 200]);
});

test("a page for a network answers to no name that only leads to the service, so that no other page can read it", async () => {
  await using here = await statusScene();
  const restricted = {
    accessType: "PAGE_ACCESS_TYPE_IP_RESTRICTED",
    allowedIpRanges: "127.0.0.0/8",
  };
  await acme(here, { ...restricted, customDomain: "status.acme.example" });
  const at = async (path: string, host: string) =>
    (await getAs(`${here.service.url}${path}`, host)).status;
  for (const route of routes)
    expect([route, await at(`/status/acme${route}`, "rebound.test")]).toEqual([route, 421]);
  expect(await at("/status/acme", "localhost:99")).toBe(200);
  expect(await at("/", "status.acme.example")).toBe(200);
  await here.call("UpdateStatusPage", { id: "1", accessType: "PAGE_ACCESS_TYPE_PUBLIC" });
  expect(await at("/status/acme", "rebound.test")).toBe(200);
});

test("if no address is set, links lead to where their reader is, and no strange name gets into them", async () => {
  await using here = await statusScene();
  await acme(here);
  const { url, port } = here.service;
  const feedAt = async (host: string) =>
    /<id>(.*?)\/<\/id>/.exec((await getAs(`${url}/status/acme/feed/atom`, host)).body)?.[1];
  expect(await feedAt(`127.0.0.1:${port}`)).toBe(`http://127.0.0.1:${port}/status/acme`);
  expect(await feedAt("Localhost:99")).toBe("http://localhost:99/status/acme");
  expect(await feedAt("evil.test")).toBe("http://localhost/status/acme");
  expect(await feedAt('127.0.0.1/"<x>')).toBe("http://localhost/status/acme");
});

test("a theme of a person's own is a style sheet, and one that would break out of it is refused", async () => {
  await using here = await statusScene();
  const theme = (value: string) => ({ customTheme: { light: { "--success": value }, dark: {} } });
  await acme(here, theme("oklch(0.5 0.1 150)"));
  const sheet = await (await here.get("/status/acme/style.css")).text();
  expect(sheet).toContain("--up: oklch(0.5 0.1 150);");
  for (const value of [
    "red;} body{display:none",
    "url(https://evil.test/)",
    "red/*",
    "calc(1px",
  ].concat(["\\", '"', "red</style>", "URL (x)", "x".repeat(257)]))
    await expect(here.call("UpdateStatusPage", { id: "1", ...theme(value) })).rejects.toThrow(
      "custom_theme",
    );
  const unknown = { customTheme: { light: { "--evil": "red" }, dark: {} } };
  await expect(here.call("UpdateStatusPage", { id: "1", ...unknown })).rejects.toThrow("--evil");
});
