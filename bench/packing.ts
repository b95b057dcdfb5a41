import { rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { systemClock } from "#base/clock";
import type { LocationId, MonitorId } from "#service/store/ids";
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
 * What packed results take, over generated days: bytes a result by the size of the files, and the processor time to pack
 * one and to read a page. `npm run bench:packing [-- MONITORS [DAYS]]`.
 *
 * Results come day by day, and after each day the service packs and forgets, as it does while it runs. Of more monitors
 * than `madeMonitors` the others are copies of these, row by row: nothing is packed across rows, so they take as much.
 */
const monitorCount = Number(process.argv[2] ?? 5);
const days = Number(process.argv[3] ?? 30);
const madeMonitors = Math.min(monitorCount, 100);
const copies = Math.floor(monitorCount / madeMonitors);
const begin = epochMillis(Date.UTC(2026, 7, 1));
const end = epochMillis(begin + hours(24 * days));
const roundsADay = hours(24) / period;
const detailsKept = hours(72);

using work = workFolder(path.join(os.tmpdir(), "picket-bench-packing-"));
const print = (...cells: readonly (string | number)[]): void =>
  void process.stdout.write(`${cells.join(" | ")}\n`);

/** Of this process and its threads, in ms. */
const processor = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};

/** Bytes on disk. */
interface Sizes {
  readonly results: number;
  readonly details: number;
  readonly rollups: number;
}

interface Database {
  readonly name: string;
  readonly database: string;
  /** Does a statement past the store. */
  readonly change: (statement: string) => Promise<unknown>;
  /** As a database does by itself now and then: gives free what was deleted. */
  readonly clean: () => Promise<unknown>;
  readonly sizes: (store: Store) => Promise<Sizes>;
}

async function measure({ name, database, change, clean, sizes }: Database): Promise<void> {
  await using store = await openStore({ database, use: "service", onProgress: () => {} });
  const office = await openOffice(store, { monitorCount: madeMonitors, begin, tokenHash: "hash" });
  const { location, monitors } = office;
  // Empty tables take some pages each, which are of no weight where there are more monitors.
  const empty = await sizes(store);
  const month = monitors.map((monitor, index) => monthOf(monitor, index, begin));
  print(name, `${monitorCount} monitors, ${days} days, ${madeMonitors} of them generated`);
  let [took, lasted] = [0, 0];
  for (let day = 0; day < days; day += 1) {
    await fillDay(store, location, month, day);
    // Here 500 results come at once; agents report twice a second.
    await change(spreadArrivals);
    const dayEnd = epochMillis(begin + hours(24 * (day + 1)));
    if (day === 0) {
      const loose = await sizes(store);
      const each = (loose.results - empty.results) / (roundsADay * madeMonitors);
      print("bytes of a result that is not packed, without its detail", each.toFixed(1));
    }
    const [began, started] = [processor(), systemClock.monotonic()];
    while (await store.results.pack(dayEnd));
    took += processor() - began;
    lasted += (systemClock.monotonic() - started) / 1e6;
    const never = epochMillis(0);
    const details = epochMillis(dayEnd - detailsKept);
    while (await store.results.forget({ details, results: never, hours: never, days: never }));
    await clean();
  }
  for (let copy = 1; copy < copies; copy += 1)
    for (const statement of copiesOf(monitors, copy)) await change(statement);
  await clean();
  const all = await sizes(store);
  const count = roundsADay * days * madeMonitors * copies;
  const each = (what: keyof Sizes): number => (all[what] - empty[what]) / count;
  // Of more days than details are kept for, each result has the same share of them.
  const detailDays = Math.min(days, detailsKept / hours(24));
  const detailsOver = (kept: number): number => (each("details") * days * (3 / detailDays)) / kept;
  print("bytes of a result", each("results").toFixed(2));
  print("with the details of 3 days, over 30 days", (each("results") + detailsOver(30)).toFixed(2));
  print("the same over the 14 days that are kept", (each("results") + detailsOver(14)).toFixed(2));
  print("hours and days in addition", each("rollups").toFixed(2));
  print("on disk in all, MB", (Object.values(all).reduce((a, b) => a + b) / 1e6).toFixed(0));
  const micros = (millis: number): string => ((millis * 1e3) / (count / copies)).toFixed(1);
  print("packing", `${micros(took)} µs of processor a result`, `${micros(lasted)} µs in all`);
  for (const [what, was] of Object.entries(await pages(store, monitors)))
    print(what, `${was.processor} ms of processor, median ${was.median} ms`);
}

