import { statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { systemClock } from "#base/clock";
import type { MonitorId } from "#service/store/ids";
import { openStore } from "#service/store/open-store";
import { poolOf } from "#service/store/postgres/pool";
import type { NewResult } from "#service/store/result-store";
import type { Store } from "#service/store/store";
import { integer } from "#service/store/sql";
import { epochMillis, hours, seconds } from "#base/units";
import { isPostgresInstalled, startPostgres } from "../test/support/postgres-server.ts";
import { workFolder } from "../packaging/work-folder.ts";
import { batchSize, openOffice, period, quantileOf } from "./stored-results.ts";
import { monthOf } from "./month-of-results.ts";
import { loadWords } from "./written-table.ts";

/**
 * What packed results take, over a generated month: bytes a result before and after, by the size of the files, and the
 * processor time to pack one and to read a page. `npm run bench:packing [-- MONITORS [DAYS]]`.
 */
const monitorCount = Number(process.argv[2] ?? 5);
const days = Number(process.argv[3] ?? 30);
const begin = epochMillis(Date.UTC(2026, 7, 1));
const end = epochMillis(begin + hours(24 * days));
const rounds = (end - begin) / period;
const detailsFrom = epochMillis(end - hours(72));

using work = workFolder(path.join(os.tmpdir(), "picket-bench-packing-"));
const print = (...cells: readonly (string | number)[]): void =>
  void process.stdout.write(`${cells.join(" | ")}\n`);

/** Of this process and its threads, in ms. */
const processor = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};

interface Sizes {
  readonly results: number;
  readonly detailed: number;
  readonly all: number;
}

interface Database {
  readonly name: string;
  readonly database: string;
  /** Does a statement past the store. */
  readonly change: (statement: string) => Promise<unknown>;
  /** Bytes on disk: of results, with their details, and with rollups and all else. */
  readonly sizes: (store: Store) => Promise<Sizes>;
}

async function measure({ name, database, change, sizes }: Database): Promise<void> {
  await using store = await openStore({ database, use: "service", onProgress: () => {} });
  const office = await openOffice(store, { monitorCount, begin, tokenHash: "hash" });
  const { location, monitors } = office;
  // Empty tables take some pages each, which are of no weight where there are more monitors.
  const empty = await sizes(store);
  const month = monitors.map((monitor, index) => monthOf(monitor, index, begin));
  let batch: NewResult[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const next of month) batch.push(next(round));
    if (batch.length < batchSize && round < rounds - 1) continue;
    await store.results.append({
      location,
      storedAt: epochMillis(begin + round * period + 700),
      results: batch,
    });
    batch = [];
  }
  // Here 500 results come at once; agents report twice a second.
  await change(
    "UPDATE results SET stored = started + latency + 2 + (monitor * 7919 + slot / 1000 * 104729 + latency * 31) % 500",
  );
  const count = rounds * monitorCount;
  const never = epochMillis(0);
  const before = { details: detailsFrom, results: never, hours: never, days: never };
  while (await store.results.forget(before));
  const perResult = (of: Sizes, what: keyof Sizes): string =>
    ((of[what] - empty[what]) / count).toFixed(1);
  const unpacked = await sizes(store);
  const read = await pages(store, monitors);
  const [began, started] = [processor(), systemClock.monotonic()];
  while (await store.results.pack(end));
  const [took, lasted] = [processor() - began, (systemClock.monotonic() - started) / 1e6];
  const packed = await sizes(store);
  const readPacked = await pages(store, monitors);
  print(name, `${count} results of ${monitorCount} monitors, ${days} days`);
  for (const [what, words] of sizeWords)
    print(
      `bytes a result, ${words}`,
      `before ${perResult(unpacked, what)}`,
      `after ${perResult(packed, what)}`,
    );
  print(
    "packing",
    `${((took * 1e3) / count).toFixed(1)} µs of processor a result`,
    `${((lasted * 1e3) / count).toFixed(1)} µs in all`,
  );
  for (const [what, was] of Object.entries(read))
    print(
      what,
      `before ${was.processor} ms of processor, median ${was.median} ms`,
      `after ${readPacked[what]?.processor} ms, median ${readPacked[what]?.median} ms`,
    );
}

