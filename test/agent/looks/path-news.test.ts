import { expect, test } from "vitest";
import { PathNews } from "#agent/looks/path-news";
import { unknownPath } from "#agent/vantage/path-learning";
import { epochMillis } from "#base/units";
import * as limits from "#limits/path-limits";

const pathTo = (network: string, tracedAt: number) =>
  unknownPath(
    network,
    { protocol: "tcp", address: "10.2.0.7", port: 443, sourcePort: 61_000 },
    epochMillis(tracedAt),
  );

test("a path that is traced before each heartbeat does not keep the others from the service", () => {
  let beat = 0;
  const networks = Array.from({ length: 3 * limits.pathsPerBeat }, (_, index) => `n${index}`);
  const known = () =>
    networks.map((network) => ({ path: pathTo(network, beat), monitorIds: [network] }));
  const news = new PathNews({ known: () => known().values() }, true);
  const sent = new Set<string>();
  for (; beat < 3; beat += 1) {
    for (const { path } of news.due()) sent.add(path.network);
    news.heard();
  }
  expect(sent.size).toBe(networks.length);
});

test("each monitor of a path that many use is sent with it, once, in whatever order they pass", () => {
  let ids = Array.from({ length: limits.monitorsPerPathMax + 1 }, (_, index) => `m${index}`);
  const known = () => [{ path: pathTo("n", 0), monitorIds: ids }].values();
  const news = new PathNews({ known }, true);
  const due = news.due();
  expect(new Set(due.flatMap(({ monitorIds }) => monitorIds))).toEqual(new Set(ids));
  expect(due.map(({ monitorIds }) => monitorIds.length)).toEqual([limits.monitorsPerPathMax, 1]);
  news.heard();
  ids = ids.toReversed();
  expect(news.due()).toEqual([]);
});
