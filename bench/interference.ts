import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "#base/clock";
import { nextSlot } from "#agent/prober/schedule/slots";
import { after, epochMillis, millis } from "#base/units";
import { version } from "#base/version";
import { bundle, root } from "../packaging/bundle.ts";
import { imageStart } from "../packaging/image-start.ts";
import { workFolder } from "../packaging/work-folder.ts";
import { startCapture } from "../test/wire-truth/capture.ts";
import type { Capture } from "../test/wire-truth/pcap.ts";
import {
  type Condition,
  conditionsFor,
  crowdFor,
  watchedMonitors,
} from "./interference/conditions.ts";
import { type QuotaGroup, smallDisk } from "./interference/disturbances.ts";
import { interferencePage } from "./interference/page.ts";
import type {
  ConditionRecord,
  CountRecord,
  RunPlace,
  RunRecord,
  ToolRecord,
} from "./interference/run-record.ts";
import type { AssignedMonitor } from "./interference/watched-service.ts";
import { agentRecords, summaryOf, toolRecord } from "./interference/summary.ts";
import { startTargets, toolAddresses, type WatchedKind } from "./interference/targets.ts";
import { startTools, type Tool, type Tools, type ToolTurn } from "./interference/tools.ts";
import { startWatchedAgent, type WatchedAgent } from "./interference/watched-agent.ts";

/*
 * Whether anything beside a check gets into its figures: watched monitors of each kind, found again in a packet capture,
 * while one thing after another goes on on the same machine; and other tools on the same targets in the same minutes.
 * Writes docs/evidence/interference.json, and makes the page beside it from that. Needs root, tcpdump, nginx, knot and
 * openssl; what else is missing is skipped by name.
 *
 *   npm run bench:interference -- [--seconds 30] [--only "nothing;two busy loops"] [--out docs/evidence]
 *                                 [--agent FILE] [--tool NAME=FILE …]
 *   npm run bench:interference -- --count [--seconds 60] [--rate 250]
 *
 * --count has no other tools, and many more checks beside the same things, of which it writes what was said of their targets
 * to interference-counts.json. With 60 s for each condition, it takes fifteen minutes and counts 150,000 checks and more.
 * Both make the page of both records.
 *
 * --seconds is for each condition, half as many for the tools beside it; the whole takes less than twelve minutes.
 * --agent is the existing service's agent (see docs/evidence/performance.md); --tool is called as `FILE KIND TARGET` once a
 * check and prints JSON with `connect`, `wait` and `total` in microseconds.
 */
const { values: asked } = parseArgs({
  options: {
    seconds: { type: "string" },
    count: { type: "boolean", default: false },
    rate: { type: "string", default: "250" },
    only: { type: "string" },
    out: { type: "string", default: path.join(root, "docs/evidence") },
    agent: { type: "string" },
    tool: { type: "string", multiple: true, default: [] },
  },
});
const seconds = Number(asked.seconds ?? (asked.count ? "60" : "30"));
const toolSeconds = Math.max(4, Math.round(seconds / 2));
/** The runtime has compiled most of what it needs by then. */
const warmUp = 20;
/** An agent pulls every two seconds, and new monitors are all checked once within five more. */
const settling = 8;
/** In which checks can end whose slots were in time: their timeout is five seconds. */
const ending = 7;
/** A backlog is reported at a pace. */
const backlogPatience = 40_000;
/** An agent takes a while to take so many up. */
const manyMonitors = 5_000;
const stateMebibytes = 24;

const began = systemClock.wall();
const sleep = (time: number): Promise<void> => systemClock.sleep(millis(time * 1e3));
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** The existing service's agent has a block of addresses to itself, and is stopped when it is not its turn. */
const otherAddresses = toolAddresses[5] ?? [];

await using stack = new AsyncDisposableStack();
const work = stack.use(workFolder(path.join(os.tmpdir(), "picket-interference-")));
const peersFolder = path.join(work.path, "peers");
mkdirSync(peersFolder);
const targets = await startTargets(peersFolder, stack);
const tools: Tools = asked.count
  ? { present: [], absent: [] }
  : await startTools(targets, peersFolder, asked.tool, stack);
