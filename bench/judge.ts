import { tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { epochMillis, millis } from "#base/units";
import { startService } from "#service/server";
import { locationId, monitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { openStore } from "#service/store/open-store";
import { workFolder } from "../packaging/work-folder.ts";
import { fillMonitors, resultOf } from "./pages/many-monitors.ts";
import { loadWords } from "./written-table.ts";

/*
 * What a result costs the service, the judge's work included, with 100, 10,000 and 100,000 monitors: processor time of all
 * threads, in microseconds. Each batch has the results of a hundred monitors, half of which turn. It is to be the same
 * at every size. `npm run bench:judge [-- MONITORS …]`.
 */
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [100, 10_000, 100_000];
const batch = 100;
const batches = 60;
using work = workFolder(path.join(tmpdir(), "picket-bench-"));
const print = (...cells: readonly (string | number)[]): void =>
  void process.stdout.write(`| ${cells.join(" | ")} |\n`);

const processorMicros = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

async function measure(monitors: number): Promise<void> {
  const database = path.join(work.path, `${monitors}.sqlite`);
  const now = systemClock.wall();
  await fillMonitors({ database, monitors, days: 1, token: "pkt_loc_bench", now });
  const opened: Store[] = [];
  await using _ = await startService({
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
  });
  const [store] = opened;
  if (store === undefined) throw new Error("the service opened no store");
  const isJudged = async (): Promise<boolean> => {
    const share = { parts: 1, rests: [0] };
    return (await store.state.states.due(systemClock.wall(), share, 1)).length === 0;
  };
  const judged = async (): Promise<void> => {
    while (!(await isJudged())) await systemClock.sleep(millis(20));
  };
  await judged();
  let slot: number = now;
  const report = async (index: number): Promise<void> => {
    slot += 1;
    const results = Array.from({ length: batch }, (_one, n) =>
      resultOf(
        monitorId(1 + ((index * batch + n) % monitors)),
        epochMillis(slot),
        n % 2 === index % 2,
      ),
    );
    await store.results.append({ location: locationId(1), storedAt: epochMillis(slot), results });
    await judged();
  };
  for (let index = 0; index < batches; index += 1) await report(index);
  const before = processorMicros();
  for (let index = 0; index < batches; index += 1) await report(index);
  const each = (processorMicros() - before) / (batch * batches);
  print(monitors.toLocaleString("en"), each.toFixed(0));
}

process.stdout.write(`load ${loadWords()}\n`);
print("monitors", "µs of a processor for a result, judged");
for (const monitors of sizes) await measure(monitors);
process.stdout.write(`load ${loadWords()}\n`);
