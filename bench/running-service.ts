import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { systemClock } from "#base/clock";

const now = (): number => systemClock.monotonic() / 1e6;

/** The bundle of the service as a separate process, to measure how soon it answers. */
export interface RunningService extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  readonly startedAfter: number;
  /** The most that it has had in memory, in MB. */
  readonly memory: () => number;
}

/** As bin/picket has them. */
export const serviceFlags: readonly string[] = [
  "--disable-warning=ExperimentalWarning",
  "--disable-sigusr1",
  "--min-semi-space-size=1",
  "--max-semi-space-size=1",
  "--no-parallel-scavenge",
];

export async function startService(bundle: string, database: string): Promise<RunningService> {
  const began = now();
  const args = ["service", "--listen", "127.0.0.1:0", "--database", database];
  const child = spawn(process.execPath, [...serviceFlags, bundle, ...args], {
    // With a database that is no file, it keeps its key where it is started.
    cwd: path.dirname(bundle),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /listens on (http:\S+?);/.exec(line)?.[1];
    if (url === undefined) continue;
    return {
      url,
      pid: child.pid ?? 0,
      startedAfter: now() - began,
      memory: () =>
        Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) /
        1024,
      [Symbol.asyncDispose]: async () => {
        child.kill("SIGTERM");
        await exited;
      },
    };
  }
  throw new Error("the service ended before it listened");
}

/** How long it would have taken with a processor to spare. */
export const own = ({ all, queued }: Took): number => Math.max(0, all - queued);

/** How long a question took, and how much of that the two main threads waited for a processor that others had. */
export interface Took {
  readonly all: number;
  readonly queued: number;
}

/** How long the main thread of a process has been ready to run and did not, in milliseconds. */
export const queuedFor = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;

export async function timed(pid: number, ask: () => Promise<void>): Promise<Took> {
  const waits = (): number => queuedFor(pid) + queuedFor(process.pid);
  const queued = waits();
  const began = now();
  await ask();
  return { all: now() - began, queued: waits() - queued };
}
