import { expect, test } from "vitest";
import type { Kind } from "#check/monitor";
import { switchedKind } from "#service/operator/monitors/kind-switch";
import { targetIn } from "#service/operator/monitors/target-field";

/** The targets that a form shows as its kinds are chosen one after the other. */
function targets(text: string, ...chosen: readonly Kind[]): readonly string[] {
  const [first = "http", ...rest] = chosen;
  let kind = first;
  let form = new URLSearchParams({ [first === "http" ? "url" : "uri"]: text });
  return rest.map((to) => {
    form = switchedKind(to, kind, form);
    kind = to;
    return targetIn(form, kind);
  });
}

test("another kind takes host and port from the target, and going back restores it", () => {
  const url = "http://127.0.0.1:21050/x";
  expect(targets(url, "http", "tcp", "icmp", "http")).toEqual([
    "127.0.0.1:21050",
    "127.0.0.1",
    url,
  ]);
  expect(targets(url, "http", "icmp", "tcp", "http")).toEqual([
    "127.0.0.1",
    "127.0.0.1:21050",
    url,
  ]);
  expect(targets("https://shop.example/cart?a=1", "http", "tcp", "dns", "grpc", "http")).toEqual([
    "shop.example:443",
    "shop.example",
    "shop.example:443",
    "https://shop.example/cart?a=1",
  ]);
  expect(targets("curl -H 'A: b' http://[::1]:8080/x", "http", "tcp", "icmp")).toEqual([
    "[::1]:8080",
    "::1",
  ]);
});

test("a target of another kind becomes a URL", () => {
  expect(targets("db.example:8080", "tcp", "http")).toEqual(["http://db.example:8080"]);
  expect(targets("db.example:443", "tcp", "http")).toEqual(["https://db.example"]);
  expect(targets("db.example", "icmp", "http")).toEqual(["https://db.example"]);
  expect(targets("::1", "icmp", "http", "tcp")).toEqual(["http://[::1]", "[::1]:80"]);
  expect(targets("", "tcp", "http")).toEqual([""]);
  expect(targets("192.0.2.1", "icmp", "dns")).toEqual([""]);
});

test("what is typed as the other kind is taken back, and not the target before it", () => {
  let form = switchedKind("tcp", "http", new URLSearchParams({ url: "https://a.example/x" }));
  form.set("uri", "b.example:8443");
  form = switchedKind("http", "tcp", form);
  expect(form.get("url")).toBe("https://b.example:8443");
});

test("what only one kind has is there again, and what both have stays as it was typed since", () => {
  let form = new URLSearchParams({
    url: "https://a.example",
    method: "POST",
    body: "a\nb",
    "headers[0].key": "Accept",
    "headers[0].value": "text/html",
    name: "A",
  });
  form = switchedKind("tcp", "http", form);
  form.set("name", "B");
  form = switchedKind("icmp", "tcp", form);
  form = switchedKind("http", "icmp", form);
  expect(Object.fromEntries(form)).toMatchObject({
    url: "https://a.example",
    method: "POST",
    body: "a\nb",
    "headers[0].key": "Accept",
    "headers[0].value": "text/html",
    name: "B",
  });
});
