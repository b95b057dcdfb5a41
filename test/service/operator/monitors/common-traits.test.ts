import { expect, test } from "vitest";
import { inCommon } from "#service/operator/monitors/common-traits";
import type { PicturedMonitor } from "#service/operator/picture";
import { millis } from "#base/units";

const checking = (target: string, changes: Partial<PicturedMonitor> = {}): PicturedMonitor => ({
  id: 1,
  name: "m",
  kind: "http",
  target,
  labels: { env: "prod", team: "shop" },
  owner: "",
  period: millis(60_000),
  status: "error",
  since: null,
  lastCheckedAt: null,
  seenBy: [],
  reason: null,
  unread: false,
  unheard: false,
  incident: null,
  recovery: null,
  latency: null,
  usual: null,
  medianToday: null,
  days: [],
  ...changes,
});

const six = (target: (index: number) => string): readonly PicturedMonitor[] =>
  Array.from({ length: 6 }, (_, index) => checking(target(index)));

test("a large group says its kind, host and labels, as far as all of it has them", () => {
  expect(inCommon(six((path) => `https://shop.example/${path}`))).toBe(
    "HTTP, shop.example:443, env:prod, team:shop",
  );
  expect(inCommon(six((host) => `https://h${host}.eu.shop.example/`))).toBe(
    "HTTP, *.eu.shop.example, env:prod, team:shop",
  );
  // Those of six firms in one country have nothing in common.
  expect(inCommon(six((firm) => `https://shop${firm}.co.uk/`))).toBe("HTTP, env:prod, team:shop");
  const mixed = checking("db.shop.example:5432", { kind: "tcp", labels: { team: "shop" } });
  expect(inCommon([...six((host) => `https://h${host}.shop.example/`), mixed])).toBe(
    "*.shop.example, team:shop",
  );
});

test("parts of addresses, and the last part of names, are not said to be common", () => {
  const bare = (target: string) => checking(target, { labels: {} });
  const of = (targets: readonly string[]) => inCommon(targets.map(bare));
  expect(of(["1", "2", "3", "4", "5", "6"].map((end) => `http://10.0.0.${end}/`))).toBe("HTTP");
  expect(of(["a", "b", "c", "d", "e", "f"].map((name) => `http://${name}.example/`))).toBe("HTTP");
});

test("a group whose names are all shown does not say more", () => {
  expect(inCommon(six(() => "https://shop.example/").slice(1))).toBe("");
});

test("what asks for records of names has their end in common, without the type of record or the server", () => {
  const asking = (target: string) => checking(target, { kind: "dns", labels: {} });
  const of = (target: (index: number) => string) =>
    inCommon(Array.from({ length: 6 }, (_, index) => asking(target(index))));
  expect(of((host) => `h${host}.shop.test A`)).toBe("DNS, *.shop.test");
  expect(of((host) => `h${host}.shop.test AAAA at 10.0.0.1:53`)).toBe("DNS, *.shop.test");
  expect(of(() => "shop.test A")).toBe("DNS, shop.test");
});
