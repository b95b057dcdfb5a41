import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "#base/clock";
import { millis } from "#base/units";
import { imageStart } from "../packaging/image-start.ts";
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
 *                          [--start sources|image] [--flags="|--FLAG …|…"]
 *
 * --start image runs the bundle as the image does. --flags has an agent for each set of flags between the bars; the first is
 * empty there, so that agent has none but those of the start.
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
    start: { type: "string", default: "sources" },
    flags: { type: "string", default: "" },
  },
});
const seconds = Number(asked.seconds);
const root = path.join(import.meta.dirname, "..");
const checkouts = { this: root, ...(asked.against === undefined ? {} : { other: asked.against }) };
/** What is compared, by its name in the table. */
const variants = Object.entries(checkouts).flatMap(([name, checkout]) =>
  asked.raw.split(",").flatMap((raw) =>
    asked.flags.split("|").map((text) => {
      const flags = text.split(" ").filter((flag) => flag !== "");
      return { of: name, name: [name, `raw ${raw}`, ...flags].join(", "), checkout, raw, flags };
    }),
  ),
);
type Variant = (typeof variants)[number];
const sleep = (time: number): Promise<void> => systemClock.sleep(millis(time * 1e3));

/** Checks a second before anything counts: the runtime has compiled by then what it will in a process that runs for days. */
const warmUpRate = 200;
const warmUp = 25;
/** Seconds until the agent has heard of its monitors, and those that begin have had their first checks. */
const settling = 12;
const periodSeconds = 10;

/** The words before the command; flags that stand twice count as they stand last. */
function programOf({ of, checkout, flags }: Variant): readonly string[] {
  if (asked.start !== "image") return [path.join(checkout, "bin/picket")];
  const bundled = path.join(folder, `bundle-${of}`);
  if (!existsSync(bundled))
    execFileSync(process.execPath, [path.join(checkout, "packaging/build.ts"), bundled]);
  return [process.execPath, ...imageStart().flags, ...flags, path.join(bundled, "picket.mjs")];
}

const startOne = (
  kind: Kind,
  count: number,
  variant: Variant,
  folder: string,
): Promise<MeasuredAgent> =>
  startAgent({
    program: programOf(variant),
    folder,
    service: asked.service === "calls" ? "plain-service.ts" : "service.ts",
    monitors: Array.from({ length: count }, (_, n) => kind.monitor(n)),
    env: {
      ...kind.env,
      PICKET_POLL_INTERVAL: "5s",
      PICKET_RAW_SOCKETS: variant.raw,
      ...(asked.start === "image" ? imageStart().allocator : {}),
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
