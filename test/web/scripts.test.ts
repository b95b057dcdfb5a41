import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { scriptTexts } from "#web/script-texts";
import { scriptAddress, scriptAt } from "#web/scripts";
import { smallTexts } from "../../packaging/script-map.ts";
import { operatorScene } from "../support/operator-scene.ts";

/** All of it, as it ships: a phone with a poor connection has so much in two seconds. */
const compressedMax = 60 * 1024;

describe("the scripts of pages", () => {
  test("are at most 60 KB together, compressed", async () => {
    const sizes = Array.from((await smallTexts()).values(), (text) => gzipSync(text).length);
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(compressedMax);
  });

  test("load only each other, and nothing that a strict policy refuses", () => {
    const files = scriptTexts();
    const loaded = [...files].flatMap(([file, text]) =>
      Array.from(text.matchAll(/^import [^"]*"(.+)";$/gm), ([, from = ""]) => `${file}: ${from}`),
    );
    expect(loaded.length).toBeGreaterThan(3);
    expect(loaded.filter((one) => !files.has(one.replace(/^.*: \.\//, "")))).toEqual([]);
    const refused = /\beval\(|\bnew Function\(|\bimport\(|\.setAttribute\("style"/;
    expect([...files].filter(([, text]) => refused.test(text)).map(([file]) => file)).toEqual([]);
  });

  test("are kept by a browser under an address that says which text it is", async () => {
    const { get } = await operatorScene({ days: 0 });
    const address = scriptAddress("live");
    const answer = await get(address);
    expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(answer.headers.get("cache-control")).toContain("immutable");
    expect(await answer.text()).toBe(scriptTexts().get("live.js"));
    expect(await (await get("/")).text()).toContain(`src="${address}"`);
  });

  test("are there for a page of another version, which keeps none of them", async () => {
    const { get } = await operatorScene({ days: 0 });
    const answer = await get("/scripts/elsewhere/live.js");
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(["/scripts/x/none.js", "/scripts/x/..%2flive.js"].map(scriptAt)).toEqual([null, null]);
  });
});
