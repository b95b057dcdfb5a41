import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { MonitorDefinition } from "#check/definition";
import { systemClock } from "#base/clock";
import { after, between, type EpochMillis, millis } from "#base/units";
import { bundle } from "../packaging/bundle.ts";
import { type ImageStart, imageStart } from "../packaging/image-start.ts";
import { workFolder } from "../packaging/work-folder.ts";
import { type MeasuredAgent, startAgent } from "./cpu/agent.ts";
import { type Kind, pings, startKinds } from "./cpu/kinds.ts";
import { memoryParts, openDescriptors, processMemory } from "./cpu/process-memory.ts";
import { processTime, type ThreadTime, threadTimes } from "./cpu/process-time.ts";

/*
 * What an agent takes while it runs: memory, processor and descriptors, and whether it keeps its slots. An agent of the
 * bundle, started as the image starts it, for each number of monitors; 0 is an agent at rest, with one check an hour. Half
 * of the checks are https; `--mix icmp:100` pings, three echoes a check. Needs nginx, knot and openssl.
 *
 *   npm run bench:load -- [--monitors 0,1000,10000] [--period 30] [--mix https:50,http:20,tcp:15,dns:15] [--http2 off]
 *                         [--concurrency 200] [--workers 1]
 *                         [--settle 60] [--seconds 120] [--every 60] [--bundle FOLDER] [--start image|plain]
 *                         [--flags="--FLAG …"] [--parts] [--restart]
 *
 * A line is of the last `--every` seconds, a multiple of the period; there are lines until `--seconds` have passed. An hour at
 * 300 checks a second is `--monitors 9000 --seconds 3600`. MB are millions of bytes.
 */
const { values: asked } = parseArgs({
  options: {
    monitors: { type: "string", default: "0,1000,10000" },
    period: { type: "string", default: "30" },
    mix: { type: "string", default: "https:50,http:20,tcp:15,dns:15" },
    http2: { type: "string", default: "off" },
    concurrency: { type: "string", default: "200" },
    workers: { type: "string", default: "1" },
    settle: { type: "string", default: "60" },
    seconds: { type: "string", default: "120" },
    every: { type: "string", default: "60" },
    bundle: { type: "string" },
    start: { type: "string", default: "image" },
    flags: { type: "string", default: "" },
    parts: { type: "boolean", default: false },
    restart: { type: "boolean", default: false },
  },
});
const period = Number(asked.period);
const every = Number(asked.every);
/** Seconds after which the service has what was checked. */
const storing = 10;
const watchedAfterRestart = 40;
/** Parts of the memory that are smaller are not listed. */
const partBytesMin = 2 ** 18;

const sleep = (time: number): Promise<void> => systemClock.sleep(millis(time * 1e3));
const line = (cells: readonly (string | number | null)[]): void =>
  void process.stdout.write(`| ${cells.join(" | ")} |\n`);
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

/** What an agent is told of a kind. */
type LoadKind = Pick<Kind, "name" | "monitor" | "env">;

interface Share {
  readonly kind: LoadKind;
  readonly share: number;
}

function sharesOf(kinds: readonly LoadKind[]): readonly Share[] {
  return asked.mix.split(",").map((part) => {
    const [name = "", share] = part.split(":");
    const kind = kinds.find((one) => one.name === name);
    if (kind === undefined) throw new Error(`no kind ${name}`);
    return { kind, share: Number(share) };
  });
}

/** `count` monitors, each kind as often as its share says, and evenly among the others. */
function mixed(shares: readonly Share[], count: number): readonly MonitorDefinition[] {
  const whole = shares.reduce((sum, { share }) => sum + share, 0);
  const parts = shares.map(({ kind, share }) => ({ kind, each: share / whole, due: 0 }));
  return Array.from({ length: count }, (_, n) => {
    for (const part of parts) part.due += part.each;
    const next = parts.reduce((most, part) => (part.due > most.due ? part : most));
    next.due -= 1;
    return { ...next.kind.monitor(n), periodicity: period < 60 ? `${period}s` : `${period / 60}m` };
  });
}

/** What an agent has to do, and what it has to know for that. */
interface Work {
  readonly monitors: readonly MonitorDefinition[];
  readonly env: Readonly<Record<string, string>>;
}

function workOf(kinds: readonly LoadKind[], count: number): Work {
  const hourly = kinds.slice(0, 1).map(({ monitor }) => ({ ...monitor(0), periodicity: "1h" }));
  if (count === 0) return { monitors: hourly, env: {} };
  const shares = sharesOf(kinds);
  const env: Record<string, string> = Object.assign({}, ...shares.map(({ kind }) => kind.env));
  const settings = {
    PICKET_HTTP2: asked.http2,
    PICKET_CONCURRENCY: asked.concurrency,
    PICKET_WORKERS: asked.workers,
  };
  return { monitors: mixed(shares, count), env: { ...env, ...settings } };
}

interface Reading {
  readonly at: EpochMillis;
  readonly used: number;
  readonly threads: ReadonlyMap<string, ThreadTime>;
  readonly missed: number;
  readonly uncertain: number;
}

