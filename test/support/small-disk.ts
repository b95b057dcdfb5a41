import { execFileSync } from "node:child_process";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./running-service.ts";

/** Why no file system can be mounted here, or null where one can. */
export const cannotMount: string | null =
  process.getuid?.() === 0 ? null : "only root may mount a file system";

export interface SmallDisk {
  readonly folder: string;
  readonly remount: (mode: "ro" | "rw") => void;
}

/** A separate file system, as small as a test asks; it goes with the test. */
export function smallDisk(size: string): SmallDisk {
  const folder = temporaryFolder();
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]);
  // Lazily, because a test that failed may have left files open.
  onTestFinished(() => void execFileSync("umount", ["-l", folder]));
  return {
    folder,
    remount: (mode) => void execFileSync("mount", ["-o", `remount,${mode}`, folder]),
  };
}
