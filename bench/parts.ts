import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "#clock";
import { millis } from "#units";
import { startAgent, type MeasuredAgent } from "./cpu/agent.ts";
import { type Kind, startKinds } from "./cpu/kinds.ts";
import { partsOf, recordSamples } from "./cpu/samples.ts";
import { processMemory } from "./cpu/process-memory.ts";
import { type ThreadTime, threadTimes } from "./cpu/process-time.ts";

/*
 * Where the processor time of the whole agent goes: by thread, in user and system mode, with how often each thread was
 * woken, and with --parts by what it was spent on. Agents of several checkouts, and with each kind of sockets, run side
 * by side against the same nginx, so that their figures are of the same seconds. Needs nginx, knot and openssl, and for
 * --parts perf and root.
 *
 *   npm run bench:parts -- [--kind http] [--rates 1,17,100,333] [--service batches|calls] [--seconds 20]
 *                          [--against CHECKOUT] [--raw auto,off] [--parts]
 */
const { values: asked } = parseArgs({
  options: {
    kind: { type: "string", default: "http" },
    rates: { type: "string", default: "1,17,100,333" },
    service: { type: "string", default: "batches" },
    seconds: { type: "string", default: "20" },
    against: { type: "string" },
    raw: { type: "string", default: "auto" },
    parts: { type: "boolean", default: false },
  },
});
const seconds = Number(asked.seconds);
const root = path.join(import.meta.dirname, "..");
const checkouts = { this: root, ...(asked.against === undefined ? {} : { other: asked.against }) };
/** What is compared, by its name in the table. */
const variants = Object.entries(checkouts).flatMap(([name, checkout]) =>
  asked.raw.split(",").map((raw) => ({ name: `${name}, raw ${raw}`, checkout, raw })),
);
const sleep = (time: number): Promise<void> => systemClock.sleep(millis(time * 1e3));

/** Checks a second before anything counts: the runtime has compiled by then what it will in a process that runs for days. */
const warmUpRate = 200;
const warmUp = 25;
/** Seconds until the agent has heard of its monitors, and those that begin have had their first checks. */
const settling = 12;
const periodSeconds = 10;

const startOne = (
  kind: Kind,
  count: number,
  { checkout, raw }: { readonly checkout: string; readonly raw: string },
  folder: string,
): Promise<MeasuredAgent> =>
  startAgent({
    program: [path.join(checkout, "bin/picket")],
    folder,
    service: asked.service === "calls" ? "plain-service.ts" : "service.ts",
    monitors: Array.from({ length: count }, (_, n) => kind.monitor(n)),
    env: {
      ...kind.env,
      PICKET_POLL_INTERVAL: "5s",
      PICKET_RAW_SOCKETS: raw,
      ...(asked.parts
        ? { NODE_OPTIONS: "--perf-basic-prof --interpreted-frames-native-stack" }
        : {}),
    },
  });

const line = (cells: readonly string[]): void =>
  void process.stdout.write(`| ${cells.join(" | ")} |\n`);

/** What one agent used between two readings, by thread, and in all. */
function tell(
  name: string,
  rate: number,
  agent: MeasuredAgent,
  was: ReadonlyMap<string, ThreadTime>,
  checks: number,
): void {
  let all = 0;
  let woken = 0;
  for (const [thread, { user, system, wakes }] of threadTimes(agent.pid)) {
    const before = was.get(thread);
    const inUser = (user - (before?.user ?? 0)) / 1e3 / checks;
    const inSystem = (system - (before?.system ?? 0)) / 1e3 / checks;
    const ofWakes = (wakes - (before?.wakes ?? 0)) / checks;
    all += inUser + inSystem;
    woken += ofWakes;
    if (inUser + inSystem >= 1)
      line([
        name,
        String(rate),
        thread,
        inUser.toFixed(0),
        inSystem.toFixed(0),
        ofWakes.toFixed(2),
      ]);
  }
  const rss = `RSS ${(processMemory(agent.pid).rss / 2 ** 20).toFixed(0)} MiB`;
  line([name, String(rate), "all threads", all.toFixed(0), rss, woken.toFixed(2)]);
}

async function measure(agents: readonly MeasuredAgent[], rate: number): Promise<void> {
  for (const agent of agents) agent.assign(rate * periodSeconds);
  await sleep(settling);
  const before = await Promise.all(agents.map((agent) => agent.figures()));
  const times = agents.map(({ pid }) => threadTimes(pid));
  const recordings = asked.parts
    ? agents.map(({ pid }) => recordSamples(pid, seconds, folder))
    : [];
  await sleep(seconds);
  const after = await Promise.all(agents.map((agent) => agent.figures()));
  for (const [index, agent] of agents.entries()) {
    const checks = (after[index]?.accepted ?? 0) - (before[index]?.accepted ?? 0);
    const name = variants[index]?.name ?? "";
    tell(name, rate, agent, times[index] ?? new Map(), checks);
    const recording = recordings[index];
    if (recording === undefined) continue;
    for (const [thread, part, share] of partsOf(await recording)) {
      const took = ((share * seconds * 1e6) / checks).toFixed(0);
      line([name, String(rate), `${thread}: ${part}`, took, "", ""]);
    }
  }
}

const folder = mkdtempSync(path.join(os.tmpdir(), "picket-parts-"));
await using peers = new AsyncDisposableStack();
peers.defer(() => rmSync(folder, { recursive: true, force: true }));
line(["agent", "a second", "thread", "user µs a check", "system µs a check", "wakes a check"]);
line(["---", "---", "---", "---", "---", "---"]);
const kind = (await startKinds(folder, peers)).find(({ name }) => name === asked.kind);
if (kind === undefined) throw new Error(`no kind ${asked.kind}`);
const rates = asked.rates
  .split(",")
  .map(Number)
  .toSorted((a, b) => b - a);
const count = Math.max(warmUpRate, ...rates) * periodSeconds;
const agents: MeasuredAgent[] = [];
for (const [index, variant] of variants.entries())
  agents.push(peers.use(await startOne(kind, count, variant, path.join(folder, `${index}`))));
await sleep(warmUp);
for (const rate of rates) await measure(agents, rate);
