import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { httpDefaults } from "#check/definition";
import { systemClock } from "#base/clock";
import { epochMillis, type EpochMillis, millis } from "#base/units";
import { hashCredential } from "#service/edge/credential";
import type { MonitorId } from "#service/store/ids";
import { openStore } from "#service/store/open-store";
import type { Store } from "#service/store/store";
import { bundle } from "../packaging/bundle.ts";
import { workFolder } from "../packaging/work-folder.ts";
import { type CitusCluster, citusPrograms, startCitus } from "../test/cluster/citus-cluster.ts";
import { closedPort } from "../test/servers/scripted.ts";
import { endBySignals, neverLeftFolder } from "../test/support/never-left.ts";
import { ledgerWords, limitWords, type Offered, usedTable } from "./cluster/figures.ts";
import { IncidentWatch } from "./cluster/incident-watch.ts";
import { type Replica, startReplica } from "./cluster/replicas.ts";
import { type SentLocation, Sender } from "./cluster/sender.ts";
import { storedLedger } from "./cluster/stored-ledger.ts";
import { machineTime, UsedProcessor } from "./cluster/used-processor.ts";
import { loadWords, writeTable } from "./written-table.ts";

/*
 * What a cluster of Citus on this machine takes: agents offer results to replicas of the service as they come up, each
 * monitor at three locations, while a worker is killed, replicas are killed in turns each five seconds, and a worker is
 * added and shards are moved to it: until that is over, at least for --seconds. Then each acknowledged result is looked for, and the processor time of one result is
 * said by process. All of it shares the processors of this machine.
 *
 *   PICKET_CITUS_PROGRAMS=$(test/cluster/programs.sh) npm run bench:cluster -- [--rate 2000] [--seconds 30]
 *     [--monitors 3000] [--groups 4] [--replicas 2] [--failing 100] [--faults worker,replica,shards | none]
 *     [--fsync on] [--shards 8] [--table docs/evidence/performance.md]
 *
 * The goal's size is --rate 20000 --seconds 60 --monitors 20000 --groups 16.
 */
const { values: asked } = parseArgs({
  options: {
    rate: { type: "string", default: "2000" },
    seconds: { type: "string", default: "30" },
    monitors: { type: "string", default: "3000" },
    groups: { type: "string", default: "4" },
    replicas: { type: "string", default: "2" },
    failing: { type: "string", default: "100" },
    faults: { type: "string", default: "worker,replica,shards" },
    fsync: { type: "string", default: "on" },
    shards: { type: "string" },
    table: { type: "string" },
  },
});
const seconds = Number(asked.seconds);
const faults = new Set(asked.faults.split(","));
const locationsOfMonitor = 3;
/** A replica is killed so often, each in turn. */
const killEvery = 5_000;
const sleep = (time: number): Promise<void> => systemClock.sleep(millis(time));
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Monitors in groups, and three locations for each group, with an agent each. */
async function populate(store: Store): Promise<readonly SentLocation[]> {
  const now = systemClock.wall();
  const locations: SentLocation[] = [];
  const groups = Number(asked.groups);
  for (let group = 0; group < groups; group += 1) {
    const monitors = await monitorsOf(store, Math.ceil(Number(asked.monitors) / groups), now);
    for (let index = 0; index < locationsOfMonitor; index += 1) {
      const token = `pkt_loc_bench_${group}_${index}`;
      const name = `office ${group}-${index}`;
      const facts = { name, metadata: {}, monitors, owner: "", labels: {}, at: now };
      const secret = { hash: hashCredential(token), sealed: "", at: now };
      const location = await store.state.locations.create(facts, secret);
      locations.push({ token, location, monitors });
    }
  }
  return locations;
}

