import { expect, test } from "vitest";
import type { Echo } from "#check/echoes";
import type { OutcomeOf } from "#check/outcome";
import { MonitorService, Periodicity } from "#contract/openstatus/monitor/v1/monitor_pb";
import { PrivateLocationService, Receipt } from "#contract/private_location/v1/private_location_pb";
import { epochMillis, type EpochMillis, millis, nanos } from "#base/units";
import { operatorScene, type OperatorScene } from "../../support/operator-scene.ts";
import { resultWith, wireMessage } from "../../support/results.ts";
import { serviceClient } from "../../support/service-client.ts";
import { passed } from "../../support/twins.ts";

/** What people see of pings: parts of a millisecond, the band of round trips, and echoes that were lost. */

const textOf = (page: string): string => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

/** Each in microseconds; null is lost. */
function pinged(trips: readonly (number | null)[]): OutcomeOf<"icmp"> {
  const outcome = passed("icmp");
  if (outcome.kind !== "icmp") throw new Error("passed() gave another kind");
  const echoes = trips.map((trip): Echo => ({
    roundTrip: trip === null ? null : nanos(trip * 1e3),
    errorBar: nanos(0),
    refusal: null,
  }));
  const all = trips.filter((trip) => trip !== null);
  const mean = nanos((all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length)) * 1e3);
  return {
    ...outcome,
    echoes,
    address: "10.0.0.1",
    phases: { ...outcome.phases, connect: mean },
    total: mean,
  };
}

/** A ping monitor with these results, each a period after the one before, the last one now. */
async function pings(
  all: readonly OutcomeOf<"icmp">[],
): Promise<OperatorScene & { readonly id: string }> {
  const scene = await operatorScene({ days: 0 });
  const { service, clock } = scene;
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const { monitor } = await serviceClient(
    MonitorService,
    service.url,
    "x-service-key",
    key,
  ).createICMPMonitor({
    monitor: { name: "Switch", uri: "10.0.0.1", periodicity: Periodicity.PERIODICITY_1M },
  });
  const monitorId = monitor?.id ?? "";
  const { token } = await service.admin.createPrivateLocation({
    name: "cellar",
    monitorIds: [monitorId],
    metadata: {},
  });
  const slotOf = (index: number): EpochMillis =>
    epochMillis(clock.wall() - (all.length - 1 - index) * 60_000);
  const results = all.map((outcome, index) =>
    wireMessage(
      resultWith({
        monitorId,
        kind: "icmp",
        uri: "10.0.0.1",
        slot: slotOf(index),
        startedAt: slotOf(index),
        latency: millis(0),
        outcome,
      }),
    ),
  );
  const agent = serviceClient(PrivateLocationService, service.url, "x-service-token", token);
  const { receipts } = await agent.ingestBatch({ results });
  expect(receipts.map(({ receipt }) => receipt)).toEqual(all.map(() => Receipt.ACCEPTED));
  return { ...scene, id: monitorId };
}

/** Its pings are older than the monitor, with which the other ranges begin. */
const hour = "range=custom&from=2026-11-22T11:00&to=2026-11-22T12:00";

test("a ping's page has microseconds, a band from the shortest to the longest round trip, and what was lost", async () => {
  const { get, id } = await pings([
    pinged([70, 80, 90]),
    pinged([60, null, 84]),
    pinged([72, 80, 88]),
  ]);
  const page = await (await get(`/monitors/${id}?${hour}`)).text();
  expect(page).toMatch(/<path class="band" d="M[\d. L]+z" \/>/);
  expect(page).toMatch(/<path class="lost" d="M[\d. ]+v-14" \/>/);
  const words = textOf(page).replaceAll(/[\u00a0\u202f]/g, " ");
  expect(words).toContain(
    "3 passed, 0 degraded, 0 failed; the highest p95 of any 1 min is 0.08 ms; 1 of 9 echoes lost, 11 %.",
  );
  expect(words).toContain("Shortest to longest round trip");
  // Its one phase is the latency: no chart of phases repeats it, and it is not called connecting.
  expect(words).toContain("When Time Share round trip 0.080 ms");
  expect(words).not.toContain("connect ");
  expect(words).not.toContain("Phases");
  expect(words).toContain("Last good check with details: 0.08 ms");
  expect(words).toContain("No channel is notified of this monitor.");
  expect(words).toContain(
    "3 passed 11:58:00 to 12:00:00 cellar 0.072 ms to 0.08 ms 12:00:00 cellar 0.08 ms",
  );
  const day = await (
    await get(`/monitors/${id}?range=custom&from=2026-11-21T12:00&to=2026-11-22T12:00`)
  ).text();
  expect(day).toMatch(/<path class="band" /);
  const listed: unknown = await (await get(`/monitors/${id}.json?${hour}`)).json();
  expect(listed).toMatchObject({
    newest: [
      { latency_ms: 0.08, echoes: { sent: 3, received: 3, min_ms: 0.072, max_ms: 0.088 } },
      { echoes: { received: 2 } },
      {},
    ],
  });
});

test("a monitor of another kind has no band", async () => {
  const { get } = await operatorScene({ days: 1 });
  const page = await (await get("/monitors/1?range=1h")).text();
  expect(page).not.toMatch(/class="band"|echo/);
});
