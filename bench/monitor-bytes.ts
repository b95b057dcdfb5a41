import { create } from "@bufbuild/protobuf";
import {
  HTTPMonitorSchema,
  MonitorsResponseSchema,
} from "#contract/private_location/v1/private_location_pb";
import { systemClock } from "#base/clock";
import { History } from "#agent/endpoint/history";
import { silentLogger } from "#base/log";
import { noteCheck } from "#metrics/check-metrics";
import { MetricStore } from "#metrics/metric-store";
import { LocalChecker } from "#agent/prober/local-checker";
import { readAssignment } from "#wire/read-assignment";
import { FakeClock } from "../test/support/fake-clock.ts";
import { shop } from "../test/support/metering.ts";
import { httpOutcome, resultWith } from "../test/support/results.ts";
import { monitorWith, TwinProber } from "../test/support/twins.ts";

/*
 * Bytes of the heap that a monitor takes, by what keeps them: after a full collection, so they hardly depend on the
 * machine's load.
 *
 *   npm run bench:monitor-bytes
 */
const count = 2_000;
const ids = (from: number, many: number): readonly string[] =>
  Array.from(
    { length: many },
    (_, n) => `0199c0de-0000-7000-8000-${String(from + n).padStart(12, "0")}`,
  );

/** A crossing between threads, which copies every text. */
const crossed = <T>(value: T): T => structuredClone(value);

/** As a thread has them that was sent them: with a header that all of them send. */
const definitions = (names: readonly string[]): unknown => {
  const token = `Bearer ${"x".repeat(200)}`;
  const httpMonitors = names.map((id) =>
    create(HTTPMonitorSchema, {
      id,
      name: `shop ${id}`,
      url: `https://shop.test/${id}`,
      periodicity: "30s",
      headers: [{ key: "authorization", value: String(Buffer.from(token)) }],
      statusCodeAssertions: [{ target: 200n, comparator: 1 }],
    }),
  );
  const { monitors } = readAssignment(create(MonitorsResponseSchema, { httpMonitors }));
  return crossed(monitors);
};

const slots = async (names: readonly string[]): Promise<unknown> => {
  const clock = new FakeClock();
  const prober = new TwinProber();
  const checker = new LocalChecker({
    clock,
    prober,
    log: silentLogger,
    chance: () => 0.5,
    concurrency: 100,
  });
  checker.apply({ start: names.map((id) => monitorWith({ id })), change: [], stop: [] });
  void checker.run(new AbortController().signal);
  await clock.advance(60_000);
  prober.probed.length = 0;
  return checker;
};

const metrics = (names: readonly string[]): unknown => {
  const store = new MetricStore(systemClock);
  const result = resultWith({ outcome: httpOutcome() });
  for (const id of names) noteCheck(store, result, shop(id, "http://c.test"), []);
  return store;
};

const history = (names: readonly string[]): unknown => {
  const kept = new History(() => true);
  for (const monitorId of names)
    kept.note(crossed(resultWith({ monitorId, outcome: httpOutcome() })));
  return kept;
};

/** A turn later nothing holds what only was in use. */
async function used(): Promise<number> {
  await new Promise(setImmediate);
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const kept: unknown[] = [];
for (const [part, build] of Object.entries({ definitions, slots, metrics, history })) {
  // What is compiled, and made at the first use, is there before.
  kept.push(await build(ids(0, 500)));
  const before = await used();
  kept.push(await build(ids(500, count)));
  const bytes = Math.round(((await used()) - before) / count);
  process.stdout.write(`${part}: ${bytes} bytes a monitor\n`);
}
