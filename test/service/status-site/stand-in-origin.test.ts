import { createHook } from "node:async_hooks";
import { expect, onTestFinished, test } from "vitest";
import { packed } from "#service/status-site/published-pages";
import { atOrigin, standIn } from "#service/status-site/stand-in-origin";
import { getAs, statusScene } from "./status-scene.ts";

const type = "text/html; charset=utf-8";
const [one, other] = ["http://10.0.0.1:8787", "http://[::1]:8787"];

test("a document is written once, and the last reader's address alone is kept with it", async () => {
  const document = await packed({ type, body: `<a href="${standIn}/status/acme">${standIn}</a>` });
  const first = await atOrigin(document, one);
  expect(first.plain.toString()).toBe(`<a href="${one}/status/acme">${one}</a>`);
  expect(await atOrigin(document, one)).toBe(first);
  const second = await atOrigin(document, other);
  expect(second.plain.toString()).toBe(`<a href="${other}/status/acme">${other}</a>`);
  expect(second.tag).not.toBe(first.tag);
  expect(await atOrigin(document, one)).not.toBe(first);
});

test("what names no address is the same for all readers", async () => {
  const style = await packed({ type: "text/css; charset=utf-8", body: "p{}" });
  expect(await atOrigin(style, one)).toBe(style);
});

test("a calendar is compressed once for readers who come by the same name", async () => {
  await using here = await statusScene();
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme", published: true });
  let made = 0;
  const hook = createHook({ init: (_, type) => void (made += Number(type === "ZLIB")) });
  hook.enable();
  onTestFinished(() => void hook.disable());
  const counts = [];
  for (const host of ["localhost:99", "localhost:99", "10.20.30.40", "10.20.30.40"]) {
    made = 0;
    const { status } = await getAs(`${here.service.url}/status/acme/calendar.ics`, host);
    counts.push([status, made]);
  }
  expect(counts).toEqual([
    [200, 1],
    [200, 0],
    [200, 1],
    [200, 0],
  ]);
});

test("every document leads each reader to the address by which they have come", async () => {
  await using here = await statusScene();
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme", published: true });
  await here.call("AddMonitorComponent", { pageId: "1", monitorId: "1" });
  await here.call("CreateMaintenance", {
    title: "Upgrade",
    message: "Two lines",
    from: "2026-11-23T22:00:00Z",
    to: "2026-11-23T23:30:00Z",
    pageId: "1",
  });
  const { url } = here.service;
  for (const path of ["", "/feed/atom", "/feed/rss", "/summary.json", "/calendar.ics", "/events"])
    for (const host of ["localhost:99", "[::1]:8787", "10.20.30.40"]) {
      const { status, body } = await getAs(`${url}/status/acme${path}`, host);
      // A calendar's lines are folded.
      const text = body.replaceAll("\r\n ", "");
      const isThere = text.includes(`http://${host}/status/acme`);
      expect([path, host, status, isThere]).toEqual([path, host, 200, true]);
      expect(text).not.toContain("address-of-the-reader");
    }
});
