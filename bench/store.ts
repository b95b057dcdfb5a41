import { statSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "#base/clock";
import type { MonitorId } from "#service/store/ids";
import { openStore } from "#service/store/open-store";
import type { Store } from "#service/store/store";
import { epochMillis, hours, millis } from "#base/units";
import { workFolder } from "../packaging/work-folder.ts";
import {
  batchSize,
  fill,
  type Office,
  openOffice,
  period,
  quantileOf,
  resultOf,
} from "./stored-results.ts";

/**
 * What the store costs on SQLite, in one run: how fast it takes results, what one takes on disk with its rollups, and
 * how long each question takes while results come in. `npm run bench:store [-- MILLIONS [FOLDER]]`.
 */
const millions = Number(process.argv[2] ?? 1);
const monitorCount = 1_000;
const begin = epochMillis(Date.UTC(2026, 7, 1));
using work = workFolder(path.join(process.argv[3] ?? tmpdir(), "picket-bench-store-"));
const file = path.join(work.path, "picket.db");
const print = (...cells: readonly (string | number)[]): void =>
  void process.stdout.write(`${cells.join(" | ")}\n`);
const now = (): number => systemClock.monotonic() / 1e6;

/** Each question again and again for some seconds, while `perSecond` results come in. */
async function questions(store: Store, office: Office, rounds: number): Promise<void> {
  const { location, monitors } = office;
  const end = epochMillis(begin + rounds * period);
  const any = (): MonitorId => monitors[Math.floor(Math.random() * monitors.length)]!;
  const some = (count: number): MonitorId[] => Array.from({ length: count }, any);
  const window = {
    location: null,
    from: begin,
    to: end,
    cursor: null,
    skip: 0,
    limit: 100,
  } as const;
  const asked: Readonly<Record<string, () => Promise<unknown>>> = {
    "the location of a token": () => store.state.locations.ofToken("hash"),
    "a monitor": () => store.state.monitors.get(any()),
    "100 monitors": () => store.state.monitors.list({ limit: 100, offset: 500 }),
    "newest slots of 200 monitors": () => store.results.newestSlots(location, some(200)),
    "views of 100 monitors": () => store.results.views(some(100)),
    "totals of 100 monitors": () => store.results.totals(null, some(100)),
    "a page of 100 results": () =>
      store.results.window({ ...window, monitor: any(), order: "newest first" }),
    "a page of 100 results from the middle": () =>
      store.results.window({ ...window, monitor: any(), order: "oldest first", skip: 5_000 }),
    "14 days of hours of a monitor": () =>
      store.results.buckets({
        monitors: [any()],
        location: null,
        grain: "hour",
        from: epochMillis(end - hours(336)),
        to: end,
      }),
    "90 days of 50 monitors": () =>
      store.results.buckets({
        monitors: some(50),
        location: null,
        grain: "day",
        from: epochMillis(end - hours(2_160)),
        to: end,
      }),
  };
  const stopping = new AbortController();
  const coming = ingest(store, office, rounds, stopping.signal);
  print("question", "times", "median ms", "p95 ms", "worst ms");
  for (const [name, ask] of Object.entries(asked)) {
    const took: number[] = [];
    const until = now() + 3_000;
    while (now() < until) {
      const began = now();
      await ask();
      took.push(now() - began);
      await systemClock.sleep(millis(5));
    }
    const at = (share: number): string => quantileOf(took, share).toFixed(1);
    print(name, took.length, at(0.5), at(0.95), at(1));
  }
  stopping.abort();
  const taken = await coming;
  print(
    "meanwhile",
    `${taken.perSecond} results/s came in`,
    `a batch of 500: p95 ${taken.p95.toFixed(1)} ms`,
  );
}

/** Two batches of 500 a second. */
async function ingest(
  store: Store,
  office: Office,
  rounds: number,
  signal: AbortSignal,
): Promise<{ perSecond: number; p95: number }> {
  const { location, monitors } = office;
  const took: number[] = [];
  const began = now();
  for (let batch = 0; !signal.aborted; batch += 1) {
    const first = (batch % 2) * batchSize;
    const results = monitors
      .slice(first, first + batchSize)
      .map((id) => resultOf(office, id, rounds + (batch >> 1)));
    const sent = now();
    await store.results.append({ location, storedAt: results[0]!.startedAt, results });
    took.push(now() - sent);
    await systemClock.sleep(millis(500 - (now() - sent)), signal);
  }
  const perSecond = Math.round((took.length * batchSize) / ((now() - began) / 1e3));
  return { perSecond, p95: quantileOf(took, 0.95) };
}

{
  await using store = await openStore({ database: file, use: "service", onProgress: () => {} });
  const office = await openOffice(store, { monitorCount, begin, tokenHash: "hash" });
  print(`${millions} million results of ${monitorCount} monitors, ${cpus().length} processors`);
  const began = now();
  const rounds = Math.ceil((millions * 1e6) / monitorCount);
  await fill(store, office, rounds, print);
  const took = (now() - began) / 1e3;
  print("ingest", `${Math.round((rounds * monitorCount) / took)} results/s in batches of 500`);
  const bytes = statSync(file).size;
  print(
    "on disk",
    `${(bytes / (rounds * monitorCount)).toFixed(1)} bytes a result, with rollups and 2 % with a detail of 650 bytes`,
  );
  await questions(store, office, rounds);
  print("memory", `${Math.round(process.memoryUsage().rss / 2 ** 20)} MB resident`);
}
const began = now();
await using again = await openStore({ database: file, use: "service", onProgress: () => {} });
await again.state.monitors.count();
print("start", `${Math.round(now() - began)} ms`);
