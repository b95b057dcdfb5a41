import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { threadName } from "./process-time.ts";

const run = promisify(execFile);

/** Samples of the stacks of a process, as perf writes them out. */
export interface Samples {
  readonly text: string;
  readonly threads: ReadonlyMap<number, string>;
  readonly perSecond: number;
  readonly seconds: number;
}

const perSecond = 999;

/** Has perf look at all threads of a process for some seconds. Its symbols are those of `--perf-basic-prof`. */
export async function recordSamples(
  pid: number,
  seconds: number,
  folder: string,
): Promise<Samples> {
  const file = path.join(folder, `perf-${pid}.data`);
  const threads = new Map(
    readdirSync(`/proc/${pid}/task`).map((task) => [Number(task), threadName(pid, Number(task))]),
  );
  const what = ["record", "-q", "-e", "cpu-clock", "-F", String(perSecond), "-g", "-p", `${pid}`];
  await run("perf", [...what, "-o", file, "--", "sleep", String(seconds)]);
  if (!existsSync(file)) throw new Error("perf recorded nothing");
  const { stdout } = await run("perf", ["script", "-i", file, "-F", "tid,ip,sym"], {
    maxBuffer: 2 ** 30,
  });
  return { text: stdout, threads, perSecond, seconds };
}

/** What a frame belongs to, the first rule that fits. */
const rules: readonly (readonly [RegExp, string])[] = [
  [/Heap::|Scaveng|MarkCompact|MarkingWorklist|Sweep|GCTracer/, "garbage collection"],
  [/Compil|Baseline|Maglev|Turbo|Parser|Bytecode.*Generat/, "compiling"],
  [/src\/agent\/schedule\/|src\/prober\/schedule\//, "slots"],
  [/src\/assertions\//, "assertions"],
  [
    /src\/(agent|prober)\/checks\/(run-check|slot-checks|gate|result-sink|retr)/,
    "attempts and retries",
  ],
  [/src\/(agent|prober)\/checks\/(verdict|lateness|uncertainty)/, "log and figures"],
  [/src\/prober\/|node:internal\/worker|MessagePort|structuredClone/, "crossing threads"],
  [/src\/probes\/connection\/(marker|kernel-clock|pauses|stopwatch)/, "marks"],
  [/src\/probes\/connection\/(handshake|certificate|trust)|node:_tls|TLSWrap|SSL_/, "TLS"],
  [/src\/(probes|network)\//, "probe"],
  [/src\/metrics\/|src\/agent\/telemetry|src\/agent\/process-fig/, "metrics"],
  [/src\/spool\/|node:sqlite|sqlite3/, "spool"],
  [/src\/(wire|transport|agent\/link)\/|@connectrpc|@bufbuild/, "report"],
  [/src\/log|pino/, "log and figures"],
  [/src\/endpoint\//, "page"],
  [
    /src\/(clock|deadline|steady-clock)|node:internal\/timers|abort_controller/,
    "timers and signals",
  ],
  [
    /node:(net|internal\/stream_base|internal\/streams|internal\/dgram|dgram|dns|events)/,
    "sockets",
  ],
  [/node:(_http|http|internal\/http)/, "report"],
  [/node:(diagnostics|internal\/process)/, "ticks"],
];

/** Processors that each part took on the average, by thread, the largest first. The innermost frame that is known counts. */
export function partsOf({
  text,
  threads,
  perSecond: rate,
  seconds,
}: Samples): readonly (readonly [thread: string, part: string, share: number])[] {
  const counts = new Map<string, Map<string, number>>();
  for (const sample of text.split("\n\n")) {
    const [head = "", ...frames] = sample.trim().split("\n");
    const thread = threads.get(Number(head.trim()));
    if (thread === undefined) continue;
    const part = partOf(frames);
    const ofThread = counts.getOrInsertComputed(thread, () => new Map());
    ofThread.set(part, (ofThread.get(part) ?? 0) + 1);
  }
  return [...counts]
    .flatMap(([thread, parts]) =>
      [...parts].map(([part, count]) => [thread, part, count / rate / seconds] as const),
    )
    .toSorted((a, b) => a[0].localeCompare(b[0]) || b[2] - a[2]);
}

function partOf(frames: readonly string[]): string {
  for (const frame of frames) {
    const rule = rules.find(([pattern]) => pattern.test(frame));
    if (rule !== undefined) return rule[1];
  }
  return "the event loop, waking and sleeping";
}
