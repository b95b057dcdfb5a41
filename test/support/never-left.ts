import type { ChildProcess } from "node:child_process";
import { existsSync, rmSync } from "node:fs";

/** What has to go with this process, however it ends: servers that run on would take ports, disk and processors. */
interface Left {
  readonly children: Map<ChildProcess, NodeJS.Signals>;
  readonly folders: Set<string>;
}

let left: Left | null = null;

/** A child that ends with us by a signal, also at a failure that nobody waits for. */
export function neverLeft(child: ChildProcess, by: NodeJS.Signals): void {
  const { children } = all();
  children.set(child, by);
  child.once("exit", () => children.delete(child));
}

/** A folder that goes with us, behind the children. Whoever removes it before says so with what this gives. */
export function neverLeftFolder(folder: string): () => void {
  const { folders } = all();
  folders.add(folder);
  return () => void folders.delete(folder);
}

/** Ctrl-C and the like end this process so that nothing is left: else a signal ends it at once. */
export function endBySignals(): void {
  for (const [signal, number] of signals) process.once(signal, () => process.exit(128 + number));
}

const signals = [
  ["SIGHUP", 1],
  ["SIGINT", 2],
  ["SIGTERM", 15],
] as const;

function all(): Left {
  if (left !== null) return left;
  const made = { children: new Map<ChildProcess, NodeJS.Signals>(), folders: new Set<string>() };
  process.once("exit", () => {
    for (const [child, signal] of made.children) child.kill(signal);
    for (const folder of made.folders) removeWhenQuiet(folder);
  });
  left = made;
  return made;
}

/** Servers need a moment to be gone, and write until then: what is removed may be there again, with or without an error. */
function removeWhenQuiet(folder: string): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; tries < 50 && existsSync(folder); tries += 1) {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // The next time.
    }
    if (existsSync(folder)) Atomics.wait(pause, 0, 0, 100);
  }
}
