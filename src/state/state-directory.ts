import { accessSync, constants, mkdirSync } from "node:fs";
import path from "node:path";
import type { Logger } from "#log";

/** Where an agent keeps what has to outlive it; without one, it keeps nothing and works all the same. */
export interface StateDirectory {
  /** Where a file of that name belongs; null where nothing can be kept. */
  file(name: string): string | null;
}

export const noStateDirectory: StateDirectory = { file: () => null };

/** Takes a directory, made here where it is missing; says so where it cannot be had, and what follows. */
export function openStateDirectory(directory: string, log: Logger): StateDirectory {
  try {
    make(directory);
    // The slash asks for a directory: a file of that name is refused.
    accessSync(`${directory}/`, constants.R_OK | constants.W_OK | constants.X_OK);
    return { file: (name) => path.join(directory, name) };
  } catch (error) {
    log.warn(
      "the state directory cannot be used: results that wait are lost when this agent ends. " +
        "Set PICKET_STATE_DIR to a directory that its user may write",
      { directory, "error.message": Error.isError(error) ? error.message : String(error) },
    );
    return noStateDirectory;
  }
}

/** Not recursive: in a file system that makes no directories, as /proc, Node would try for ever. */
function make(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (!(Error.isError(error) && "code" in error && error.code === "EEXIST")) throw error;
  }
}
