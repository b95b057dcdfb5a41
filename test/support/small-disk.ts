import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { isInstalled, refuseInCi } from "./installed.ts";
import { temporaryFolder } from "./running-service.ts";

/** Whether a test can mount a file system: root may, unless it is root of a container. */
export function canMount(): boolean {
  if (!isInstalled("mount", "umount")) return false;
  const folder = mkdtempSync(path.join(tmpdir(), "picket-mount-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "tmpfs", folder], { stdio: "pipe" });
    execFileSync("umount", [folder]);
    return true;
  } catch {
    refuseInCi("this user may not mount a file system");
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

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
