import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "#clock";
import { millis } from "#units";
import { startAgent, type MeasuredAgent } from "./cpu/agent.ts";
import { type Kind, startKinds } from "./cpu/kinds.ts";
import { partsOf, recordSamples } from "./cpu/samples.ts";
import { threadTimes } from "./cpu/process-time.ts";

/*
 * Where the processor time of the whole agent goes: by thread, in user and system mode, and with --parts by what it was
 * spent on. Agents of several checkouts run side by side against the same nginx, so that their figures are of the same
 * seconds. Needs nginx, knot and openssl, and for --parts perf and root.
 *
 *   npm run bench:parts -- [--kind http] [--rates 1,17,100,333] [--service batches|calls] [--seconds 20]
 *                          [--against CHECKOUT] [--parts]
 */
const { values: asked } = parseArgs({
  options: {
    kind: { type: "string", default: "http" },
    rates: { type: "string", default: "1,17,100,333" },
    service: { type: "string", default: "batches" },
    seconds: { type: "string", default: "20" },
    against: { type: "string" },
    parts: { type: "boolean", default: false },
  },
});
const seconds = Number(asked.seconds);
const root = path.join(import.meta.dirname, "..");
const checkouts = [root, ...(asked.against === undefined ? [] : [asked.against])];
const sleep = (time: number): Promise<void> => systemClock.sleep(millis(time * 1e3));

/** Seconds until the first checks are over, and the runtime has compiled what it soon will. */
const settling = 30;
/** As people have them; above some rate, as many monitors as that takes would only take longer to begin. */
const periodOf = (rate: number): 30 | 10 => (rate > 50 ? 10 : 30);

async function startOne(
  kind: Kind,
  rate: number,
  checkout: string,
  folder: string,
): Promise<MeasuredAgent> {
  const period = periodOf(rate);
  return startAgent({
    checkout,
    folder,
    service: asked.service === "calls" ? "plain-service.ts" : "service.ts",
    monitors: Array.from({ length: Math.round(rate * period) }, (_, n) => ({
      ...kind.monitor(n),
      periodicity: period === 30 ? "30s" : "10s",
    })),
    env: {
      ...kind.env,
      ...(asked.parts
        ? { NODE_OPTIONS: "--perf-basic-prof --interpreted-frames-native-stack" }
        : {}),
    },
  });
}

const line = (cells: readonly string[]): void =>
  void process.stdout.write(`| ${cells.join(" | ")} |\n`);

async function measure(kind: Kind, rate: number, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await using stack = new AsyncDisposableStack();
  const agents: MeasuredAgent[] = [];
  for (const [index, checkout] of checkouts.entries())
    agents.push(
      stack.use(await startOne(kind, rate, checkout, path.join(folder, `${rate}-${index}`))),
    );
  await sleep(settling);
  const before = await Promise.all(agents.map(async (agent) => agent.accepted()));
  const times = agents.map(({ pid }) => threadTimes(pid));
  const [first] = agents;
  const recording =
    asked.parts && first !== undefined ? recordSamples(first.pid, seconds, folder) : null;
  await sleep(seconds);
  for (const [index, agent] of agents.entries()) {
    const after = threadTimes(agent.pid);
    const checks = (await agent.accepted()) - (before[index] ?? 0);
    const name = index === 0 ? "this" : "other";
    for (const [thread, { user, system }] of after) {
      const was = times[index]?.get(thread) ?? { user: 0, system: 0 };
      const [u, s] = [user - was.user, system - was.system].map((used) => used / 1e3 / checks);
      if ((u ?? 0) + (s ?? 0) >= 1)
        line([name, String(rate), thread, (u ?? 0).toFixed(0), (s ?? 0).toFixed(0)]);
    }
    line([name, String(rate), `RSS ${(agent.rss() / 2 ** 20).toFixed(0)} MiB`, "", ""]);
    if (index === 0 && recording !== null)
      for (const [thread, part, share] of partsOf(await recording))
        line([
          name,
          String(rate),
          `${thread}: ${part}`,
          ((share * seconds * 1e6) / checks).toFixed(0),
          "",
        ]);
  }
}

const folder = mkdtempSync(path.join(os.tmpdir(), "picket-parts-"));
await using peers = new AsyncDisposableStack();
peers.defer(() => rmSync(folder, { recursive: true, force: true }));
line(["checkout", "a second", "thread", "user µs a check", "system µs a check"]);
line(["---", "---", "---", "---", "---"]);
const kind = (await startKinds(folder, peers)).find(({ name }) => name === asked.kind);
if (kind === undefined) throw new Error(`no kind ${asked.kind}`);
for (const rate of asked.rates.split(",").map(Number)) await measure(kind, rate, folder);
