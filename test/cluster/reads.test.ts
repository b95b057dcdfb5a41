import { expect, test } from "vitest";
import { epochMillis } from "#base/units";
import { daysIn } from "#service/status-site/measured-days";
import { main } from "../../src/main.ts";
import { captureIo } from "../support/captured-io.ts";
import { citusPrograms, startCitus } from "./citus-cluster.ts";
import { twentyShops } from "./twenty-shops.ts";

const programs = citusPrograms();
const sentence =
  "a database server that has some of the results cannot be reached: the service's log says which";

const ranges = ["TIME_RANGE_1D", "TIME_RANGE_7D", "TIME_RANGE_14D"];

test.skipIf(programs === null)(
  "while a worker is away, each call about monitors of the others answers, and those about its own say why they cannot",
  async () => {
    await using cluster = await startCitus(programs ?? "");
    await using shops = await twentyShops(await cluster.fresh());
    const { service, store, key } = shops;
    const ask = async (call: string, body: object): Promise<string> => {
      const answer = await fetch(`${service.url}/rpc/openstatus.${call}`, {
        method: "POST",
        headers: { "x-service-key": key, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return `${answer.status} ${await answer.text()}`;
    };
    const callsAbout = (id: string): readonly (readonly [string, object])[] => [
      ...ranges.map(
        (timeRange) => ["monitor.v1.MonitorService/GetMonitorSummary", { id, timeRange }] as const,
      ),
      ["monitor.v1.MonitorService/ListMonitorHTTPResponseLogs", { id }],
      [
        "monitor.v1.MonitorService/ListResults",
        { monitorId: id, privateLocationId: String(shops.location), newestFirst: true },
      ],
    ];
    await cluster.killWorker();
    const { unread } = await store.results.seen(shops.ids);
    const away = shops.ids.filter((id) => unread.has(id));
    const there = shops.ids.filter((id) => !unread.has(id));
    expect([away.length > 2, there.length > 2]).toEqual([true, true]);
    for (const id of there)
      for (const [call, body] of callsAbout(String(id)))
        expect(`${call} ${await ask(call, body)}`).toMatch(new RegExp(`^${call} 200 `));
    for (const id of away)
      for (const [call, body] of callsAbout(String(id))) {
        const answer = await ask(call, body);
        expect(`${call} ${answer.slice(0, 4)}`).toBe(`${call} 503 `);
        expect(answer).toContain(sentence);
      }
    const reportOf = async (label: string, ids: readonly number[]): Promise<number> => {
      const call = "monitor.v1.MonitorService/UpdateHTTPMonitor";
      for (const id of ids)
        expect(await ask(call, { id: String(id), monitor: { labels: { of: label } } })).toMatch(
          /^200 /,
        );
      return (await fetch(`${service.url}/uptime?label=of:${label}`)).status;
    };
    expect(await reportOf("others", there)).toBe(200);
    expect(await reportOf("both", [...there.slice(0, 1), ...away.slice(0, 1)])).toBe(503);
    // A report or a status page of some of the others is read, too.
    const now = Date.now();
    // More than are looked up one by one: the days of a year.
    const range = { monitors: there, from: epochMillis(now - 365 * 86_400_000) };
    const until = { ...range, to: epochMillis(now + 60_000) };
    const read = daysIn(await store.results.days(until));
    expect(new Set(read.map(({ monitor }) => monitor))).toEqual(new Set(there));
    const days = await store.results.buckets({ ...until, location: null, grain: "day" });
    expect(new Set(days.map(({ monitor }) => monitor))).toEqual(new Set(there));

    const results = async (id: number): Promise<readonly [number, string]> => {
      const io = captureIo({ SERVICE_API_URL: service.url, SERVICE_API_KEY: key, NO_COLOR: "1" });
      const code = await main(["results", String(id)], io);
      return [code, io.written.stdout() + io.written.stderr()];
    };
    const [readCode, shown] = await results(there[0] ?? 0);
    expect([readCode, shown]).toEqual([
      0,
      expect.stringContaining("nothing listens at 10.0.0.1:443"),
    ]);
    const [code, said] = await results(away[0] ?? 0);
    expect(code).not.toBe(0);
    expect(said).toContain(`The service at ${service.url}/ cannot do this now (${sentence}).`);
    expect(said).not.toContain("SERVICE_API_URL");
  },
);
