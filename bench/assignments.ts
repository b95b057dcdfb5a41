import { readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { toBinary } from "@bufbuild/protobuf";
import { LocalChecker } from "#agent/prober/local-checker";
import { reconcile, reconcileChanges } from "#agent/prober/schedule/reconcile";
import { assignmentFile } from "#agent/state/assignment-file";
import { systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { millis, seconds } from "#base/units";
import { MonitorsResponseSchema } from "#contract/private_location/v1/private_location_pb";
import type { ControlPlane } from "#transport/control-plane";
import { hashCredential } from "#service/edge/credential";
import { Keys } from "#service/edge/keys";
import { openStore } from "#service/store/open-store";
import { bundle } from "../packaging/bundle.ts";
import { workFolder } from "../packaging/work-folder.ts";
import { startPostgres } from "../test/support/postgres-server.ts";
import { TwinProber } from "../test/support/twins.ts";
import { benchPlane } from "./bench-plane.ts";
import { usedByTree } from "./cluster/used-processor.ts";
import { startService } from "./running-service.ts";
import { openOffice } from "./stored-results.ts";

/*
 * What it costs that one monitor of a location changes: at the service, as a process on SQLite or a PostgreSQL, and at
 * the agent, from the answer to its schedule and its disk. Once with the whole assignment, as an older agent has it, and
 * once with what changed. Processor time of all threads, medians.
 *
 *   npm run bench:assignments
 *   npm run bench:assignments -- 100000
 *   npm run bench:assignments -- 20000 postgres
 */
const count = Number(process.argv[2] ?? 20_000);
const rounds = { whole: 7, changes: 41 };
const [token, location] = ["bench", "everywhere"];
const print = (...cells: readonly (string | number)[]): void =>
  void process.stdout.write(`| ${cells.join(" | ")} |\n`);
const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;

/** Processor time that all threads of a process have had, in milliseconds. */
const usedBy = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [ran] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
    return sum + Number(ran) / 1e6;
  }, 0);

using work = workFolder(path.join(tmpdir(), "picket-bench-assignments-"));
await using server = process.argv[3] === "postgres" ? await startPostgres(true) : null;
/** Until here it is the only child. */
const serverPid =
  server === null ? 0 : Number(readFileSync(`/proc/self/task/${process.pid}/children`, "latin1"));
const database = server?.fresh() ?? path.join(work.path, "picket.db");
const begin = systemClock.wall();
const { key, monitors } = await (async () => {
  await using store = await openStore({ database, use: "service", onProgress: () => {} });
  const office = await openOffice(store, {
    monitorCount: count,
    begin,
    tokenHash: hashCredential(token),
  });
  const keys = new Keys(store, systemClock);
  const made = await keys.create({ name: "bench", scope: "write" });
  return { key: made.key, monitors: office.monitors };
})();
await bundle(work.path);
await using service = await startService(path.join(work.path, "picket.mjs"), database);
const plane = benchPlane(service.url, token);
const checker = new LocalChecker({
  prober: new TwinProber(),
  clock: systemClock,
  log: silentLogger,
  concurrency: 100,
  chance: () => 0.5,
});
const file = path.join(work.path, "assignment.json");
const memory = assignmentFile(file, location);
const signal = new AbortController().signal;
let revision: string | null = null;

/** One change, and what it costs to bring it to the agent. */
async function brought(takesChanges: boolean) {
  const before = [usedBy(service.pid), usedBy(process.pid)];
  const pull = await plane.pull(revision === null ? null : { revision, takesChanges }, signal);
  const after = usedBy(service.pid);
  if (pull.unchanged || pull.revision === null) throw new Error("nothing changed");
  const { changes } = pull;
  const kept = changesOnDisk();
  const plan =
    changes === null
      ? reconcile(checker.monitors, pull.monitors)
      : reconcileChanges(checker.monitors, pull.monitors, changes.removed);
  checker.apply(plan, pull.newestSlots);
  await memory.save(pull);
  revision = pull.revision;
  return {
    service: after - (before[0] ?? 0),
    agent: usedBy(process.pid) - (before[1] ?? 0),
    answer: toBinary(MonitorsResponseSchema, pull.message).length,
    disk: changes === null ? statSync(file).size : changesOnDisk() - kept,
  };
}

