import { expect, test } from "vitest";
import { pastedMonitor } from "#service/operator/monitors/pasted-monitor";

test.each([
  ["https://shop.example/health", "http", "url", "https://shop.example/health"],
  ["shop.example/health", "http", "url", "https://shop.example/health"],
  ["127.0.0.1:8080/health", "http", "url", "http://127.0.0.1:8080/health"],
  ["shop.example:8443/health?deep=1", "http", "url", "https://shop.example:8443/health?deep=1"],
  ["[2001:db8::1]:3000/", "http", "url", "http://[2001:db8::1]:3000/"],
  ["db.example:5432", "tcp", "uri", "db.example:5432"],
  ["10.20.0.1", "icmp", "uri", "10.20.0.1"],
])("%s is pasted as a monitor of kind %s", (pasted, kind, field, value) => {
  const monitor = pastedMonitor(pasted);
  expect(monitor?.kind).toBe(kind);
  expect(monitor?.fields.get(field)).toBe(value);
});

test.each(["", "no address at all", "ftp://shop.example", "shop.example:port/health"])(
  "%j cannot be checked",
  (pasted) => {
    expect(pastedMonitor(pasted)).toBeNull();
  },
);