async function read(agent: MeasuredAgent): Promise<Reading> {
  const { missed, uncertain } = await agent.figures();
  const [used, threads] = [processTime(agent.pid), threadTimes(agent.pid)];
  return { at: systemClock.wall(), used, threads, missed, uncertain };
}

/** Slots are counted that were due a while ago, by what the service has of them. */
function report(agent: MeasuredAgent, count: number, before: Reading, now: Reading): void {
  const { rss, pss, anonymous, fileBacked } = processMemory(agent.pid);
  const from = after(before.at, millis(-storing * 1e3));
  const to = after(from, millis(every * 1e3));
  const { all, failed } = agent.counted(from, to);
  const core = (now.used - before.used) / 1e6 / between(before.at, now.at);
  line([
    count,
    new Date(now.at).toISOString().slice(11, 19),
    ...[rss, pss, anonymous, fileBacked].map(megabytes),
    openDescriptors(agent.pid),
    `${(core * 100).toFixed(1)} %`,
    threadShares(before, now),
    `${all} of ${(count * every) / period}`,
    failed,
    ...[0.5, 0.99, 1].map((share) => agent.lateness(from, to, share)),
    now.missed - before.missed,
    now.uncertain - before.uncertain,
  ]);
}

/** Per cent of a core that threads of a name took, the most first. */
function threadShares(before: Reading, now: Reading): string {
  const elapsed = between(before.at, now.at) * 1e6;
  const shares = [...now.threads].map(([name, { user, system }]) => {
    const was = before.threads.get(name);
    return { name, share: (user + system - (was?.user ?? 0) - (was?.system ?? 0)) / elapsed };
  });
  return shares
    .filter(({ share }) => share >= 0.005)
    .toSorted((a, b) => b.share - a.share)
    .map(({ name, share }) => `${name} ${(share * 100).toFixed(0)}`)
    .join(", ");
}

async function measure(count: number, kinds: readonly LoadKind[], program: string): Promise<void> {
  const { monitors, env } = workOf(kinds, count);
  await using agent = await startAgent({
    program: [process.execPath, ...start.flags, ...further, program],
    folder: path.join(work.path, `agent-${count}`),
    monitors,
    env: { ...start.allocator, ...env },
  });
  await sleep(Number(asked.settle));
  let before = await read(agent);
  for (let passed = 0; passed < Number(asked.seconds); passed += every) {
    await sleep(every);
    const now = await read(agent);
    report(agent, count, before, now);
    before = now;
  }
  if (asked.parts) listParts(agent.pid);
  if (asked.restart) await restarted(agent, count);
}

/** Seconds from the end of an agent until the next one has begun all checks of some seconds within half a second. */
async function restarted(agent: MeasuredAgent, count: number): Promise<void> {
  const began = systemClock.wall();
  await agent.restart();
  const away = between(began, systemClock.wall());
  await sleep(watchedAfterRestart + storing);
  const bySecond = Array.from({ length: watchedAfterRestart }, (_, second) => {
    const from = after(began, millis(away + second * 1e3));
    return agent.begun(from, after(from, millis(1e3)), 500);
  });
  const full = (count / period) * 0.9;
  const back = bySecond.findLastIndex((begun) => begun < full) + 1;
  const { missed } = await agent.figures();
  const text = bySecond.join(" ");
  process.stdout.write(
    `    ended in ${(away / 1e3).toFixed(1)} s; all checks at their slots from second ${back} on, ${missed} missed: ${text}\n`,
  );
}

function listParts(pid: number): void {
  for (const [part, bytes] of memoryParts(pid))
    if (bytes >= partBytesMin) process.stdout.write(`    ${part}: ${megabytes(bytes)} MB\n`);
}

/** As an image starts it, or as docs/install.md says that a person does. */
function startOf(): ImageStart {
  const { flags, allocator } = imageStart();
  if (asked.start === "image") return { flags, allocator };
  const own = /^--(max-old-space-size-percentage|no-turbofan|optimize-for-size|v8-pool-size)/;
  return { flags: flags.filter((flag) => !own.test(flag)), allocator: {} };
}

const start = startOf();
/** Tried beside those of the start. */
const further = asked.flags.split(" ").filter((flag) => flag !== "");
await using peers = new AsyncDisposableStack();
const work = peers.use(workFolder(path.join(tmpdir(), "picket-load-")));
if (asked.bundle === undefined) await bundle(work.path);
const kinds = [...(await startKinds(work.path, peers)), pings];
const program = path.resolve(asked.bundle ?? work.path, "picket.mjs");
const head = ["monitors", "at (UTC)", "RSS MB", "Pss MB", "anonymous MB", "file MB", "descriptors"];
const counts = [
  "of a core",
  "threads",
  "results",
  "failed",
  "late ms: median",
  "p99",
  "most",
  "missed",
  "uncertain",
];
line([...head, ...counts]);
line([...head, ...counts].map(() => "---"));
for (const count of asked.monitors.split(",")) await measure(Number(count), kinds, program);
