import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { httpDefaults } from "#check/definition";
import { systemClock } from "#base/clock";
import { millis } from "#base/units";
import { hashCredential } from "#service/edge/credential";
import { Keys } from "#service/edge/keys";
import type { MonitorId } from "#service/store/ids";
import { openStore } from "#service/store/open-store";
import type { Store } from "#service/store/store";
import { bundle } from "../packaging/bundle.ts";
import { workFolder } from "../packaging/work-folder.ts";
import { benchPlane } from "./bench-plane.ts";
import { processTime } from "./cpu/process-time.ts";
import { startService } from "./running-service.ts";

/*
 * What a service takes that has as many monitors and locations as it may have: memory, processor time while nobody calls
 * but the judge looks, and of a call. A process on SQLite; the processor time is that of all of its threads, so it hardly
 * depends on what else the machine does.
 *
 *   npm run bench:reach -- [--monitors 100000] [--locations 1000] [--each 300] [--seconds 30] [--windows 3]
 *
 * --each is how many monitors a location has. Nobody calls for so many windows of so many seconds, before agents have come and
 * behind that.
 */
const { values: asked } = parseArgs({
  options: {
    monitors: { type: "string", default: "100000" },
    locations: { type: "string", default: "1000" },
    each: { type: "string", default: "300" },
    seconds: { type: "string", default: "30" },
    windows: { type: "string", default: "3" },
  },
});
const [monitorCount, locationCount] = [Number(asked.monitors), Number(asked.locations)];
const each = Number(asked.each);
const madeAtOnce = 100;
const callsAtOnce = 8;
const calls = 100;
const signal = new AbortController().signal;
const tokenOf = (n: number): string => `token ${n}`;
const line = (...cells: readonly (string | number)[]): void =>
  void process.stdout.write(`| ${cells.join(" | ")} |\n`);

/** Makes so many of something, a few at a time. */
async function made<T>(count: number, make: (n: number) => Promise<T>): Promise<readonly T[]> {
  const all: T[] = [];
  while (all.length < count) {
    const some = Array.from({ length: Math.min(madeAtOnce, count - all.length) }, (_, n) =>
      make(all.length + n),
    );
    all.push(...(await Promise.all(some)));
  }
  return all;
}

async function fill({ state }: Store): Promise<void> {
  const at = systemClock.wall();
  const owned = { owner: "", labels: {}, at };
  const definition = {
    ...httpDefaults,
    url: "https://shop.test/",
    periodicity: "30s",
    active: true,
  };
  const monitors = await made(monitorCount, (n) =>
    state.monitors.create({ ...owned, definition: { ...definition, name: `shop ${n}` } }),
  );
  const some = (n: number): readonly MonitorId[] =>
    Array.from({ length: each }, (_, index) => monitors[(n * each + index) % monitorCount]).filter(
      (id) => id !== undefined,
    );
  await made(locationCount, (n) =>
    state.locations.create(
      { ...owned, name: `office ${n}`, metadata: {}, monitors: some(n) },
      { hash: hashCredential(tokenOf(n)), sealed: "", at },
    ),
  );
}

using work = workFolder(path.join(tmpdir(), "picket-bench-reach-"));
const database = path.join(work.path, "picket.db");
const key = await (async () => {
  await using store = await openStore({ database, use: "service", onProgress: () => {} });
  await fill(store);
  return (await new Keys(store, systemClock).create({ name: "bench", scope: "write" })).key;
})();
await bundle(work.path);
await using service = await startService(path.join(work.path, "picket.mjs"), database);

/** Milliseconds of a processor, and by the clock, that one of so many calls took. */
async function called(what: string, count: number, call: (n: number) => Promise<unknown>) {
  const [used, began] = [processTime(service.pid), systemClock.monotonic()];
  for (let first = 0; first < count; first += callsAtOnce)
    await Promise.all(
      Array.from({ length: Math.min(callsAtOnce, count - first) }, (_, n) => call(first + n)),
    );
  const of = (nanos: number): string => (nanos / 1e6 / count).toFixed(2);
  line(what, of(processTime(service.pid) - used), of(systemClock.monotonic() - began));
}

async function listed(call: string, request: object): Promise<void> {
  const answer = await fetch(`${service.url}/rpc/openstatus.${call}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-key": key },
    body: JSON.stringify(request),
  });
  if (!answer.ok) throw new Error(await answer.text());
  await answer.arrayBuffer();
}

/** While nobody calls: at first each monitor is judged once, and once agents are silent for too long each is judged again. */
async function atRest(after: string): Promise<void> {
  for (let window = 0; window < Number(asked.windows); window += 1) {
    const used = processTime(service.pid);
    await systemClock.sleep(millis(Number(asked.seconds) * 1e3));
    const share = (processTime(service.pid) - used) / 1e9 / Number(asked.seconds);
    const from = window * Number(asked.seconds);
    line(`at rest, ${from} s after ${after}: of a core`, `${(share * 100).toFixed(1)} %`, "");
  }
}

line(
  `${monitorCount} monitors, ${locationCount} locations of ${each}`,
  "processor, ms",
  "clock, ms",
);
line("---", "---", "---");
line("until it listens", "", service.startedAfter.toFixed(0));
await atRest("the start");
await called("a first pull", locationCount, (n) =>
  benchPlane(service.url, tokenOf(n), `agent ${n}`).pull(null, signal),
);
await atRest("the pulls");
const monitorList = "monitor.v1.MonitorService/ListMonitors";
const locationList = "private_location.v1.PrivateLocationService/ListPrivateLocations";
await called("the first monitors of the list", calls, () => listed(monitorList, { limit: 100 }));
await called("the last", calls, () =>
  listed(monitorList, { limit: 100, offset: monitorCount - 100 }),
);
await called("the first locations", calls, () => listed(locationList, { limit: 100 }));
await called("the last", calls, () =>
  listed(locationList, { limit: 100, offset: locationCount - 100 }),
);
line("memory at most, MB", service.memory().toFixed(0), "");