const changesOnDisk = (): number =>
  statSync(`${file}.changes`, { throwIfNoEntry: false })?.size ?? 0;

/** An agent that shares the location with others. */
class Sharer {
  readonly #plane: ControlPlane;
  #revision: string | null = null;

  constructor(name: string) {
    this.#plane = benchPlane(service.url, token, name);
  }

  /** Pulls, and gives how many bytes came; null if nothing changed. */
  async pull(): Promise<number | null> {
    const known = this.#revision === null ? null : { revision: this.#revision, takesChanges: true };
    const pull = await this.#plane.pull(known, signal);
    if (pull.unchanged) return null;
    this.#revision = pull.revision;
    return toBinary(MonitorsResponseSchema, pull.message).length;
  }
}

/** Two agents share the location: what it costs the service that both of them take one change. */
async function sharedChange(): Promise<void> {
  const sharers = ["a", "b"].map((name) => new Sharer(name));
  for (let calm = 0; calm < sharers.length;) {
    calm = 0;
    for (const sharer of sharers) if ((await sharer.pull()) === null) calm += 1;
  }
  const costs: number[] = [];
  const answers: number[] = [];
  for (let round = 0; round < rounds.changes; round += 1) {
    await edit(1_000 + round);
    const before = usedBy(service.pid);
    let answered = 0;
    for (const sharer of sharers) answered += (await sharer.pull()) ?? 0;
    costs.push(usedBy(service.pid) - before);
    answers.push(answered);
  }
  print("one change, taken by two that share", median(costs).toFixed(2), "", median(answers), "");
}

/** What a call costs that brings nothing: the rest is what a change costs. */
async function unchanged(): Promise<number> {
  await systemClock.sleep(millis(300), signal);
  const before = usedBy(service.pid);
  await plane.pull(revision === null ? null : { revision, takesChanges: true }, signal);
  return usedBy(service.pid) - before;
}

/** The same of calls that come right after each other: what is cold after a pause is no part of it. */
async function inARow(calls: number): Promise<readonly string[]> {
  const used = (): readonly number[] => [usedBy(service.pid), usedByTree(serverPid)];
  const before = used();
  for (let call = 0; call < calls; call += 1)
    await plane.pull(revision === null ? null : { revision, takesChanges: true }, signal);
  return used().map((now, index) => ((now - (before[index] ?? 0)) / calls).toFixed(2));
}

async function edit(round: number): Promise<void> {
  const call = "/rpc/openstatus.monitor.v1.MonitorService/UpdateHTTPMonitor";
  const id = String(monitors[(round * 7_919) % count]);
  const answer = await fetch(`${service.url}${call}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-key": key },
    body: JSON.stringify({ id, monitor: { name: `shop ${round}` } }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  // What else a change has the service do is over by then.
  await systemClock.sleep(millis(300), signal);
}

print(`${count} monitors`, "service, ms", "agent, ms", "answer, bytes", "on the disk, bytes");
print("---", "---", "---", "---", "---");
await brought(false);
await systemClock.sleep(seconds(3), signal);
for (const [name, takesChanges] of [
  ["the whole", false],
  ["what changed", true],
] as const) {
  const all: Awaited<ReturnType<typeof brought>>[] = [];
  for (let round = 0; round < (takesChanges ? rounds.changes : rounds.whole); round += 1) {
    await edit(all.length + (takesChanges ? 100 : 0));
    all.push(await brought(takesChanges));
  }
  const of = (figure: keyof (typeof all)[number]): number => median(all.map((one) => one[figure]));
  print(name, of("service").toFixed(2), of("agent").toFixed(2), of("answer"), of("disk"));
}
const calm: number[] = [];
while (calm.length < rounds.changes) calm.push(await unchanged());
print("nothing changed", median(calm).toFixed(2), "", "", "");
const [ofService = "", ofServer = ""] = await inARow(2_000);
print("nothing changed, one right after the other", ofService, "", "", "");
if (server !== null) print("the same, at the database's server", ofServer, "", "", "");
await sharedChange();