const absent: string[] = [...tools.absent];
const stateFolder = path.join(work.path, "state");
const small = smallDisk(stateFolder, stateMebibytes);
if (small !== null) stack.use(small);
const agent = stack.use(await startPicket());
const other =
  asked.agent === undefined || asked.count ? null : stack.use(await startOther(asked.agent));
const watched = watchedMonitors(targets);
const crowd = asked.count ? crowdFor(targets, Number(asked.rate)) : [];
const toolRecords: ToolRecord[] = [];

async function startPicket(): Promise<WatchedAgent> {
  const program = path.join(work.path, "bundle");
  await bundle(program);
  const { flags, allocator } = imageStart();
  return startWatchedAgent({
    command: [process.execPath, ...flags, path.join(program, "picket.mjs"), "agent"],
    folder: stateFolder,
    takes: "batches",
    env: (url, port) => ({
      ...allocator,
      SERVICE_API_URL: url,
      PICKET_TOKEN: "bench",
      PICKET_STATE_DIR: stateFolder,
      PICKET_LISTEN: `127.0.0.1:${port}`,
      PICKET_LOG_LEVEL: "error",
      PICKET_POLL_INTERVAL: "2s",
      PICKET_HEARTBEAT_INTERVAL: "5s",
      PICKET_WATCH: "off",
      PICKET_CONCURRENCY: "500",
      PICKET_CA_FILE: targets.caFile,
      PICKET_DNS_SERVERS: targets.nameServer,
      PICKET_HTTP2: "off",
    }),
  });
}

async function startOther(file: string): Promise<WatchedAgent> {
  const one = await startWatchedAgent({
    command: [path.resolve(file)],
    folder: path.join(work.path, "other"),
    takes: "plain",
    env: (url, port) => ({
      OPENSTATUS_INGEST_URL: url,
      OPENSTATUS_KEY: "bench",
      PORT: String(port),
      SSL_CERT_FILE: targets.caFile,
    }),
  });
  await one.assign(
    (["http", "https", "tcp"] as const).flatMap((kind) =>
      otherAddresses.map((_, n) => ({
        id: `${kind}-${n}`,
        definition: targets.watched(kind, n, otherAddresses),
      })),
    ),
  );
  await sleep(settling);
  process.kill(one.pid, "SIGSTOP");
  return one;
}

async function captured(during: () => Promise<void>): Promise<Capture> {
  const capture = await startCapture(targets.filter);
  await during();
  return capture.stop();
}

/** The figures of Picket and of the other tools beside one thing; null if this machine cannot make that. */
async function measure(condition: Condition): Promise<ConditionRecord | null> {
  const { name, about } = condition;
  const monitors = [...watched, ...crowd, ...condition.beside];
  await agent.assign(monitors);
  await sleep(monitors.length > manyMonitors ? 2 * settling : settling);
  const load = os.loadavg()[0] ?? 0;
  await agent.take();
  const begun = condition.begin(agent);
  if (begun === null) return null;
  await using beside = new AsyncDisposableStack();
  beside.use(begun.disturbance);
  let [from, to] = [0, 0];
  const capture = await captured(async () => {
    await sleep(1);
    from = systemClock.wall();
    await sleep(seconds);
    to = systemClock.wall();
    await sleep(ending);
  });
  if (condition.forTools && !asked.count) await measureTools(condition, begun.group);
  await beside.disposeAsync();
  const expected = slotsIn(monitors, from, to);
  const rows = await agent.takeAll({ from, to, expected }, backlogPatience);
  return { name, about, load, expected, ...summaryOf(rows, capture, targets) };
}

/** How many checks they should have had, without those of silent targets. */
const slotsIn = (monitors: readonly AssignedMonitor[], from: number, to: number): number =>
  monitors
    .filter(({ id }) => !id.startsWith("silent-"))
    .reduce((sum, { id }) => sum + slotsOf(id, from, to), 0);