async function monitorsOf(store: Store, count: number, at: EpochMillis): Promise<MonitorId[]> {
  const monitors: MonitorId[] = [];
  for (let left = count; left > 0; left -= 50) {
    const some = Array.from({ length: Math.min(left, 50) }, (_, index) => {
      const name = `shop ${monitors.length + index}`;
      const url = `https://shop-${monitors.length + index}.test/`;
      const definition = { ...httpDefaults, name, url, periodicity: "30s", active: true };
      return store.state.monitors.create({ definition, owner: "", labels: {}, at });
    });
    monitors.push(...(await Promise.all(some)));
  }
  return monitors;
}

/** Everything that runs, with what each process has used. */
interface Running {
  readonly cluster: CitusCluster;
  readonly database: string;
  readonly replicas: readonly Replica[];
  readonly used: UsedProcessor;
}

/** Worker 2 is away for a tenth of the time. */
async function killWorker({ cluster, used }: Running): Promise<void> {
  await sleep(seconds * 200);
  used.end("worker-2");
  await cluster.killWorker();
  await sleep(seconds * 100);
  await cluster.startWorker();
  used.begin("worker-2", cluster.pids.get("worker-2") ?? 0);
}

async function killReplicas({ replicas, used }: Running, signal: AbortSignal): Promise<number> {
  for (let turn = 0; ; turn += 1) {
    await systemClock.sleep(millis(killEvery), signal);
    const replica = replicas[turn % replicas.length];
    if (signal.aborted || replica === undefined) return turn;
    used.end(replica.name);
    await replica.kill();
    await replica.start();
    used.begin(replica.name, replica.pid);
  }
}

/** Once the worker is back. Rejects if the moving fails; gives how long it took. */
async function moveShards({ cluster, database, used }: Running): Promise<string> {
  await sleep(seconds * 100);
  const began = systemClock.wall();
  await cluster.addWorker(database);
  used.begin("worker-3", cluster.pids.get("worker-3") ?? 0);
  const mode = "shard_transfer_mode => 'force_logical'";
  await cluster.ask(database, `SELECT citus_rebalance_start(${mode})`);
  for (;;) {
    const state = await cluster.ask(database, "SELECT state FROM citus_rebalance_status()");
    if (state === "finished")
      return `shards were moved within ${Math.round((systemClock.wall() - began) / 1e3)} s`;
    if (state.startsWith("fail")) throw new Error(`the shards were not moved: ${state}`);
    await sleep(500);
  }
}

/** What the faults came to; the offering ends when their time is over. */
async function breakThings(running: Running): Promise<readonly string[]> {
  const ended = new AbortController();
  const worker = faults.has("worker") ? killWorker(running) : Promise.resolve();
  const killed = faults.has("replica") ? killReplicas(running, ended.signal) : Promise.resolve(0);
  const moved = faults.has("shards") ? worker.then(() => moveShards(running)) : null;
  await sleep(seconds * 1e3);
  ended.abort();
  await worker;
  const said = [
    faults.has("worker") ? "a worker was killed" : "",
    faults.has("replica") ? `replicas were killed ${await killed} times` : "",
    (await moved) ?? "",
  ];
  return said.filter((one) => one !== "");
}

async function offer(
  running: Running,
  senders: readonly { readonly sender: Sender }[],
): Promise<Offered> {
  const { cluster, replicas, used } = running;
  for (const [name, pid] of cluster.pids) used.begin(name, pid);
  for (const { name, pid } of replicas) used.begin(name, pid);
  const [before, own, began] = [machineTime(), process.cpuUsage(), systemClock.wall()];
  const runs = senders.map(({ sender }) => sender.run());
  const words = await breakThings(running);
  for (const { sender } of senders) sender.stop();
  await Promise.all(runs);
  const after = machineTime();
  const { user, system } = process.cpuUsage(own);
  const took = systemClock.wall() - began;
  const sum = (of: (sender: Sender) => number): number =>
    senders.reduce((all, { sender }) => all + of(sender), 0);
  const times = new Map(used.all());
  return {
    words,
    acknowledged: sum(({ acknowledged }) => acknowledged.size),
    unsent: sum(({ unsent }) => unsent),
    refusals: sum(({ refusals }) => refusals),
    took,
    busy: (after.busy - before.busy) / (after.busy - before.busy + after.idle - before.idle),
    used: times.set("sender", millis((user + system) / 1e3)),
  };
}

