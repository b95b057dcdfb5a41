import { DatabaseSync } from "node:sqlite";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { BatchResultSchema } from "#contract/private_location/v1/private_location_pb";
import { Periodicity } from "#contract/openstatus/monitor/v1/monitor_pb";
import * as limits from "#limits/service-limits";
import { FakeClock } from "../support/fake-clock.ts";
import { runningService } from "../support/running-service.ts";

test("a service packs results that are older than some hours, and lists them as before", async () => {
  const clock = new FakeClock();
  await using service = await runningService({ clock });
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const monitor = {
    name: "db",
    uri: "db.internal:5432",
    periodicity: Periodicity.PERIODICITY_1M,
  };
  const made = await service.monitors(key).createTCPMonitor({ monitor });
  const monitorId = made.monitor?.id ?? "";
  const { token } = await service.admin.createPrivateLocation({
    name: "office",
    monitorIds: [monitorId],
    metadata: {},
  });
  const hour = 3_600_000;
  const thisHour = Math.floor(clock.wall() / hour) * hour;
  const results = [-4 * hour, -4 * hour + 60_000, -3 * hour, -60_000].map((before) =>
    create(BatchResultSchema, {
      result: {
        case: "tcp",
        value: {
          id: `r${before}`,
          monitorId,
          latency: 7n,
          timestamp: BigInt(thisHour + before),
          cronTimestamp: BigInt(thisHour + before),
          requestStatus: "success",
        },
      },
    }),
  );
  const report = async () => {
    const answer = await service.agent(token).ingestBatch({ instanceId: "a", results });
    return answer.receipts.map(({ receipt }) => receipt);
  };
  const accepted = await report();
  const listed = () => service.monitors(key).listResults({ monitorId });
  const before = await listed();
  expect(before.results).toHaveLength(4);
  const rows = (table: string): unknown => {
    using file = new DatabaseSync(service.database, { readOnly: true });
    return file.prepare(`SELECT COUNT(*) AS count FROM ${table}`).get()?.["count"];
  };
  // An older replica may work until then.
  await clock.advance(limits.packBeginsAfter - 1_000);
  expect([rows("packed_results"), rows("results")]).toEqual([0, 4]);
  await clock.advance(limits.packEvery);
  await expect.poll(() => rows("packed_results")).toBe(1);
  expect(rows("results")).toBe(2);
  expect(await listed()).toEqual(before);
  const again = await report();
  expect(new Set(again).isDisjointFrom(new Set(accepted))).toBe(true);
  expect(await listed()).toEqual(before);
});
