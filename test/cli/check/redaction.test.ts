import { describe, expect, test } from "vitest";
import { redaction } from "#cli/check/redaction";
import type { Header } from "#check/monitor";
import type { HttpExchange } from "#probes/resolve/recorder";

const nothing = { bytes: new Uint8Array(), size: 0 };

/** An exchange whose request and response carry these. */
const exchange = (
  url: string,
  headers: readonly Header[] = [],
  answered: readonly (readonly [string, string])[] = [],
): HttpExchange => ({
  kind: "http",
  server: "a.test:80",
  version: "1.1",
  request: { url: new URL(url), method: "GET", headers, body: null, leftBehind: [], head: null },
  sent: nothing,
  read: nothing,
  head: { statusCode: 200, headers: answered },
  body: nothing,
  whole: true,
});

const configured = [
  { key: "X-Key", value: "hunter2-hunter2" },
  { key: "X-Short", value: "abc" },
  { key: "Accept", value: "application/json" },
];
const cookie = ["Set-Cookie", 'sid="cookie-value"; Path=/a-long-path; SameSite=Strict'] as const;
const redact = redaction(
  [
    exchange(
      "http://user-name:pass%2Dword@a.test/x?token=query-value&x=a%20b%20c%20d",
      [{ key: "Authorization", value: "Bearer bearer-token" }],
      [cookie],
    ),
  ],
  configured,
);

describe("what is shown of a request line", () => {
  test.each([
    ["GET /x HTTP/1.1", "GET /x HTTP/1.1"],
    ["GET /x?a=b&c=d?e HTTP/1.1", "GET /x?[removed] HTTP/1.1"],
    ["GET http://me:pw@a.test/x?a HTTP/1.1", "GET http://[removed]@a.test/x?[removed] HTTP/1.1"],
  ])("%s", (line, shown) => expect(redact.requestLine(line)).toBe(shown));
});

describe("what is shown of a header", () => {
  test.each([
    ["Authorization: Basic eA==", "Authorization: [removed]"],
    ["cookie:a=b", "cookie:[removed]"],
    ["SET-COOKIE: a=b; Path=/", "SET-COOKIE: [removed]"],
    ["Proxy-Authorization : Basic eA==", "Proxy-Authorization : [removed]"],
    ["x-key: whatever it is", "x-key: [removed]"],
    ["accept: application/json", "accept: [removed]"],
    ["Content-Type: application/json", "Content-Type: application/json"],
    ["Location: //me:pw@b.test/y?a=b", "Location: //[removed]@b.test/y?[removed]"],
    ["Refresh: 5; url=/y?a=b", "Refresh: 5; url=/y?[removed]"],
    ["X-Echo: hunter2-hunter2!", "X-Echo: [removed]!"],
    ["no colon but hunter2-hunter2", "no colon but [removed]"],
    ["Server: x", "Server: x"],
  ])("%s", (line, shown) => expect(redact.headerLine(line)).toBe(shown));
});

describe("what is shown of a body, or of what is not HTTP", () => {
  test.each([
    ["a value that was sent", "<hunter2-hunter2>", "<[removed]>"],
    ["a credential without its scheme", '{"a":"bearer-token"}', '{"a":"[removed]"}'],
    ["the value of a query", "no query-value here", "no [removed] here"],
    ["a value of a query, decoded", "a b c d", "[removed]"],
    ["a value of a query, as it was sent", "a%20b%20c%20d", "[removed]"],
    ["a password, decoded and as it was", "pass-word pass%2Dword", "[removed] [removed]"],
    ["a cookie that was set", "cookie-value", "[removed]"],
    ["the beginning of one, at the end", "and hunter2-hun", "and [removed]"],
    [
      "a header in it, with the lines that go on",
      "A: b\nCookie: a\n b\nC: d",
      "A: b\nCookie: [removed]\nC: d",
    ],
    ["a redirect in it", "Location: /a?b=c", "Location: /a?[removed]"],
  ])("takes out %s", (_what, text, shown) => expect(redact.text(text)).toBe(shown));

  test.each([
    ["values that are too short to be found", "abc"],
    ["configured values that say nothing", "application/json"],
    ["a cookie's attributes", "/a-long-path Strict"],
    ["a question", "who? nobody"],
  ])("leaves %s", (_what, text) => expect(redact.text(text)).toBe(text));
});
