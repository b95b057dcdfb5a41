import { describe, expect, test } from "vitest";
import { request } from "node:http";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import * as limits from "#limits/pages-limits";
import { operatorScene, type OperatorScene } from "../../support/operator-scene.ts";

const wordsOf = (page: string): string =>
  page
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ([.,:])/g, "$1");
/** An element's text in a page: what is between its tags. */
const cookieOf = (response: Response): string =>
  (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
const formTokenIn = (page: string): string => /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";

async function signIn({ post, service }: OperatorScene, scope: "read" | "write"): Promise<string> {
  const { key } = await service.admin.createApiKey({ name: `${scope}er`, scope });
  const answer = await post("/sign-in", { secret: key, next: "/" });
  expect(answer.status).toBe(303);
  return cookieOf(answer);
}

describe("who may see the pages", () => {
  test("a stranger is sent to sign in, and back to where they wanted to go", async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const { get, post, service } = scene;
    const sent = await get("/monitors/3?range=7d");
    expect(sent.status).toBe(303);
    const to = sent.headers.get("location") ?? "";
    expect(to).toBe("/sign-in?next=%2Fmonitors%2F3%3Frange%3D7d");
    const form = await (await get(to)).text();
    expect(form).toContain('name="next" value="/monitors/3?range=7d"');
    expect(form).toContain("picket service key create --name NAME --scope write");
    const { key } = await service.admin.createApiKey({ name: "ops", scope: "read" });
    const answer = await post("/sign-in", { secret: key, next: "/monitors/3?range=7d" });
    expect(answer.headers.get("location")).toBe("/monitors/3?range=7d");
    const cookie = answer.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(
      /^picket-session=\S+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/,
    );
    expect(cookie).not.toContain(key);
    expect((await get("/", { cookie: cookieOf(answer) })).status).toBe(200);
  });

  test("behind TLS the cookie is for TLS only", async () => {
    const { post, service } = await operatorScene({ pages: "signed in", days: 0 });
    const { key } = await service.admin.createApiKey({ name: "ops", scope: "read" });
    const answer = await post("/sign-in", { secret: key }, { "x-forwarded-proto": "https" });
    expect(answer.headers.get("set-cookie")).toMatch(/; Secure$/);
  });

  test("a program without a session gets 401 on every path, and learns nothing", async () => {
    const { get } = await operatorScene({ pages: "signed in" });
    for (const path of [
      "/",
      "/overview.json",
      "/monitors/1",
      "/monitors/1.json",
      "/locations/1",
      "/monitors/999",
    ]) {
      const answer = await get(path, { accept: "application/json" });
      expect([path, answer.status]).toEqual([path, 401]);
      expect(await answer.text()).not.toContain("Shop");
    }
  });

  test.each(["//evil.test/", "https://evil.test/", "/\\evil.test", "javascript:alert(1)", ""])(
    "whoever signs in is never sent elsewhere: %s",
    async (next) => {
      const { post, service } = await operatorScene({ pages: "signed in", days: 0 });
      const { key } = await service.admin.createApiKey({ name: "ops", scope: "read" });
      const answer = await post("/sign-in", { secret: key, next });
      expect(answer.headers.get("location")).toBe("/");
    },
  );

  test("a link from elsewhere brings no cookie: the browser is had to ask again by itself", async () => {
    const { get } = await operatorScene({ pages: "signed in", days: 0 });
    const answer = await get("/monitors/1?range=1h", { "sec-fetch-site": "cross-site" });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('content="0; url=/monitors/1?range=1h"');
  });

  test("a session ends with its time, with its key, by signing out, and is not made up", async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const { get, post, service, clock } = scene;
    const first = await signIn(scene, "read");
    expect((await get("/", { cookie: first })).status).toBe(200);
    const [key] = await service.admin.listApiKeys();
    await service.admin.revokeApiKey(key?.id ?? "");
    expect((await get("/", { cookie: first })).status).toBe(303);

    const second = await signIn(scene, "write");
    const out = { form: formTokenIn(await (await get("/", { cookie: second })).text()) };
    const answer = await post("/sign-out", out, { cookie: second });
    expect(answer.headers.get("set-cookie")).toMatch(/^picket-session=; .*Max-Age=0/);
    clock.suspend(limits.sessionLength + 1_000);
    expect((await get("/", { cookie: second })).status).toBe(303);
    for (const made of ["picket-session=", "picket-session=1.x.y", `${second.slice(0, -4)}AAAA`])
      expect((await get("/", { cookie: made })).status).toBe(303);
  });

  test("tries are bounded, by address, and a minute later there are new ones", async () => {
    const { post, clock, log } = await operatorScene({ pages: "signed in", days: 0 });
    const statuses: number[] = [];
    for (let at = 0; at < limits.signInTriesPerAddressMax + 2; at += 1)
      statuses.push((await post("/sign-in", { secret: "pkt_key_guess" })).status);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429]);
    expect(JSON.stringify(log.said)).not.toContain("pkt_key_guess");
    await clock.advance(limits.signInWindow);
    expect((await post("/sign-in", { secret: "pkt_key_guess" })).status).toBe(403);
  });

  test("without signing in only this machine's names are answered, so that no other page can read it", async () => {
    const { service } = await operatorScene({ days: 0 });
    const asked = request(service.url, { headers: { host: "rebound.test" } }).end();
    const [answer] = await once(asked, "response");
    expect(answer.statusCode).toBe(403);
    answer.resume();
  });
});

