import { closeSync, openSync, readSync, statSync } from "node:fs";
import type { Bytes } from "#base/units";

/** The text of a file that a person named by hand, so perhaps the wrong one. Throws when it is larger than `max`. */
export function readBounded(file: string, max: Bytes): string {
  const opened = openSync(file, "r");
  try {
    const room = Buffer.alloc(max + 1);
    let filled = 0;
    for (let read = -1; read !== 0 && filled < room.length; filled += read)
      read = readSync(opened, room, filled, room.length - filled, null);
    if (filled > max) throw new Error(`is larger than ${max / 1024} KiB`);
    return room.toString("utf8", 0, filled);
  } finally {
    closeSync(opened);
  }
}

/** Why a file cannot be used: the system's code, else the sentence that was thrown. */
export function whyUnusable(error: unknown): string {
  if (!Error.isError(error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}

/** Two looks that differ say that the file was changed or replaced; one that cannot be made says why. */
export function stateOfFile(file: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join();
  } catch (error) {
    return whyUnusable(error);
  }
}
