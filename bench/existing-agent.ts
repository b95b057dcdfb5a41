import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "#base/clock";
import type { MonitorDefinition } from "#check/definition";
import { type Bytes, millis, type Nanos, nanos } from "#base/units";
import { bundle, root } from "../packaging/bundle.ts";
import { imageStart } from "../packaging/image-start.ts";
import { closedPort } from "../test/servers/scripted.ts";
import { type CountingService, startCountingService } from "./cpu/counting-service.ts";
import { startKinds } from "./cpu/kinds.ts";
import { processMemory } from "./cpu/process-memory.ts";
import { threadTimes } from "./cpu/process-time.ts";

/*
 * Processor time and memory of the whole agent beside the agent of the existing service, whose binary a person builds
 * from that project: the same http monitors at 30 s, the same nginx, a call a result, the same seconds. Each has a separate
 * service, which counts the results. docs/evidence/performance.md says how to get the binary. Needs nginx, knot and openssl.
 *
 *   npm run bench:existing-agent -- --agent FILE [--monitors 500,3000] [--periods 4] [--sources] [--against OTHER/picket.mjs]
 *                                   [--flags="--FLAG …|--FLAG …"]
 *
 * --against runs another checkout's bundle in the same seconds; `npm run build` there makes it. --flags has one more agent
 * for each set of flags between the bars, behind those of the image. Each number of monitors takes five minutes.
 */
const { values: asked } = parseArgs({
  options: {
    agent: { type: "string" },
    monitors: { type: "string", default: "500" },
    periods: { type: "string", default: "4" },
    against: { type: "string" },
    sources: { type: "boolean", default: false },
    flags: { type: "string", default: "" },
  },
});
const periodSeconds = 30;
const measuredSeconds = Number(asked.periods) * periodSeconds;
/** Picket's monitors are checked every 10 s meanwhile: the runtime has compiled by then most of what it will. */
const warmUp = 90;
/** Picket fetches its assignment once a minute. */
const settling = 60 + periodSeconds;

const sleep = (time: number): Promise<void> => systemClock.sleep(millis(time * 1e3));

/** How one agent is started against its service. */
interface Program {
  readonly name: string;
  readonly command: readonly string[];
  readonly env: (service: CountingService) => Promise<Readonly<Record<string, string>>>;
  /** How often its monitors are checked at first. */
  readonly warmUp: Periodicity;
}

type Periodicity = "10s" | "30s";

const folder = mkdtempSync(path.join(os.tmpdir(), "picket-existing-"));
await using stack = new AsyncDisposableStack();
stack.defer(() => rmSync(folder, { recursive: true, force: true }));

async function programs(): Promise<readonly Program[]> {
  const ours = path.join(folder, "bundle");
  await bundle(ours);
  const { flags } = imageStart();
  const bundled = (name: string, file: string, more: readonly string[] = []): Program =>
    picket(name, [process.execPath, ...flags, ...more, file]);
  const flagged = asked.flags.split("|").filter((set) => set !== "");
  return [
    bundled("Picket, as in the image", path.join(ours, "picket.mjs")),
    ...flagged.map((set) => bundled(set, path.join(ours, "picket.mjs"), set.split(" "))),
    ...(asked.against === undefined
      ? []
      : [bundled("another Picket", path.resolve(asked.against))]),
    ...(asked.sources ? [picket("Picket, sources", [path.join(root, "bin/picket")])] : []),
    ...(asked.agent === undefined ? [] : [existing(path.resolve(asked.agent))]),
  ];
}

const picket = (name: string, command: readonly string[]): Program => ({
  name,
  command: [...command, "agent"],
  env: async ({ url, token }) => ({
    ...imageStart().allocator,
    SERVICE_API_URL: url,
    PICKET_TOKEN: token,
    PICKET_STATE_DIR: mkdtempSync(path.join(folder, "state-")),
    PICKET_LISTEN: `127.0.0.1:${await closedPort()}`,
  }),
  warmUp: "10s",
});

