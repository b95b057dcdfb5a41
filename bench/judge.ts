import { tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { epochMillis, millis } from "#base/units";
import { startService } from "#service/server";
import { locationId, type MonitorId, monitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { openStore } from "#service/store/open-store";
import { workFolder } from "../packaging/work-folder.ts";
import { fillMonitors, resultOf } from "./pages/many-monitors.ts";
import { quantileOf } from "./stored-results.ts";
import { loadWords } from "./written-table.ts";

/*
 * What a result costs the service, the judge's work included, with 100, 10,000 and 100,000 monitors: processor time of all
 * threads, in microseconds. Each batch has the results of the same hundred monitors, spread over all, half of which turn.
 * The sizes take turns, so that what else the machine does is the same for each: the least of the turns can be compared on
 * a busy machine, too. It is to be the same at every size. `npm run bench:judge [-- MONITORS …]`.
 */
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [100, 10_000, 100_000];
const batch = 100;
const batches = 10;
const turns = 12;
using work = workFolder(path.join(tmpdir(), "picket-bench-"));
const print = (...cells: readonly (string | number)[]): void =>
  void process.stdout.write(`| ${cells.join(" | ")} |\n`);

const processorMicros = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

interface Sized {
  readonly monitors: number;
  /** Microseconds of a processor for a result, in one turn. */
  readonly turn: () => Promise<number>;
}

async function begin(monitors: number, stack: AsyncDisposableStack): Promise<Sized> {
  const database = path.join(work.path, `${monitors}.sqlite`);
  const now = systemClock.wall();
  await fillMonitors({ database, monitors, days: 1, token: "pkt_loc_bench", now });
  const opened: Store[] = [];
  stack.use(
    await startService({
      database,
      host: "127.0.0.1",
      port: 0,
      clock: systemClock,
      log: silentLogger,
      opensStore: async (place) => {
        const store = await openStore(place);
        opened.push(store);
        return store;
      },
    }),
  );
  const [store] = opened;
  if (store === undefined) throw new Error("the service opened no store");
  await allJudged(store);
  const some = Array.from({ length: batch }, (_, index) =>
    monitorId(1 + index * Math.floor(monitors / batch)),
  );
  let slot: number = now;
  let isOdd = false;
  const report = async (): Promise<void> => {
    slot += 1;
    isOdd = !isOdd;
    await reportAll(store, some, slot, isOdd);
  };
  const turn = async (): Promise<number> => {
    const before = processorMicros();
    for (let index = 0; index < batches; index += 1) await report();
    return (processorMicros() - before) / (batch * batches);
  };
  return { monitors, turn };
}

async function allJudged(store: Store): Promise<void> {
  const share = { parts: 1, rests: [0] };
  while ((await store.state.states.due(systemClock.wall(), share, 1)).length > 0)
    await systemClock.sleep(millis(20));
}

async function reportAll(
  store: Store,
  monitors: readonly MonitorId[],
  slot: number,
  isOdd: boolean,
): Promise<void> {
  const results = monitors.map((monitor, n) =>
    resultOf(monitor, epochMillis(slot), (n % 2 === 1) === isOdd),
  );
  await store.results.append({ location: locationId(1), storedAt: epochMillis(slot), results });
  await allJudged(store);
}

process.stdout.write(`load ${loadWords()}\n`);
await using services = new AsyncDisposableStack();
const all: Sized[] = [];
for (const monitors of sizes) all.push(await begin(monitors, services));
const took = new Map(all.map(({ monitors }) => [monitors, new Array<number>()]));
// V8 compiles in the first ones.
for (let index = 0; index < turns + 3; index += 1)
  for (const { monitors, turn } of all) {
    const micros = await turn();
    if (index >= 3) took.get(monitors)?.push(micros);
  }
print("monitors", "µs of a processor for a result, judged: least", "median");
for (const [monitors, micros] of took)
  print(
    monitors.toLocaleString("en"),
    Math.min(...micros).toFixed(0),
    quantileOf(micros, 0.5).toFixed(0),
  );
process.stdout.write(`load ${loadWords()}\n`);
