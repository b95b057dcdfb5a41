import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { listenLocally } from "../../servers/listen-locally.ts";
import { follow } from "../../support/browser.ts";
import { fileBrowser } from "../../support/file-browser.ts";
import { operatorScene } from "../../support/operator-scene.ts";
import { statusScene } from "../status-site/status-scene.ts";

/** A name that is not this machine's is no place that a browser trusts: it sends Origin alone. */
const browser = fileBrowser(["--host-resolver-rules=MAP *.test 127.0.0.1"]);

/** As a browser sends it over plain http, where it says nothing by Sec-Fetch-Site. */
const from = (origin: string) => ({ origin });
const elsewhere = ["http://evil.test", "https://127.0.0.2", "null", "picket"];

test("a form to sign in counts only from a page of the same host, by whatever a browser says of that", async () => {
  const { post, service } = await operatorScene({ pages: "signed in", days: 0 });
  const { key: secret } = await service.admin.createApiKey({ name: "ops", scope: "read" });
  const statusWith = async (headers: Record<string, string>) =>
    (await post("/sign-in", { secret }, headers)).status;
  for (const origin of elsewhere)
    expect([origin, await statusWith(from(origin))]).toEqual([origin, 403]);
  expect(await statusWith({ ...from("null"), "sec-fetch-site": "same-origin" })).toBe(303);
  expect(await statusWith({ ...from(service.url), "sec-fetch-site": "cross-site" })).toBe(403);
  expect([await statusWith(from(service.url)), await statusWith({})]).toEqual([303, 303]);
});

test("a form with the password of a status page counts only from that page", async () => {
  await using here = await statusScene();
  const password = "open sesame";
  const access = { accessType: "PAGE_ACCESS_TYPE_PASSWORD_PROTECTED", password };
  await here.call("CreateStatusPage", { title: "A", slug: "acme", published: true, ...access });
  const statusWith = async (headers: Record<string, string>) =>
    (await here.post("/status/acme/sign-in", { password }, headers)).status;
  for (const origin of elsewhere)
    expect([origin, await statusWith(from(origin))]).toEqual([origin, 403]);
  expect(await statusWith(from(here.service.url))).toBe(303);
});

describe.skipIf(!browser.isThere)("in a browser, over plain http,", () => {
  test("the service's form signs in, and one of a stranger's page does not", async () => {
    const { service } = await operatorScene({ pages: "signed in", days: 0 });
    const { key } = await service.admin.createApiKey({ name: "ops", scope: "read" });
    const home = `http://picket.test:${new URL(service.url).port}`;
    const stranger = createServer((request, response) => {
      const policy = request.url === "/hidden" ? "no-referrer" : "unsafe-url";
      response.setHeader("content-type", "text/html").setHeader("referrer-policy", policy);
      response.end(
        `<form method="post" action="${home}/sign-in"><input name="secret" value="${key}" /><button>Go</button></form>`,
      );
    });
    const port = await listenLocally(stranger);
    onTestFinished(() => void stranger.close());
    await using context = await browser.newContext();
    const page = await context.newPage();
    for (const path of ["open", "hidden"]) {
      await page.goto(`http://evil.test:${port}/${path}`);
      await follow(page.getByRole("button"));
      expect(await page.textContent("body")).toContain("This form is not ours.");
    }
    await page.goto(`${home}/sign-in`);
    await page.getByLabel("API key or password").fill(key);
    await follow(page.getByRole("button"));
    expect(new URL(page.url()).pathname).toBe("/");
    expect(await page.textContent("header")).toContain("ops");
  });
});
