import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "#base/clock";
import { type EpochMillis, millis, nanos } from "#base/units";
import { type Blackbox, hasSucceeded, startBlackbox } from "../test/wire-truth/other-tools.ts";
import { type MeasuredAgent, startAgent } from "./cpu/agent.ts";
import { type Kind, startKinds } from "./cpu/kinds.ts";
import { processTime } from "./cpu/process-time.ts";
import { writeTable } from "./written-table.ts";

/*
 * Processor time of one check, in microseconds of user and system time over all threads: the whole agent, from the slot
 * to the service's acknowledgement, beside blackbox_exporter's /probe on the same targets at the same rate. They take
 * turns, and the one whose turn it is not stands still. Needs nginx, knot, openssl and blackbox_exporter.
 *
 *   npm run bench:cpu -- [--only https] [--rates 333,33] [--turns 5] [--seconds 3] [--table docs/evidence/performance.md]
 *                        [--against CHECKOUT] [--profile FOLDER]
 *
 * --against measures the agent of another checkout in the same seconds; --profile leaves the agent's CPU profiles in a folder.
 */
const { values: asked } = parseArgs({
  options: {
    only: { type: "string" },
    rates: { type: "string", default: "333,33" },
    turns: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    table: { type: "string" },
    against: { type: "string" },
    profile: { type: "string" },
  },
});
const rates = asked.rates.split(",").map(Number);
const rateMax = Math.max(...rates);
const turns = Number(asked.turns);
const seconds = Number(asked.seconds);
/** Seconds at the highest rate before anything counts: the runtime has compiled most by then, and the rest takes two minutes. */
const warmUp = 15;
/** Seconds of a turn that do not count: slots that were put off by the pause are made up for in them. */
const settling = 5;
/** Seconds in which the checks of the last slots that count can end, before their agent stands still. */
const ending = 2;
const periodSeconds = 10;

const root = path.join(import.meta.dirname, "..");
const checkouts = [root, ...(asked.against === undefined ? [] : [asked.against])];

/** One turn of one tool. */
interface Window {
  readonly from: EpochMillis;
  readonly to: EpochMillis;
  readonly used: number;
}

const sleep = (time: number): Promise<void> => systemClock.sleep(millis(time * 1e3));

/** What each of the processes used while `work` went on. */
async function measured(
  pids: readonly number[],
  work: () => Promise<unknown>,
): Promise<readonly Window[]> {
  const from = systemClock.wall();
  const before = pids.map(processTime);
  await work();
  const to = systemClock.wall();
  return pids.map((pid, index) => ({ from, to, used: processTime(pid) - (before[index] ?? 0) }));
}

/** The pause that follows is shorter than a check's timeout. */
async function agentsTurn(agents: readonly MeasuredAgent[]): Promise<readonly Window[]> {
  for (const agent of agents) agent.resume();
  await sleep(settling);
  const windows = await measured(
    agents.map(({ pid }) => pid),
    () => sleep(seconds),
  );
  await sleep(ending);
  for (const agent of agents) agent.pause();
  return windows;
}

/** Probes begun at a rate, whether or not those before have ended. */
async function probeAtRate(
  blackbox: Blackbox,
  kind: Kind,
  rate: number,
  time: number,
): Promise<void> {
  const probes: Promise<string>[] = [];
  let due = systemClock.monotonic();
  for (let n = 0; n < rate * time; n += 1) {
    await systemClock.sleep(millis((due - systemClock.monotonic()) / 1e6));
    probes.push(blackbox.probe(kind.module, kind.target(n)));
    due = nanos(due + 1e9 / rate);
  }
  if (!(await Promise.all(probes)).every(hasSucceeded))
    throw new Error("the exporter's probe failed");
}

async function blackboxTurn(
  blackbox: Blackbox,
  kind: Kind,
  rate: number,
): Promise<readonly Window[]> {
  await probeAtRate(blackbox, kind, rate, 0.5);
  return measured([blackbox.pid], () => probeAtRate(blackbox, kind, rate, seconds));
}