async function openReplicas(folder: string, database: string): Promise<readonly Replica[]> {
  const secretFile = path.join(folder, "sealing-key");
  writeFileSync(secretFile, randomBytes(32).toString("base64"), { mode: 0o600 });
  await bundle(folder);
  const program = path.join(folder, "picket.mjs");
  const replicas: Replica[] = [];
  for (let index = 1; index <= Number(asked.replicas); index += 1) {
    const name = `replica ${index}`;
    const port = await closedPort();
    replicas.push(await startReplica({ name, bundle: program, database, secretFile, port }));
  }
  return replicas;
}

const programs = citusPrograms();
if (programs === null)
  throw new Error("PICKET_CITUS_PROGRAMS=$(test/cluster/programs.sh) has to name PostgreSQL's");
endBySignals();
await using opened = new AsyncDisposableStack();
const work = opened.use(workFolder(path.join(tmpdir(), "picket-cluster-bench-")));
neverLeftFolder(work.path);
const load = loadWords();
const cluster = opened.use(await startCitus(programs, { isDurable: asked.fsync === "on" }));
const database = await cluster.fresh();
const { shards } = asked;
if (shards !== undefined)
  await cluster.ask(database, `ALTER DATABASE d1 SET citus.shard_count = ${shards}`);
const locations = await (async () => {
  await using store = await openStore({ database, use: "service", onProgress: () => {} });
  return await populate(store);
})();
const replicas = await openReplicas(work.path, database);
for (const replica of replicas) opened.use(replica);
const watch = new IncidentWatch(cluster, database);
const begin = systemClock.wall();
const failing = new Set(
  locations.flatMap(({ monitors }) =>
    monitors.slice(0, Number(asked.failing) / Number(asked.groups)),
  ),
);
/** They fail one after the other, over the middle of the time. */
const failsFrom = new Map(
  [...failing].map((monitor, index) => [
    monitor,
    begin + seconds * 1e3 * (0.2 + (0.5 * index) / failing.size),
  ]),
);
const senders = locations.map((one, index) => ({
  location: one.location,
  sender: new Sender(
    {
      ...one,
      urls: replicas.map(({ url }) => url),
      perSecond: Number(asked.rate) / locations.length,
      begin: epochMillis(begin),
      fails: (monitor, slot) => slot >= (failsFrom.get(monitor) ?? Infinity),
      onFailing: watch.failed,
    },
    index,
  ),
}));
const watching = new AbortController();
const watched = watch.run(watching.signal);
const offered = await offer({ cluster, database, replicas, used: new UsedProcessor() }, senders);
await sleep(12_000);
watching.abort();
await watched;
const ledger = await storedLedger(cluster, database, senders);
const lines = [
  `${asked.rate} results a second offered for ${Math.round(offered.took / 1e3)} s, ${asked.monitors} monitors at three locations, ${replicas.length} replicas, three servers, fsync ${asked.fsync}, load before ${load}.`,
  "",
  ...usedTable(offered),
  "",
  ...[
    limitWords(offered),
    ...offered.words,
    `${offered.refusals} results were refused for now and came again`,
    watch.words(),
    ledgerWords(ledger),
  ].map((line) => `- ${line}`),
];
print(lines.join("\n"));
if (asked.table !== undefined)
  writeTable(asked.table, {
    bench: "cluster",
    made: new Date(systemClock.wall()).toISOString().slice(0, 10),
    table: lines.join("\n"),
  });
const isWhole = ledger.lost === 0 && Object.values(ledger.twice).every((count) => count === 0);
process.exitCode = isWhole && ledger.strange === 0 ? 0 : 1;