describe("what the pages do", () => {
  test("only Picket's form, of this session, by a person who may write, checks now", async () => {
    const scene = await operatorScene({ pages: "signed in" });
    const { get, post } = scene;
    const writer = await signIn(scene, "write");
    const reader = await signIn(scene, "read");
    const page = await (await get("/monitors/1", { cookie: writer })).text();
    expect(page).toContain("Check now");
    expect(await (await get("/monitors/1", { cookie: reader })).text()).not.toContain("Check now");
    const form = formTokenIn(page);
    const status = async (fields: Record<string, string>, headers: Record<string, string>) =>
      (await post("/monitors/1/check", fields, headers)).status;
    expect(await status({}, { cookie: writer })).toBe(403);
    expect(await status({ form: "made up" }, { cookie: writer })).toBe(403);
    expect(await status({ form }, { cookie: reader })).toBe(403);
    expect(await status({ form }, { cookie: writer, "sec-fetch-site": "cross-site" })).toBe(403);
    // Whoever sent it has signed out meanwhile: it waits for them to sign in.
    expect(await status({ form }, {})).toBe(303);
    expect(await status({ form }, { "sec-fetch-site": "cross-site" })).toBe(401);
    const readers = formTokenIn(await (await get("/", { cookie: reader })).text());
    expect(await status({ form: readers }, { cookie: reader })).toBe(403);
    const answer = await post("/monitors/1/check", { form }, { cookie: writer });
    expect(answer.status).toBe(303);
    const shown = await (
      await get(answer.headers.get("location") ?? "", { cookie: writer })
    ).text();
    expect(shown).toContain("Nothing was checked: the agent of");
  });

  test("every answer is kept from scripts of others, frames and caches, and is packed when asked", async () => {
    const { service } = await operatorScene();
    const asked = request(service.url, { headers: { "accept-encoding": "gzip" } }).end();
    const [answer] = await once(asked, "response");
    const { headers } = answer;
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; script-src 'self'; connect-src 'self'",
    );
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(await buffer(answer)).toString()).toContain("Billing API");
  });

  test("what is not there is 404, what is mistyped 400, and no other method is taken", async () => {
    const { get, post, service } = await operatorScene();
    expect((await get("/monitors/999")).status).toBe(404);
    expect((await get("/locations/999")).status).toBe(404);
    expect((await get("/?state=fine")).status).toBe(400);
    expect((await get("/?offset=-1")).status).toBe(400);
    expect((await get("/monitors/1/check")).headers.get("location")).toBe("/monitors/1");
    expect((await post("/", {})).status).toBe(403);
    const put = await fetch(service.url, { method: "PUT" });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
    expect(await (await get("/nothing", { accept: "*/*" })).json()).toMatchObject({
      code: "not_found",
    });
  });

  test("no page says a secret: no query, no header's value", async () => {
    const { get } = await operatorScene();
    for (const path of [
      "/",
      "/monitors/1",
      "/monitors/1.json",
      "/monitors/2?range=1h",
      "/overview.json",
    ]) {
      const text = await (await get(path)).text();
      expect(text).toMatch(/Shop|Billing/);
      expect([path, text.includes("planted")]).toEqual([path, false]);
    }
  });
});