function slotsOf(id: string, from: number, to: number): number {
  const period = millis(10_000);
  let count = 0;
  for (let slot = nextSlot(id, period, epochMillis(from - 1)); slot < to; count += 1)
    slot = after(slot, period);
  return count;
}

/** All at once, each at a low rate and at addresses of its own, while Picket has nothing to check. */
async function measureTools({ name }: Condition, group: QuotaGroup | null): Promise<void> {
  await agent.assign([]);
  await sleep(4);
  const turns: { readonly tool: Tool; readonly turn: ToolTurn }[] = [];
  for (const { pid } of tools.present) if (pid !== null) group?.join(pid);
  if (other !== null) process.kill(other.pid, "SIGCONT");
  const capture = await captured(async () => {
    await Promise.all(
      tools.present.map(async (tool) => {
        const turn = await tool.turn(toolSeconds, group?.inside ?? []);
        turns.push({ tool, turn });
      }),
    );
  });
  for (const { pid } of tools.present) if (pid !== null) group?.leave(pid);
  const found = { capture, targets };
  for (const { tool, turn } of turns)
    for (const part of turn) toolRecords.push(toolRecord(tool.name, name, part, found));
  if (other === null) return;
  process.kill(other.pid, "SIGSTOP");
  const rows = await other.take();
  const addressOf = (_kind: WatchedKind, n: number): string => otherAddresses[n] ?? "";
  toolRecords.push(...agentRecords("the existing service's agent", name, rows, found, addressOf));
}

/** The record of one, or why there is none: the others are measured all the same. */
async function measured(condition: Condition): Promise<ConditionRecord | string> {
  try {
    return (await measure(condition)) ?? "it cannot be made here";
  } catch (error) {
    return Error.isError(error) ? error.message : String(error);
  }
}

/** Of each condition that was chosen; one that is left half-way is not in the record. */
async function records(): Promise<readonly ConditionRecord[]> {
  const chosen = asked.only?.split(";").map((name) => name.trim()) ?? null;
  const conditions = conditionsFor(targets, seconds, small === null ? null : stateFolder);
  await agent.assign(watched);
  await sleep(warmUp);
  const found: ConditionRecord[] = [];
  for (const condition of conditions) {
    if (chosen !== null && !chosen.includes(condition.name)) continue;
    const record = await measured(condition);
    if (typeof record === "string") absent.push(`${condition.name} (${record})`);
    else found.push(record);
    say(`${condition.name}: ${typeof record === "string" ? record : JSON.stringify(record)}`);
  }
  return found;
}

const git = (...args: readonly string[]): string =>
  spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout?.trim() ?? "";

const place = (): RunPlace => ({
  at: new Date(began).toISOString(),
  version: version(),
  commit: `${git("rev-parse", "--short=8", "HEAD")}${git("status", "--porcelain", "src") === "" ? "" : "+"}`,
  seconds,
  took: Math.round((systemClock.wall() - began) / 1e3),
  processors: os.cpus().length,
  node: process.version,
  kernel: os.release(),
});

const captureFile = path.join(asked.out, "interference.json");
const countFile = path.join(asked.out, "interference-counts.json");
const write = (file: string, record: object): void =>
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`);

const conditions = await records();
if (asked.count)
  write(countFile, { ...place(), rate: Number(asked.rate), conditions } satisfies CountRecord);
else write(captureFile, { ...place(), conditions, tools: toolRecords, absent } satisfies RunRecord);
/** Null if no run has written it yet. */
const textIn = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "null");
const captures: RunRecord | null = JSON.parse(textIn(captureFile));
const counts: CountRecord | null = JSON.parse(textIn(countFile));
if (captures !== null)
  writeFileSync(path.join(asked.out, "interference.md"), interferencePage(captures, counts));
say(`written to ${asked.out} after ${place().took} s`);
