import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** What goes on beside the checks, until it is disposed. */
export type Disturbance = AsyncDisposable;

/** Programs that do nothing but take a processor, at an ordinary priority. */
export function busyLoops(count: number): Disturbance {
  const loops = Array.from({ length: count }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
  return {
    [Symbol.asyncDispose]: async () => {
      for (const loop of loops) {
        const gone = once(loop, "exit");
        loop.kill("SIGKILL");
        await gone;
      }
    },
  };
}

/** A control group whose processes share a part of one processor. */
export interface QuotaGroup extends Disposable {
  /** Put before a command, it runs there. */
  readonly inside: readonly string[];
  join(pid: number): void;
  leave(pid: number): void;
}

const periodMicros = 100_000;

/** Null if this machine lets nobody make one: it needs root, and a controller of processor time. */
export function quotaGroup(share: number): QuotaGroup | null {
  const first = existsSync("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  const root = first ? "/sys/fs/cgroup/cpu" : "/sys/fs/cgroup";
  const folder = path.join(root, `picket-bench-${process.pid}`);
  const quota = Math.round(share * periodMicros);
  try {
    mkdirSync(folder);
    if (first) writeFileSync(path.join(folder, "cpu.cfs_quota_us"), String(quota));
    else writeFileSync(path.join(folder, "cpu.max"), `${quota} ${periodMicros}`);
  } catch {
    if (existsSync(folder)) rmdirSync(folder);
    return null;
  }
  const move = (group: string, pid: number): void =>
    writeFileSync(path.join(group, "cgroup.procs"), String(pid));
  return {
    inside: ["sh", "-c", `echo $$ >${folder}/cgroup.procs && exec "$0" "$@"`],
    join: (pid) => move(folder, pid),
    leave: (pid) => move(root, pid),
    [Symbol.dispose]: () => rmdirSync(folder),
  };
}

/** A small file system in memory at `folder`; null if this machine lets nobody mount one. */
export function smallDisk(folder: string, mebibytes: number): Disposable | null {
  mkdirSync(folder, { recursive: true });
  const size = `size=${mebibytes}m`;
  const made = spawnSync("mount", ["-t", "tmpfs", "-o", size, "picket-bench", folder]);
  if (made.status !== 0) return null;
  return { [Symbol.dispose]: () => void spawnSync("umount", ["-l", folder]) };
}

/** Fills the file system of `folder` to its last block. */
export function fullDisk(folder: string): Disturbance {
  const file = path.join(folder, "filler");
  for (const size of [2 ** 20, 2 ** 12]) {
    const piece = Buffer.alloc(size);
    for (;;) {
      try {
        writeFileSync(file, piece, { flag: "a" });
      } catch {
        break;
      }
    }
  }
  return { [Symbol.asyncDispose]: async () => rmSync(file, { force: true }) };
}