const existing = (file: string): Program => ({
  name: "the existing service's agent",
  command: [file],
  env: async ({ url, token }) => ({
    OPENSTATUS_INGEST_URL: url,
    OPENSTATUS_KEY: token,
    PORT: `${await closedPort()}`,
  }),
  warmUp: "30s",
});

/** What an agent has come to at an instant. */
interface Reading {
  readonly used: Nanos;
  readonly wakes: number;
  readonly results: number;
  readonly failed: number;
}

interface Running {
  readonly name: string;
  readonly pid: number;
  readonly service: CountingService;
}

async function start(
  { name, command, env }: Program,
  monitors: readonly MonitorDefinition[],
  life: AsyncDisposableStack,
): Promise<Running> {
  const service = life.use(await startCountingService(monitors));
  const [file = "", ...words] = command;
  const agent = spawn(file, words, {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...(await env(service)) },
    stdio: "ignore",
  });
  const exited = once(agent, "exit");
  life.defer(async () => {
    agent.kill("SIGTERM");
    await exited;
  });
  return { name, pid: agent.pid ?? 0, service };
}

async function readingOf({ pid, service }: Running): Promise<Reading> {
  const { results, failed } = await service.taken();
  let [used, wakes] = [0, 0];
  for (const thread of threadTimes(pid).values()) {
    used += thread.user + thread.system;
    wakes += thread.wakes;
  }
  return { used: nanos(used), wakes, results, failed };
}

interface Row {
  readonly name: string;
  readonly results: number;
  readonly failed: number;
  readonly microseconds: number;
  readonly wakes: number;
  readonly rss: Bytes;
  readonly pss: Bytes;
  readonly anonymous: Bytes;
}

async function rowOf(agent: Running, before: Reading): Promise<Row> {
  const after = await readingOf(agent);
  const results = after.results - before.results;
  return {
    name: agent.name,
    results,
    failed: after.failed - before.failed,
    microseconds: (after.used - before.used) / 1e3 / results,
    wakes: (after.wakes - before.wakes) / results,
    ...processMemory(agent.pid),
  };
}

async function measure(count: number): Promise<readonly Row[]> {
  await using life = new AsyncDisposableStack();
  const own = path.join(folder, `kinds-${count}`);
  mkdirSync(own);
  const [kind] = await startKinds(own, life);
  if (kind === undefined) throw new Error("there is no kind of check");
  const every = (periodicity: Periodicity): readonly MonitorDefinition[] =>
    Array.from({ length: count }, (_, n) => ({ ...kind.monitor(n), periodicity }));
  const agents: Running[] = [];
  for (const program of await programs())
    agents.push(await start(program, every(program.warmUp), life));
  await sleep(warmUp);
  for (const { service } of agents) await service.assign(every("30s"));
  await sleep(settling);
  const before = await Promise.all(agents.map(readingOf));
  await sleep(measuredSeconds);
  const rows: Row[] = [];
  for (const [index, reading] of before.entries()) {
    const agent = agents[index];
    if (agent !== undefined) rows.push(await rowOf(agent, reading));
  }
  return rows;
}

const line = (cells: readonly string[]): void =>
  void process.stdout.write(`| ${cells.join(" | ")} |\n`);
const head = [
  "agent",
  "monitors",
  "results",
  "failed",
  "µs a check",
  "ratio",
  "wakes a check",
  "RSS, MiB",
  "ratio",
  "Pss",
  "anonymous",
];
const mebi = (size: Bytes): string => (size / 2 ** 20).toFixed(0);
line(head);
line(head.map(() => "---"));
for (const count of asked.monitors.split(",").map(Number)) {
  const rows = await measure(count);
  const last = rows.at(-1);
  for (const { name, results, failed, microseconds, wakes, rss, pss, anonymous } of rows)
    line([
      name,
      String(count),
      String(results),
      String(failed),
      microseconds.toFixed(0),
      (microseconds / (last?.microseconds ?? NaN)).toFixed(2),
      wakes.toFixed(2),
      mebi(rss),
      (rss / (last?.rss ?? NaN)).toFixed(2),
      mebi(pss),
      mebi(anonymous),
    ]);
}