const sizeWords: readonly (readonly [keyof Sizes, string])[] = [
  ["results", "results alone"],
  ["detailed", "with the details of 3 days"],
  ["all", "with details, hours and days"],
];

async function pages(
  store: Store,
  monitors: readonly MonitorId[],
): Promise<Readonly<Record<string, { processor: string; median: string }>>> {
  const window = {
    location: null,
    from: begin,
    to: end,
    cursor: null,
    skip: 0,
    limit: 100,
  } as const;
  const any = (): MonitorId => monitors[Math.floor(Math.random() * monitors.length)]!;
  const asked: Readonly<Record<string, () => Promise<unknown>>> = {
    "a page of 100 results": () =>
      store.results.window({ ...window, monitor: any(), order: "newest first" }),
    "a page of 100 results from the middle": () =>
      store.results.window({ ...window, monitor: any(), order: "oldest first", skip: 5_000 }),
    "a chart of 7 days": () =>
      store.results.stretches({
        monitor: any(),
        location: null,
        from: epochMillis(end - hours(168)),
        to: end,
        length: hours(2),
      }),
  };
  const measured: Record<string, { processor: string; median: string }> = {};
  for (const [name, ask] of Object.entries(asked)) {
    const took: number[] = [];
    const began = processor();
    const until = systemClock.monotonic() + 1e6 * seconds(1.5);
    while (systemClock.monotonic() < until) {
      const started = systemClock.monotonic();
      await ask();
      took.push((systemClock.monotonic() - started) / 1e6);
    }
    measured[name] = {
      processor: ((processor() - began) / took.length).toFixed(2),
      median: quantileOf(took, 0.5).toFixed(1),
    };
  }
  return measured;
}

const sqliteFile = path.join(work.path, "picket.db");
await measure({
  name: "SQLite",
  database: sqliteFile,
  change: async (statement) => {
    using beside = new DatabaseSync(sqliteFile, { timeout: 60_000 });
    beside.exec(`PRAGMA synchronous = OFF; ${statement}`);
  },
  sizes: async (store) => {
    // Freed pages are used again and stay in the file: a copy without them is what a month takes from then on.
    const copy = path.join(work.path, `copy-${Date.now()}.db`);
    await store.backup(`${copy}.whole`);
    using whole = new DatabaseSync(`${copy}.whole`);
    whole.exec(`VACUUM INTO '${copy}'`);
    const all = statSync(copy).size;
    using rest = new DatabaseSync(copy);
    rest.exec("DROP TABLE hourly; DROP TABLE daily; VACUUM");
    const detailed = statSync(copy).size;
    rest.exec("DROP TABLE result_details; VACUUM");
    return { all, detailed, results: statSync(copy).size };
  },
});

if (isPostgresInstalled()) {
  await using server = await startPostgres();
  const database = server.fresh();
  await using pool = poolOf(database);
  await measure({
    name: "PostgreSQL",
    database,
    change: (statement) =>
      pool.use(async (query) => {
        await query(statement);
        await query("VACUUM FULL results");
      }),
    sizes: async (store) => {
      const never = epochMillis(0);
      // The rounds of forgetting empty the days that are packed.
      while (
        await store.results.forget({ details: never, results: never, hours: never, days: never })
      );
      return pool.use(async (query) => {
        for (const table of ["results", "packed_results", "result_details"])
          await query(`VACUUM ${table}`);
        const [row] = (
          await query(`SELECT (SELECT SUM(pg_total_relation_size(relid)) FROM pg_partition_tree('results')) AS loose,
            pg_total_relation_size('packed_results') AS packed, pg_total_relation_size('result_details') AS details,
            pg_total_relation_size('hourly') + pg_total_relation_size('daily') AS rollups`)
        ).rows;
        const results = integer(row, "loose") + integer(row, "packed");
        const detailed = results + integer(row, "details");
        return { all: detailed + integer(row, "rollups"), detailed, results };
      });
    },
  });
}
print(`${os.cpus().length} processors, Node.js ${process.version}, load ${loadWords()}`);
