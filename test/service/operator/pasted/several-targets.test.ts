import { expect, test } from "vitest";
import { severalTargets } from "#service/operator/pasted/several-targets";

test.each([
  ["http://a.test/x0\nhttp://a.test/x1\r\nhttp://a.test/x2\n", 3],
  ["http://a.test/x1http://a.test/x2", 2],
  ["https://a.test/x, https://b.test/y", 2],
  ["https://a.test/x,https://b.test/y", 2],
  ["a.test, b.test;c.test:80", 3],
  ["db1.test:5432 db2.test:5432", 2],
  ["web1\nweb2", 2],
  ["a.test TXT\nb.test MX", 2],
  ["curl https://a.test\ncurl https://b.test", 2],
  ["https://a.test/x\nftp://b.test", 2],
])("%j is a list of addresses", (text, count) => {
  expect(severalTargets(text)).toHaveLength(count);
});

test.each([
  "",
  "https://a.test/\n/health\n",
  "https://a.test/x,y",
  "https://a.test/a file.html",
  "https://a.test/?url=1,https://b.test",
  "https://archive.test/web/2020/http://a.test/",
  "mongodb://a.test,b.test:27018/shop",
  "a.test TXT",
  "no address at all",
  "Our site is down. See shop.test now",
  "curl https://a.test \\\n -H 'a: b'",
  "curl -d 'a\nb' https://a.test",
])("%j is no list of addresses", (text) => {
  expect(severalTargets(text)).toBeNull();
});

test.each([
  ["commas", `https://a.test/?${",".repeat(120_000)}`],
  ["semicolons", `https://a.test/${";".repeat(120_000)}`],
  ["letters", `https://a.test/${"a".repeat(120_000)}`],
  ["programs that run others", "sudo ".repeat(24_000)],
  ["programs that feed others", "echo a | ".repeat(13_000)],
])("a field full of %s is read at once, and is no list", (_, text) => {
  expect(severalTargets(text)).toBeNull();
});
