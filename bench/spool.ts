import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { unseen } from "#check/kinds/unseen";
import { systemClock } from "#base/clock";
import { failure } from "#check/failure";
import { silentLogger } from "#base/log";
import type { Outcome } from "#check/outcome";
import { memorySpool } from "#agent/spool/memory-spool";
import { type Report, reportOf } from "#wire/report";
import { rowBytes } from "#agent/spool/row-bytes";
import type { Spool } from "#agent/spool/spool";
import { SqliteSpool } from "#agent/spool/sqlite-spool";
import { epochMillis, hours, mebibytes, millis } from "#base/units";
import { workFolder } from "../packaging/work-folder.ts";

/**
 * What a report costs in a spool on disk, beside one in memory and none at all, in one run: at the pace of a full agent
 * and as fast as it goes; what a save takes; and how large the file becomes when it is full. `npm run bench:spool`.
 */
const monitors = 10_000;
const perSecond = 333;
const rules = { bytesMax: mebibytes(256), ageMax: hours(24) };
using work = workFolder(path.join(process.argv[2] ?? tmpdir(), "picket-bench-"));
const folder = work.path;
const file = path.join(folder, "spool.sqlite");
const print = (...cells: readonly (string | number)[]): void =>
  void process.stdout.write(`${cells.join(" | ")}\n`);

const onDisk = (bytesMax = rules.bytesMax, name = file): SqliteSpool =>
  new SqliteSpool({
    file: name,
    limits: { ...rules, bytesMax },
    clock: systemClock,
    log: silentLogger,
  });
const nothing: Pick<Spool, "add" | "settle" | "save"> = {
  add: () => {},
  settle: () => {},
  save: () => {},
};

let made = 0;
/** An HTTP result as most are: a success with its phases, of one of ten thousand monitors. */
function report(): Report {
  made += 1;
  const startedAt = systemClock.wall();
  const outcome: Outcome = unseen("tcp", startedAt, failure("agent_error", "agent", "unused"));
  return reportOf({
    id: `01890000-0000-7000-8000-${String(made).padStart(12, "0")}`,
    monitorId: `7d444840-9dc0-11d1-b245-${String(made % monitors).padStart(12, "0")}`,
    kind: "tcp",
    uri: "shop.example.test:443",
    slot: epochMillis(startedAt + made),
    startedAt,
    status: "success",
    failure: null,
    cause: null,
    place: null,
    degradedAt: null,
    latency: millis(12),
    outcome: { ...outcome, failure: null },
    evaluations: [],
    attempts: [],
  });
}

const elapsed = (work: () => void): number => {
  const began = systemClock.monotonic();
  work();
  return (systemClock.monotonic() - began) / 1e3;
};
const inMillis = (micros: number): string => `${(micros / 1e3).toFixed(1)} ms`;
const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;

interface Cost {
  readonly perReport: number;
  readonly save: number;
  readonly saveMax: number;
}

/** Rounds of `count` reports, of which the service takes a share before each save and the rest after it. */
function cost(
  spool: Pick<Spool, "add" | "settle" | "save">,
  count: number,
  rounds: number,
  share: number,
): Cost {
  const saves: number[] = [];
  let total = 0;
  for (let round = 0; round < rounds; round += 1) {
    const reports = Array.from({ length: count }, report);
    const ids = reports.map(({ id }) => id);
    const before = Math.floor(count * share);
    total += elapsed(() => reports.forEach((one) => spool.add(one)));
    total += elapsed(() => spool.settle(ids.slice(0, before)));
    saves.push(elapsed(() => spool.save()));
    total += elapsed(() => spool.settle(ids.slice(before)));
  }
  const saving = saves.reduce((sum, one) => sum + one, 0);
  return {
    perReport: (total + saving) / (count * rounds),
    save: median(saves),
    saveMax: Math.max(...saves),
  };
}

const payload = report().payload.byteLength;
print(`a report: ${payload} bytes; folder ${path.dirname(folder)}`);
print(
  "reports a save",
  "taken before it",
  "spool",
  "µs a report",
  "against memory",
  "median save ms",
  "worst save ms",
);
for (const [count, rounds] of [
  [perSecond, 60],
  [10_000, 8],
] as const)
  for (const share of [1, 0.5, 0]) {
    using disk = onDisk();
    using memory = memorySpool(systemClock, rules);
    const spools = { none: nothing, memory, disk };
    const costs = Object.entries(spools).map(([name, spool]) => {
      cost(spool, count, 3, share);
      return { name, ...cost(spool, count, rounds, share) };
    });
    const base = costs[1]?.perReport ?? Number.NaN;
    for (const { name, perReport, save, saveMax } of costs)
      print(
        count,
        `${share * 100} %`,
        name,
        perReport.toFixed(2),
        `${(perReport / base).toFixed(1)}×`,
        (save / 1e3).toFixed(2),
        (saveMax / 1e3).toFixed(2),
      );
  }

/** An outage that is longer by half than the spool has room for. */
function fill(mebibytesMax: number): void {
  const name = path.join(folder, `full-${mebibytesMax}.sqlite`);
  const bytesMax = mebibytes(mebibytesMax);
  const took: number[] = [];
  let largest = 0;
  {
    using spool = onDisk(bytesMax, name);
    const enough = (1.5 * bytesMax) / rowBytes(payload);
    for (let count = 0; count < enough; count += 1_000) {
      for (let n = 0; n < 1_000; n += 1) spool.add(report());
      took.push(elapsed(() => spool.save()));
      largest = Math.max(largest, statSync(name).size + statSync(`${name}-wal`).size);
    }
    const share = (largest / bytesMax).toFixed(2);
    print(`full at ${mebibytesMax} MiB: ${spool.size} wait, ${spool.givenUp.room} given up`);
    print(
      `  file and journal: at most ${(largest / 2 ** 20).toFixed(1)} MiB, ${share} of the limit`,
    );
    print(
      `  saves of 1,000: median ${inMillis(median(took))}, worst ${inMillis(Math.max(...took))}`,
    );
  }
  const began = systemClock.monotonic();
  using again = onDisk(bytesMax, name);
  print(`  opened again: ${inMillis((systemClock.monotonic() - began) / 1e3)}`);
  const reads = [...again.waiting.keys()]
    .slice(0, 500)
    .map((monitorId) => elapsed(() => void again.oldestOf(monitorId, 10)));
  print(`  the ten oldest of a monitor: median ${median(reads).toFixed(0)} µs`);
}

fill(16);
fill(256);
