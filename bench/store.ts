import { statSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "#clock";
import { noPhases } from "#check/outcome";
import { httpDefaults } from "#check/definition";
import { type LocationId, type MonitorId } from "#store/ids";
import { openStore } from "#store/open-store";
import type { NewResult } from "#store/result-store";
import type { Store } from "#store/store";
import { epochMillis, hours, millis, nanos, seconds } from "#units";
import { workFolder } from "../packaging/work-folder.ts";

/**
 * What the store costs on SQLite, in one run: how fast it takes results, what one takes on disk with its rollups, and
 * how long each question takes while results come in. `npm run bench:store [-- MILLIONS [FOLDER]]`.
 */
const millions = Number(process.argv[2] ?? 1);
const monitorCount = 1_000;
const period = seconds(30);
const begin = epochMillis(Date.UTC(2026, 7, 1));
using work = workFolder(path.join(process.argv[3] ?? tmpdir(), "picket-bench-store-"));
const file = path.join(work.path, "picket.db");
const print = (...cells: readonly (string | number)[]): void =>
  void process.stdout.write(`${cells.join(" | ")}\n`);
const now = (): number => systemClock.monotonic() / 1e6;

/** Most are good and near 40 ms; one in fifty is slow or fails. */
function resultOf(monitor: MonitorId, round: number): NewResult {
  const slot = epochMillis(begin + round * period + (monitor % 30_000));
  const noise = Math.random();
  const latency = 20 + monitor / 50 + 40 * noise ** 3;
  const isBad = noise < 0.02;
  return {
    monitor,
    slot,
    period,
    status: isBad ? "error" : "success",
    latency: millis(Math.round(latency)),
    startedAt: epochMillis(slot + Math.round(noise * 20)),
    statusCode: 200,
    failure: isBad ? { code: "unexpected_status", phase: "assertion" } : null,
    phases: {
      ...noPhases,
      dns: nanos(1e6 * noise),
      connect: nanos(2e6 + 1e6 * noise),
      tls: nanos(9e6 + 1e6 * noise),
      wait: nanos(latency * 8e5),
      receive: nanos(1e5),
    },
    attempts: 1,
    trigger: "cron",
    perhapsSlow: false,
    excuse: null,
    detail: { message: isBad ? "the status is 500" : "", payload: new Uint8Array(isBad ? 650 : 1) },
  };
}

async function fill(
  store: Store,
  location: LocationId,
  monitors: readonly MonitorId[],
): Promise<number> {
  const rounds = Math.ceil((millions * 1e6) / monitors.length);
  const began = now();
  const sent = new Set<Promise<unknown>>();
  for (let round = 0; round < rounds; round += 1) {
    for (let first = 0; first < monitors.length; first += 500) {
      const results = monitors.slice(first, first + 500).map((id) => resultOf(id, round));
      const batch = store.results.append({ location, storedAt: results[0]!.startedAt, results });
      sent.add(batch);
      void batch.then(() => sent.delete(batch));
      // Two agents, each with one batch on its way.
      if (sent.size >= 2) await Promise.race(sent);
    }
    if (round % 500 === 499) {
      const stored = (round + 1) * monitors.length;
      print(
        `${stored / 1e6} million`,
        `${Math.round(stored / ((now() - began) / 1e3))} results/s so far`,
      );
    }
  }
  await Promise.all(sent);
  return rounds;
}

/** Each question again and again for some seconds, while `perSecond` results come in. */
async function questions(
  store: Store,
  location: LocationId,
  monitors: readonly MonitorId[],
  rounds: number,
): Promise<void> {
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
    "the location of a token": () => store.state.locations.ofToken("hash", end),
    "a monitor": () => store.state.monitors.get(any()),
    "100 monitors": () => store.state.monitors.list({ limit: 100, offset: 500 }),
    "newest slots of a location with 1,000 monitors": () => store.results.newestSlots(location),
    "views of 100 monitors": () => store.results.views(some(100)),
    "totals of everything": () => store.results.totals(null),
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
  const coming = ingest(store, location, monitors, rounds, stopping.signal);
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
    const sorted = took.toSorted((a, b) => a - b);
    const at = (share: number): string =>
      (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
    print(name, took.length, at(0.5), at(0.95), sorted.at(-1)?.toFixed(1) ?? "");
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
  location: LocationId,
  monitors: readonly MonitorId[],
  rounds: number,
  signal: AbortSignal,
): Promise<{ perSecond: number; p95: number }> {
  const took: number[] = [];
  const began = now();
  for (let batch = 0; !signal.aborted; batch += 1) {
    const first = (batch % 2) * 500;
    const results = monitors
      .slice(first, first + 500)
      .map((id) => resultOf(id, rounds + (batch >> 1)));
    const sent = now();
    await store.results.append({ location, storedAt: results[0]!.startedAt, results });
    took.push(now() - sent);
    await systemClock.sleep(millis(500 - (now() - sent)), signal);
  }
  const perSecond = Math.round((took.length * 500) / ((now() - began) / 1e3));
  return { perSecond, p95: took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.95)] ?? 0 };
}

{
  await using store = await openStore({ database: file, use: "service", onProgress: () => {} });
  const definition = {
    ...httpDefaults,
    name: "shop",
    url: "https://shop.test/",
    periodicity: "30s",
    active: true,
  };
  const monitors: MonitorId[] = [];
  for (let made = 0; made < monitorCount; made += 100)
    monitors.push(
      ...(await Promise.all(
        Array.from({ length: 100 }, () =>
          store.state.monitors.create({ definition, owner: "", labels: {}, at: begin }),
        ),
      )),
    );
  const made = { name: "office", metadata: {}, monitors, owner: "", labels: {}, at: begin };
  const location = await store.state.locations.create(made, {
    hash: "hash",
    sealed: "",
    at: begin,
  });
  print(`${millions} million results of ${monitorCount} monitors, ${cpus().length} processors`);
  const began = now();
  const rounds = await fill(store, location, monitors);
  const took = (now() - began) / 1e3;
  print("ingest", `${Math.round((rounds * monitorCount) / took)} results/s in batches of 500`);
  const bytes = statSync(file).size;
  print(
    "on disk",
    `${(bytes / (rounds * monitorCount)).toFixed(1)} bytes a result, with rollups and 2 % with a detail of 650 bytes`,
  );
  await questions(store, location, monitors, rounds);
  print("memory", `${Math.round(process.memoryUsage().rss / 2 ** 20)} MB resident`);
}
const began = now();
await using again = await openStore({ database: file, use: "service", onProgress: () => {} });
await again.state.monitors.count();
print("start", `${Math.round(now() - began)} ms`);