async function fillDay(
  store: Store,
  location: LocationId,
  month: readonly ((round: number) => NewResult)[],
  day: number,
): Promise<void> {
  let batch: NewResult[] = [];
  for (let round = day * roundsADay; round < (day + 1) * roundsADay; round += 1) {
    for (const next of month) batch.push(next(round));
    if (batch.length < batchSize && round < (day + 1) * roundsADay - 1) continue;
    const storedAt = epochMillis(begin + round * period + 700);
    await store.results.append({ location, storedAt, results: batch });
    batch = [];
  }
}

const spreadArrivals =
  "UPDATE results SET stored = started + latency + 2 + (monitor * 7919 + slot / 1000 * 104729 + latency * 31) % 500";

/** Rows of the monitors again, with other numbers. */
function copiesOf(monitors: readonly MonitorId[], copy: number): readonly string[] {
  const [least, most] = [Math.min(...monitors), Math.max(...monitors)];
  const own = `WHERE monitor BETWEEN ${least} AND ${most}`;
  const id = `monitor + ${copy * (most - least + 1)}`;
  const rollup = (table: string): string =>
    `INSERT INTO ${table} SELECT bucket, ${id}, location, success, degraded, error, unknown, known, down,
       latency_sum, latency_max, latencies FROM ${table} ${own}`;
  return [
    `INSERT INTO results SELECT ${id}, location, slot, status, latency, started, status_code, failure, stored, phases,
       attempts, asked FROM results ${own}`,
    `INSERT INTO packed_results SELECT ${id}, location, hour, count, body FROM packed_results ${own}`,
    `INSERT INTO result_details SELECT ${id}, location, slot, message, payload FROM result_details ${own}`,
    `INSERT INTO packed_details SELECT ${id}, location, span, body FROM packed_details ${own}`,
    rollup("hourly"),
    rollup("daily"),
  ];
}

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
const beside = (statement: string): void => {
  using sqlite = new DatabaseSync(sqliteFile, { timeout: 60_000 });
  sqlite.exec(`PRAGMA synchronous = OFF; ${statement}`);
};
await measure({
  name: "SQLite",
  database: sqliteFile,
  change: async (statement) => beside(statement),
  clean: async () => {},
  sizes: async () => {
    // Freed pages are used again and stay in the file: a copy without them is what a month takes from then on.
    const copy = path.join(work.path, `copy-${Date.now()}.db`);
    beside(`VACUUM INTO '${copy}'`);
    using rest = new DatabaseSync(copy);
    const sizes: number[] = [statSync(copy).size];
    for (const tables of [
      ["hourly", "daily"],
      ["result_details", "packed_details"],
    ]) {
      rest.exec(`${tables.map((table) => `DROP TABLE ${table};`).join("")} VACUUM`);
      sizes.push(statSync(copy).size);
    }
    rmSync(copy);
    const [all = 0, detailed = 0, results = 0] = sizes;
    return { results, details: detailed - results, rollups: all - detailed };
  },
});

if (isPostgresInstalled()) {
  await using server = await startPostgres();
  const database = server.fresh();
  await using pool = poolOf(database);
  await measure({
    name: "PostgreSQL",
    database,
    change: (statement) => pool.use((query) => query(statement)),
    clean: () =>
      pool.use(async (query) => {
        const tables = ["results", "packed_results", "result_details", "packed_details"];
        for (const table of tables) await query(`VACUUM ${table}`);
      }),
    sizes: async (store) => {
      const never = epochMillis(0);
      // The rounds of forgetting empty the days that are packed.
      while (
        await store.results.forget({ details: never, results: never, hours: never, days: never })
      );
      return pool.use(async (query) => {
        const size = (table: string): string => `pg_total_relation_size('${table}')`;
        const [row] = (
          await query(`SELECT (SELECT SUM(pg_total_relation_size(relid)) FROM pg_partition_tree('results'))
              + ${size("packed_results")} AS results,
            ${size("result_details")} + ${size("packed_details")} AS details,
            ${size("hourly")} + ${size("daily")} AS rollups`)
        ).rows;
        return {
          results: integer(row, "results"),
          details: integer(row, "details"),
          rollups: integer(row, "rollups"),
        };
      });
    },
  });
}
print(`${os.cpus().length} processors, Node.js ${process.version}, load ${loadWords()}`);
