import { create } from "@bufbuild/protobuf";
import { createClient, Code } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { expect, test } from "vitest";
import { MonitorStateSchema, MonitorStateService } from "#contract/picket/v1/monitor_state_pb";
import { monitorStatesListMax } from "#limits/service-limits";
import { notTooLong } from "#service/api/monitor-state-api";
import { type SeenService, seenService } from "../../support/seen-service.ts";

const clientFor = (seen: SeenService) =>
  createClient(
    MonitorStateService,
    createConnectTransport({
      baseUrl: seen.service.url,
      httpVersion: "1.1",
      interceptors: [
        (next) => (request) => {
          request.header.set("x-service-key", seen.key);
          return next(request);
        },
      ],
    }),
  );

test("the call says of every monitor how it stands, as each one's own call does", async () => {
  await using seen = await seenService();
  const { monitors, next } = await clientFor(seen).listMonitorStates({});
  expect(next).toBe("");
  expect(monitors).toMatchObject([
    {
      id: seen.ids.shop,
      name: "shop",
      kind: "http",
      target: "https://shop.test/health",
      caution: "",
      active: true,
      status: "degraded",
      privateLocationIds: [seen.locationId],
    },
    { id: seen.ids.db, kind: "tcp", target: "db.test:5432", status: "error" },
    { id: seen.ids.cache, status: "active" },
    { id: seen.ids.mail, kind: "dns", target: "mail.test", status: "unknown" },
    { id: seen.ids.resting, active: false, status: "unknown" },
  ]);
  for (const { id, status } of monitors)
    expect(await seen.service.statusOf(seen.key, id)).toBe(status);
});

test("they come in portions, each behind the last one of the portion before", async () => {
  await using seen = await seenService();
  const client = clientFor(seen);
  const portions: (readonly string[])[] = [];
  let after = "";
  do {
    const { monitors, next } = await client.listMonitorStates({ after, limit: 2 });
    portions.push(monitors.map(({ name }) => name));
    after = next;
  } while (after !== "");
  expect(portions).toEqual([["shop", "db"], ["cache", "mail"], ["resting"]]);
  // A monitor that is gone meanwhile is as good a mark as one that is there.
  await seen.service.monitors(seen.key).deleteMonitor({ id: seen.ids.db });
  const { monitors } = await client.listMonitorStates({ after: seen.ids.db, limit: 1 });
  expect(monitors).toMatchObject([{ name: "cache" }]);
});

test.each([{ after: "shop" }, { after: "0" }, { limit: -1 }, { limit: monitorStatesListMax + 1 }])(
  "what is asked for in another way is refused: %o",
  async (asked) => {
    await using seen = await seenService();
    await expect(clientFor(seen).listMonitorStates(asked)).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
  },
);

test("an answer ends before it is too long, but never without a monitor", () => {
  const states = ["aaaa", "bbbb", "cccc"].map((name) =>
    create(MonitorStateSchema, { name, target: "x:1", privateLocationIds: ["1", "2"] }),
  );
  const named = (charsMax: number): string =>
    notTooLong(states, charsMax)
      .map(({ name }) => name[0])
      .join("");
  expect([named(1), named(10), named(19), named(20), named(30), named(1_000)]).toEqual([
    "a",
    "a",
    "a",
    "ab",
    "abc",
    "abc",
  ]);
});
