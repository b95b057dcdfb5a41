import { readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import * as limits from "#limits/spool-limits";
import type { EpochMillis } from "#base/units";

/** What SQLite writes next to a database belongs to it, and moves with it. */
const sideFiles = ["-wal", "-shm", "-journal"];

/**
 * Renames a database that cannot be used here, and forgets those set aside longest ago; its new name. Throws what the
 * file system says where it cannot be renamed.
 */
export function setAside(file: string, now: EpochMillis): string {
  const aside = `${file}.aside-${new Date(now).toISOString().replaceAll(":", "-")}`;
  renameSync(file, aside);
  for (const side of sideFiles) unlessMissing(() => renameSync(file + side, aside + side));
  forgetOldest(file);
  return aside;
}

function forgetOldest(file: string): void {
  const folder = path.dirname(file);
  const isSide = (name: string): boolean => sideFiles.some((side) => name.endsWith(side));
  const aside = readdirSync(folder)
    .filter((name) => name.startsWith(`${path.basename(file)}.aside-`) && !isSide(name))
    .toSorted();
  for (const name of aside.slice(0, -limits.spoolsAsideMax))
    removeDatabase(path.join(folder, name));
}

/** Removes a database that no process has open. */
export function removeDatabase(file: string): void {
  for (const side of ["", ...sideFiles]) rmSync(file + side, { force: true });
}

function unlessMissing(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(Error.isError(error) && "code" in error && error.code === "ENOENT")) throw error;
  }
}
