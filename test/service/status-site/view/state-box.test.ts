import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { fileBrowser } from "../../../support/file-browser.ts";
import { listenLocally } from "../../../servers/listen-locally.ts";
import { statusScene } from "../status-scene.ts";

const browser = fileBrowser();
const hostile = `<script>"'&`;

test("a public page has a box with its state, which any site may have in a frame, and nothing else", async () => {
  await using here = await statusScene();
  await here.call("CreateStatusPage", { title: `Acme ${hostile}`, slug: "acme" });
  await here.call("AddStaticComponent", { pageId: "1", name: "Shop" });
  const answer = await here.get("/status/acme/embed?theme=dark");
  const body = await answer.text();
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "text/html; charset=utf-8",
  ]);
  expect(answer.headers.get("content-security-policy")).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; form-action 'none'; base-uri 'none'; frame-ancestors \*$/,
  );
  expect(answer.headers.get("x-robots-tag")).toBe("noindex");
  expect(body).toContain('class="dark"');
  expect(body).toContain("All systems are operational");
  expect(body).not.toMatch(/<script|style="/);
  expect(body).toContain(
    `<a href="${here.service.url}/status/acme" target="_blank" rel="noopener"`,
  );
  expect(Buffer.byteLength(body)).toBeLessThan(3_000);
  const usual = await (await here.get("/status/acme/embed?theme=blue")).text();
  expect(usual).toContain('class="auto"');
  for (const path of ["", "/events", "/badge", "/nothing"])
    expect(
      (await here.get(`/status/acme${path}`)).headers.get("content-security-policy"),
      path,
    ).toContain("frame-ancestors 'none'");
});

test("a page that is not for all has no box, also for a reader who was let in", async () => {
  await using here = await statusScene();
  const password = "open sesame";
  const access = { accessType: "PAGE_ACCESS_TYPE_PASSWORD_PROTECTED", password };
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme", ...access });
  const entered = await here.post("/status/acme/sign-in", { password });
  const cookie = (entered.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  expect((await here.get("/status/acme", { cookie })).status).toBe(200);
  for (const headers of [{}, { cookie }]) {
    const answer = await here.get("/status/acme/embed", headers);
    expect([answer.status, await answer.text()]).toEqual([
      403,
      "This status page is not public.\n",
    ]);
    expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  }
});

test.skipIf(!browser.isThere)(
  "a browser shows the box on another site, with its style, and the page itself in no frame",
  async () => {
    await using here = await statusScene();
    await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
    await here.call("AddStaticComponent", { pageId: "1", name: "Shop" });
    const page = `${here.service.url}/status/acme`;
    const other = createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(
        `<iframe src="${page}/embed?theme=dark"></iframe><iframe src="${page}"></iframe>`,
      );
    });
    const port = await listenLocally(other);
    onTestFinished(() => void other.close());
    await using context = await browser.newContext();
    context.setDefaultTimeout(10_000);
    const shown = await context.newPage();
    await shown.goto(`http://localhost:${port}/`);
    const link = shown.frameLocator("iframe >> nth=0").getByRole("link");
    expect(await link.innerText()).toMatch(/Acme\s+All systems are operational/);
    const ground = await link.evaluate((one) =>
      String(Reflect.get(globalThis, "getComputedStyle")(one).backgroundColor),
    );
    expect(ground).toBe("rgb(18, 20, 23)");
    expect(await shown.frameLocator("iframe >> nth=1").getByRole("heading").count()).toBe(0);
    const opened = context.waitForEvent("page");
    await link.click();
    expect((await opened).url()).toBe(page);
  },
);