describe("what the pages say", () => {
  test("what fails first, one cause as one, since when, where and why, next to what is usual", async () => {
    const { get } = await operatorScene();
    const page = (await (await get("/")).text()).replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
    expect(page).toContain("4 failing, 1 degraded, of 12 monitors at 2 locations");
    expect(page).toMatch(
      /Failing Billing API .* 99\.\d\d % timeout \d+(\.\d)? ms For 1[34] min at Office, Warehouse \(2 of 2 locations\)\. Timeout after 5 000 ms/,
    );
    expect(page).toMatch(
      /3 monitors at Warehouse Printer queue, Scanner, Stock 99\.\d\d % For 4[12] min\. The name server 10\.20\.0\.53 did not answer within 1 000 ms \(dns_timeout while resolving the name\)\./,
    );
    const order = ["3 monitors at Warehouse", "Billing API", "Intranet", "Bastion", "Wiki"].map(
      (one) => page.indexOf(one),
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  test("the same for programs, and every filter in the address", async () => {
    const { get } = await operatorScene();
    const names = async (query: string): Promise<readonly string[]> => {
      const { monitors } = JSON.parse(await (await get(`/overview.json${query}`)).text());
      return monitors.map(({ name }: { name: string }) => name);
    };
    expect((await names("")).length).toBe(12);
    expect(await names("?state=degraded")).toEqual(["Intranet"]);
    expect(await names("?label=team:data&sort=name")).toEqual([
      "Bastion",
      "Database primary",
      "Database replica",
    ]);
    expect((await names("?location=2")).length).toBe(9);
    expect(await names("?text=DNS_timeout&sort=name")).toEqual([
      "Printer queue",
      "Scanner",
      "Stock",
    ]);
    expect((await names("?sort=latency"))[0]).toBe("Intranet");
    const { monitors } = JSON.parse(await (await get("/overview.json?text=billing")).text());
    expect(monitors[0].incident).toMatchObject({ number: 7, since: "2026-11-22T11:46:00.000Z" });
    expect(monitors[0]).toMatchObject({
      id: "2",
      status: "error",
      reason: { code: "response_timeout", phase: "wait" },
      seen_at: ["Office", "Warehouse"],
      latency_ms: null,
    });
  });

  test("a monitor's past in each range, by location, with phases, and the checks that explain it", async () => {
    const { get } = await operatorScene();
    for (const range of ["1h", "24h", "7d", "30d", "90d"]) {
      const page = await (await get(`/monitors/2?range=${range}`)).text();
      expect(page).toMatch(
        new RegExp(`${range}: [\\d\u202f]+ passed, 0 degraded, [\\d\u202f]+ failed`),
      );
      expect(page).not.toMatch(/NaN|undefined|Infinity/);
      expect(/<path class="phase wait"/.test(page)).toBe(["1h", "24h", "7d"].includes(range));
    }
    const page = await (await get("/monitors/2")).text();
    expect(page).toContain("failed</span");
    expect(page).toContain("Last good check with details");
    expect(page).toMatch(
      /<time datetime="2026-11-22T11:59:[^"]*"\s*>2026-11-22 11:59:\d\d UTC<\/time\s*>/,
    );
    expect(page).toMatch(
      /Notifications<\/h2>\s*<ul class="names">\s*<li>\s*<a href="\/channels\/1">Operations/,
    );
    expect(page).toMatch(/41\u00a0d left, until 2027-01-0\d/);
    const { steps } = JSON.parse(await (await get("/monitors/11.json?range=30d")).text());
    const failed = (all: readonly { failed: number }[]) =>
      all.reduce((sum, one) => sum + one.failed, 0);
    expect(failed(steps)).toBeGreaterThan(2);
  });

  test("a location's agents, and that it is silent when they are", async () => {
    const { get, clock } = await operatorScene();
    const text = async () =>
      (await (await get("/locations/2")).text()).replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
    expect(await text()).toMatch(
      /Warehouse Running .* Start an agent Edit ⋯More for this location Delete .*warehouse-gw warehouse-1 Running \d+ s ago 0\.1\.0 latest 9 0 2 0/,
    );
    // What is shown may be a picture of then.
    await clock.advance(10 * 60_000 + limits.pictureShownFor);
    expect(await text()).toMatch(
      /Warehouse Silent .* Start an agent Edit ⋯More for this location Delete No agent has reported since 22 Nov, 12:00:00 UTC\. .* Silent 10 min ago/,
    );
    const overview = await (await get("/")).text();
    expect(overview).toContain("12 without data, of 12 monitors");
    const words = overview.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
    // Its incident opens meanwhile.
    expect(words.replace(/ \(incident \d+\)/g, "")).toContain(
      "Warehouse is silent. No agent has reported since 22 Nov, 12:00:00 UTC. 9 monitors are not checked from there. Look at its agents, or start one.",
    );
    expect(words).toMatch(
      /No data Bastion .* For \d+ min( \d+ s)?\. No fresh result from Office\./,
    );
    expect(overview).not.toContain(">Passing<");
  });

  test("incidents, the open ones first, found by state, monitor and location", async () => {
    const { get } = await operatorScene();
    const numbers = async (query: string): Promise<readonly number[]> => {
      const { incidents } = JSON.parse(await (await get(`/incidents.json${query}`)).text());
      return incidents.map((one: { number: number }) => one.number);
    };
    expect(await numbers("")).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(await numbers("?state=over")).toEqual([2, 1]);
    expect(await numbers("?monitor=2")).toEqual([7, 2]);
    expect(await numbers("?location=2")).toEqual([7, 6, 5, 4, 3, 2]);
    expect(await numbers("?offset=4")).toEqual([3, 2, 1]);
    expect(await numbers("?offset=6")).toEqual([1]);
    expect((await get("/incidents?state=fine")).status).toBe(400);
    expect((await get("/incidents/99")).status).toBe(404);
    const page = wordsOf(await (await get("/incidents")).text());
    expect(page).toContain("5 open incidents");
    // Those of one cause are in its row, and are no rows besides.
    expect(page).toMatch(
      /3 monitors: DNS timeout for 42 min .* Printer queue, Scanner, Stock Failing Printer queue for 42 min .* Stock/,
    );
    expect(page).not.toContain("Incident 4 began");
    const open = wordsOf(await (await get("/incidents?location=2&grouped=no")).text());
    expect(open).toMatch(
      /Failing Stock for 42 min The name server 10\.20\.0\.53 did not answer within 1 000 ms Incident 4 began 22 Nov, 11:18:00 UTC/,
    );
    expect(page).toMatch(
      /Resolved Database replica lasted 4 h Connection refused \(10.20.0.31:5432\) Incident 1 began 11 Nov/,
    );
    // The other location did not see it when it opened.
    expect(page).toContain("connection_refused while connecting, first at Office");
    const monitor = wordsOf(await (await get("/monitors/2")).text());
    expect(monitor).toContain("Earlier incidents Resolved Incident 2 lasted 1 h");
    // What fails is said once, at the top, and checks that failed alike are one row.
    expect(monitor).toMatch(/The first data is of \d+\sNov\. Days are UTC\./);
    const [now = "", before = ""] = monitor.split("Earlier incidents");
    expect(now.split("Timeout after 5 000 ms").length).toBe(2);
    expect(before.split("Timeout after 5 000 ms").length).toBe(2);
    expect(monitor).toMatch(/Newest checks 20 failed alike 11:55:00 to 11:59:30 /);
    expect(monitor).toMatch(
      /Acknowledge Check now .*Incident 7 for 14 min ?, not acknowledged yet .*Last failing check.*Latency All/,
    );
    expect(wordsOf(await (await get("/")).text())).toContain("120 ms ( incident 3, acknowledged)");
  });

  test("an incident on its timeline: what each location saw, what was said, and to whom", async () => {
    const { get } = await operatorScene();
    const page = wordsOf(await (await get("/incidents/7")).text());
    expect(page).toMatch(
      /Failing Incident 7, open for 14 min .* Began 22 Nov, 11:46:00 UTC Down for 14 min/,
    );
    expect(page).toMatch(/before Office: passing in 4 checks in a row /);
    // It did not see the failure of the other one, so its checks of before lasted.
    expect(wordsOf(await (await get("/incidents/4")).text())).toMatch(
      /from before Office: passing in 88 checks in a row, the first 4 before the incident began /,
    );
    expect(page).toMatch(
      /\+\d+ s Warehouse: failing in \d+ checks in a row response_timeout while waiting for the answer Timeout after 5 000 ms/,
    );
    expect(page).toMatch(/\+31 s Opened: failing Failed at both locations: Office and Warehouse\./);
    expect(page).toMatch(
      /Retrying Tickets Opened, 11:46:31: failed \(the provider answers 503\); it is tried again at 13:00 UTC What it said Down: Billing API Target: https/,
    );
    expect(page).toMatch(/Sent Operations Opened, 11:46:33: sent What it said/);
    const past = wordsOf(await (await get("/incidents/2")).text());
    expect(past).toMatch(/Resolved Incident 2, it recovered after 1 h 10 min/);
    expect(past).toMatch(/Acknowledged: no reminders follow By night shift\./);
    expect(past).toMatch(/Closed Because it recovered\./);
    expect(past).toMatch(/sent, 3 min late, 2 attempts/);
    const alike = wordsOf(await (await get("/incidents/4")).text());
    expect(alike).toMatch(/The same cause at the same time .*Printer queue.*Scanner/);
    expect(JSON.parse(await (await get("/incidents/4.json")).text())).toMatchObject({
      number: 4,
      acknowledged_by: null,
      same_cause: [6, 5],
      deliveries_total: 2,
    });
  });

  test("for how long a monitor fails is the same on its page, on the overview and at its incident", async () => {
    const { get } = await operatorScene();
    const at = async (path: string): Promise<string> => wordsOf(await (await get(path)).text());
    expect(await at("/monitors/2")).toMatch(/Billing API Failing for 14 min /);
    expect(await at("/")).toMatch(/For 14 min[^.]*\. Timeout after 5 000 ms/);
    expect(await at("/incidents/7")).toContain("Down for 14 min");
    expect(await at("/")).toMatch(/3 monitors .*For 42 min\. The name server/);
    expect(await at("/incidents")).toContain("3 monitors: DNS timeout for 42 min");
  });

  test("tiles say how many of each state a search finds, and how many there are", async () => {
    const { get } = await operatorScene();
    const tilesOf = async (query: string): Promise<string> => {
      const page = await (await get(`/${query}`)).text();
      return wordsOf(/aria-label="Monitors by state"[^]*?<\/nav>/.exec(page)?.[0] ?? "");
    };
    expect(await tilesOf("")).toMatch(/All 12 Failing 4 Degraded 1 Passing 7 /);
    expect(await tilesOf("?text=database")).toMatch(
      /All 2 of 12 Failing 0 of 4 Degraded 0 of 1 Passing 2 of 7 /,
    );
    // The tile that is chosen does not change what the others say.
    expect(await tilesOf("?label=team:web&state=error")).toMatch(
      /All 4 of 12 Failing 1 of 4 Degraded 1 of 1 Passing 2 of 7 /,
    );
  });

  test("a failing monitor says its last good latency, and on its first day the uptime and the median that the report says", async () => {
    const { get } = await operatorScene({ days: 0.4 });
    const page = wordsOf(await (await get("/monitors/2")).text());
    const uptime = /Uptime, 7 days ([\d.]+ %) of \d h( \d+ min)? so far/.exec(page)?.[1];
    expect(page).toContain(`Today: ${uptime} uptime`);
    const lines = wordsOf(await (await get("/uptime")).text());
    expect(lines).toContain(`Billing API ${uptime} `);
    expect(page).toMatch(/Last good latency \d+ ms 14 min ago Median, today/);
    const median = /Median, today ([\d.]+) ms/.exec(page)?.[1];
    const report = JSON.parse(await (await get("/uptime.json")).text());
    const row = report.monitors.find(({ name }: { name: string }) => name === "Billing API");
    expect(median).toBe(String(Math.round(row.median_ms)));
    expect(page).not.toMatch(/(Uptime, 7 days|Today:) 100/);
    const older = wordsOf(await (await (await operatorScene()).get("/monitors/1")).text());
    expect(older).toMatch(
      /Latency now [\d.]+ ms Median, 7 days [\d.]+ ms p95 [\d.]+ ms, p99 [\d.]+ ms/,
    );
  });

  test("an incident shows its last failing check and the latency around it, and no script is needed", async () => {
    const { get } = await operatorScene();
    const pageOf = async (path: string): Promise<string> => (await get(path)).text();
    const open = await pageOf("/incidents/7");
    expect(wordsOf(open)).toMatch(
      /response_timeout while waiting for the answer at Office and Warehouse \(2 of 2\) .*Latency around it .*a cross is a failed check.*, 56 failed.*Last failing check: 5 000 ms, \d+ s ago .*Location (Office|Warehouse)/,
    );
    expect(open).toMatch(/<rect\s+class="marked error"[^>]*>\s*<title>Incident 7, open<\/title>/);
    expect(open).not.toContain("chart.js");
    // The list says the same of it, also of one location alone.
    for (const query of ["", "?location=1", "?monitor=2"])
      expect(wordsOf(await pageOf(`/incidents${query}`))).toContain(
        "response_timeout while waiting for the answer at Office and Warehouse (2 of 2)",
      );
    const past = wordsOf(await pageOf("/incidents/2"));
    expect(past).toMatch(/Latency around it .*Last (failing|slow) check: .* ago /);
    expect(past).not.toMatch(/Last (failing|slow) check: [^,]*, \d+ (s|min) ago/);
  });

  test("an incident is acknowledged and silenced by form, and notifies again", async () => {
    const scene = await operatorScene({ pages: "signed in" });
    const { get, post } = scene;
    const [writer, reader] = [await signIn(scene, "write"), await signIn(scene, "read")];
    const pageOf = async (path: string, cookie: string): Promise<string> =>
      (await get(path, { cookie })).text();
    expect(await pageOf("/incidents/7", reader)).not.toMatch(/Acknowledge<|Silence |Comment</);
    const form = formTokenIn(await pageOf("/incidents/7", writer));
    const send = async (path: string, fields: Record<string, string> = {}): Promise<string> => {
      const answer = await post(path, { form, ...fields }, { cookie: writer });
      return wordsOf(await pageOf(answer.headers.get("location") ?? "", writer));
    };
    expect((await post("/incidents/7/acknowledge", {}, { cookie: writer })).status).toBe(403);
    expect(await send("/incidents/7/acknowledge")).toMatch(
      /Acknowledged: no reminders follow until.* Acknowledged by the key “writeer” 22 Nov, 12:00:00 UTC .* By the key “writeer”\./,
    );
    expect(await pageOf("/incidents/7", reader)).not.toContain("Take back");
    expect((await post("/incidents/7/take-back", {}, { cookie: writer })).status).toBe(403);
    const taken = await send("/incidents/7/take-back");
    expect(taken).toMatch(
      /Acknowledge Silence.* Check now No longer acknowledged: reminders follow again\..* Acknowledged by no one .* No longer acknowledged: reminders follow again By the key “writeer”\./,
    );
    expect(taken).toContain("Acknowledged: no reminders follow By the key “writeer”.");
    expect(await pageOf("/changes?kind=incident", writer)).toMatch(/Acknowledged by<[^]*writeer/);
    expect(await send("/incidents/1/take-back")).toContain("It is resolved: there is nothing");
    expect(await send("/incidents/7/acknowledge")).toContain("Take back acknowledgement");
    expect(await send("/incidents/1/acknowledge")).toContain("It is resolved: there is nothing");
    expect(await send("/incidents/7/silence", { length: "4h", reason: "<b>a drill</b>" })).toMatch(
      /Silenced for 4 h more, by the key “writeer”: &lt;b&gt;a drill/,
    );
    expect(
      (await post("/incidents/7/silence", { form, length: "9y" }, { cookie: writer })).status,
    ).toBe(400);
    expect(
      await send("/incidents/7/silence", { length: "own", count: "45", unit: "m", reason: "" }),
    ).toMatch(
      // The silence of 4 h lasts longer.
      /Silenced for 45 min more, .* Silenced until 22 Nov, 16:00:00 UTC .* Silenced By the key “writeer”, until 22 Nov, 12:45:00 UTC\./,
    );
    for (const count of ["0", "1000", "-1", "1.5", ""]) {
      const own = { form, length: "own", count, unit: "h" };
      expect((await post("/incidents/7/silence", own, { cookie: writer })).status).toBe(422);
    }
    const comment = "<i>disk</i> is full\nI empty it: https://wiki.test/disk";
    expect(await send("/incidents/7/comment", { comment })).toMatch(
      /Your comment is in the timeline\. .* The key “writeer” commented &lt;i&gt;disk&lt;\/i&gt; is full I empty it: https/,
    );
    expect(await pageOf("/incidents/7", writer)).toContain('<a href="https://wiki.test/disk"');
    const empty = await post("/incidents/7/comment", { form, comment: " " }, { cookie: writer });
    expect(empty.status).toBe(422);
    expect(wordsOf(await empty.text())).toContain(
      "Enter a comment for your colleagues: say what you saw",
    );
    const log = wordsOf(await pageOf("/changes?kind=incident&id=7", writer));
    expect(log).toMatch(
      /commented on incident Billing API Field Before After Comments – 1 .* Acknowledged by – the key “writeer”/,
    );
    expect(log).not.toContain("is full");
    const document = JSON.parse(await pageOf("/incidents/7.json", reader));
    expect(document.comments).toMatchObject([{ author: "the key “writeer”", message: comment }]);
    await send("/silences/2/end", { back: "/" });
    expect(await send("/silences/1/end", { back: "//evil.test/incidents/7" })).toContain(
      "Monitors",
    );
    expect(await pageOf("/incidents/7", writer)).not.toContain("Silenced for");
  });

  test("channels: what each is notified of, whether it works, what it was sent; a test, and no secret", async () => {
    const { get, post, sent, service } = await operatorScene();
    const list = wordsOf(await (await get("/channels")).text());
    expect(list).toContain("1 failing, of 2 channels");
    expect(list).toMatch(
      /Working Operations Notified of every failure, slowdown and recovery of 12 monitors.* Slack: hooks.slack.test Last message 13 min ago No test yet/,
    );
    expect(list).toMatch(
      /Failing Tickets Messages do not arrive: the provider answers 503\. For 13 min( \d+ s)?\. Picket tries again in 1 h\. Check the channel's data, then send a test message\. Notified of .* 1 message waiting/,
    );
    const page = await (await get("/channels/2")).text();
    expect(wordsOf(page)).toMatch(
      /Failing Webhook: tickets\.internal Last message 38 min ago .* Messages do not arrive: the provider answers 503\. Since 22 Nov, 11:46:31 UTC, for 13 min( \d+ s)?\. 1 message waits\./,
    );
    expect(wordsOf(page)).toMatch(/Repeated every 4 h/);
    expect(wordsOf(page)).toMatch(
      /Last failure, of the message of incident 7: the provider answers 503\./,
    );
    expect(wordsOf(page)).toMatch(/2 Billing API Opened Sent 3 min late .* 2/);
    const document = await (await get("/channels/2.json")).text();
    expect(JSON.parse(document)).toMatchObject({ name: "Tickets", waiting: 1, failures: 5 });
    for (const text of [page, document, await (await get("/channels.json")).text()])
      expect(text).not.toMatch(/planted|whsec/);
    const form = formTokenIn(await (await get("/channels/1")).text());
    const answer = await post("/channels/1/test", { form });
    const test = sent.map(({ notice }) => notice).find(({ type }) => type === "test");
    // No setting says another address: it leads to the pages as this machine reaches them.
    expect(test).toMatchObject({ service: { url: service.url } });
    expect(await (await get(answer.headers.get("location") ?? "")).text()).toContain(
      "accepted the test",
    );
    const again = await post("/channels/1/test", { form });
    expect([again.status, wordsOf(await again.text())]).toEqual([
      429,
      expect.stringContaining("No test was sent. The same test was sent just now"),
    ]);
    expect((await get("/channels/9")).status).toBe(404);
  });

  test("maintenance is planned by form, for a time zone, shown where it holds, and ended", async () => {
    const { get, post } = await operatorScene();
    const page = await (await get("/monitors/2")).text();
    expect(page).toContain("Plan maintenance");
    const form = formTokenIn(page);
    const fields = {
      form,
      title: "Upgrade <i>",
      message: "Billing is **read-only**",
      from: "2026-11-22T12:30",
      to: "2026-11-22T14:00",
      time_zone: "Europe/Berlin",
      repeat: "once",
      recurrence: "",
      monitor_ids: "2",
    };
    const refused = async (change: Record<string, string>): Promise<string> => {
      const answer = await post("/maintenances/new", { ...fields, ...change });
      const text = await answer.text();
      expect([answer.status, text.includes('value="Upgrade &lt;i&gt;"')]).toEqual([422, true]);
      return wordsOf(text);
    };
    expect(await refused({ time_zone: "Berlin" })).toContain(
      "Time zone must be an IANA name, for example Europe/Berlin.",
    );
    expect(await refused({ to: "x" })).toContain("Ends must be a day and a time");
    expect(await refused({ to: fields.from })).toContain("Ends must be later than it begins.");
    expect(await refused({ from: "2026-03-29T02:30" })).toContain(
      "Begins does not exist in Europe/Berlin, because the clocks skip it: take 03:30.",
    );
    expect((await post("/maintenances/new", fields)).status).toBe(303);
    const list = wordsOf(await (await get("/maintenances")).text());
    expect(list).toContain("1 under way");
    expect(list).toMatch(
      /Now Now Upgrade &lt;i&gt; Billing is read-only No status page shows it\. 1 h left of 1 h 30 min Sun 22 Nov, 11:30 to 13:00 UTC Billing API End now /,
    );
    expect(wordsOf(await (await get("/monitors/2")).text())).toMatch(
      /This monitor is in planned maintenance, Upgrade &lt;i&gt;, until 13:00 \(1 h more\)\. No failure of it is sent until then\. The announcement says: Billing is read-only/,
    );
    const tuesday = { from: "2026-12-01T22:00", to: "2026-12-01T23:00", repeat: "weekly" };
    await post("/maintenances/new", { ...fields, ...tuesday });
    expect(wordsOf(await (await get("/maintenances")).text())).toContain(
      "every Tuesday, 22:00 (Europe/Berlin)",
    );
    await post("/maintenances/2/edit", {
      ...fields,
      ...tuesday,
      title: "Nightly",
      repeat: "daily",
    });
    expect(wordsOf(await (await get("/maintenances")).text())).toContain("every day, 22:00");
    await post("/monitors/1/silence", { form, length: "1h", reason: "" });
    expect(wordsOf(await (await get("/maintenances")).text())).toMatch(
      /Now .* Silenced Silence by a person on this machine 1 h left Until 22 Nov, 13:00 UTC Shop End now .* Planned Planned Nightly/,
    );
    await post("/maintenances/1/end", { form });
    expect(wordsOf(await (await get("/maintenances/2/delete")).text())).toMatch(
      /Repeats every day, 22:00 .* All times at which it repeats go with it\./,
    );
    await post("/maintenances/2/delete", { form });
    const { maintenances } = JSON.parse(await (await get("/maintenances.json")).text());
    expect(maintenances).toMatchObject([
      { id: "1", to: "2026-11-22T12:00:00.000Z", next_to: null },
    ]);
  });

  test("a picture some seconds old is shown while the next is taken; what a form changed is seen at once", async () => {
    const { get, post, clock } = await operatorScene();
    const shownAt = async (): Promise<string> =>
      /As of <\/span\s*><time datetime="([^"]+)"/.exec(await (await get("/")).text())?.[1] ?? "";
    expect(await shownAt()).toBe("2026-11-22T12:00:00.000Z");
    clock.suspend(limits.pictureShownFor + 1_000);
    expect(await shownAt()).toBe("2026-11-22T12:00:13.000Z");
    const form = formTokenIn(await (await get("/incidents/7")).text());
    clock.suspend(5_000);
    expect(await shownAt()).toBe("2026-11-22T12:00:13.000Z");
    await post("/incidents/7/acknowledge", { form });
    expect(await shownAt()).toBe("2026-11-22T12:00:18.000Z");
    expect(await (await get("/")).text()).toMatch(/incident 7<\/a\s*>, acknowledged/);
  });

  test("a new service says what to do first", async () => {
    const { get } = await operatorScene({ days: 0 });
    expect(await (await get("/")).text()).toContain("picket apply -f monitors.yaml");
  });
});