const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;

/** Medians of microseconds a check; the agents in the order of their checkouts. */
interface Cell {
  readonly kind: string;
  readonly rate: number;
  readonly agents: readonly number[];
  readonly blackbox: number;
}

async function measureKind(kind: Kind, folder: string): Promise<readonly Cell[]> {
  mkdirSync(folder);
  await using stack = new AsyncDisposableStack();
  const blackbox = stack.use(await startBlackbox(folder, kind.caFile));
  const agents = await Promise.all(
    checkouts.map((checkout, index) =>
      startMeasured(kind, checkout, path.join(folder, `${index}`)),
    ),
  );
  for (const agent of agents) stack.use(agent);
  await sleep(warmUp);
  const runs = [];
  for (const rate of rates) {
    for (const agent of agents) agent.assign(rate * periodSeconds);
    const ours: (readonly Window[])[] = [];
    const theirs: (readonly Window[])[] = [];
    // The first turn does not count: monitors that come and go are news in it.
    for (let turn = 0; turn <= turns; turn += 1) {
      ours.push(await agentsTurn(agents));
      theirs.push(await blackboxTurn(blackbox, kind, rate));
    }
    runs.push({ rate, ours, theirs });
  }
  // What was checked counts once the service has it.
  for (const agent of agents) await agent.stop();
  return runs.map(({ rate, ours, theirs }) => ({
    kind: kind.name,
    rate,
    agents: agents.map((agent, index) =>
      perCheck(ours, index, ({ from, to }) => agent.reported(from, to)),
    ),
    blackbox: perCheck(theirs, 0, () => rate * seconds),
  }));
}

const startMeasured = (kind: Kind, checkout: string, folder: string): Promise<MeasuredAgent> =>
  startAgent({
    program: [path.join(checkout, "bin/picket")],
    folder,
    monitors: Array.from({ length: rateMax * periodSeconds }, (_, n) => kind.monitor(n)),
    env: {
      ...kind.env,
      ...(asked.profile === undefined
        ? {}
        : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${path.resolve(asked.profile)}` }),
    },
  });

const perCheck = (
  rounds: readonly (readonly Window[])[],
  index: number,
  count: (window: Window) => number,
): number =>
  median(
    rounds.slice(1).flatMap((windows) => {
      const window = windows[index];
      return window === undefined ? [] : [window.used / 1e3 / count(window)];
    }),
  );

const head = [
  "check",
  "a second",
  "Picket",
  ...checkouts.slice(1).map(() => "other checkout"),
  "blackbox_exporter",
  "ratio",
];
const row = ({ kind, rate, agents, blackbox }: Cell): readonly string[] => [
  kind,
  String(rate),
  ...agents.map((one) => one.toFixed(0)),
  blackbox.toFixed(0),
  ...agents.map((one) => (one / blackbox).toFixed(2)).slice(0, 1),
];
const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const folder = mkdtempSync(path.join(os.tmpdir(), "picket-cpu-"));
await using peers = new AsyncDisposableStack();
peers.defer(() => rmSync(folder, { recursive: true, force: true }));
const lines = [line(head), line(head.map(() => "---"))];
process.stdout.write(`${lines.join("\n")}\n`);
for (const [index, kind] of (await startKinds(folder, peers)).entries()) {
  if (asked.only !== undefined && !asked.only.split(";").includes(kind.name)) continue;
  try {
    for (const cell of await measureKind(kind, path.join(folder, `kind-${index}`))) {
      lines.push(line(row(cell)));
      process.stdout.write(`${line(row(cell))}\n`);
    }
  } catch (error) {
    // A machine that cannot bear the rate of one kind may bear the others'.
    process.stderr.write(`${kind.name} could not be measured: ${String(error)}\n`);
  }
}
if (asked.table !== undefined)
  writeTable(asked.table, {
    bench: "cpu",
    made: `medians of ${turns} turns of ${seconds} s`,
    table: lines.join("\n"),
  });
