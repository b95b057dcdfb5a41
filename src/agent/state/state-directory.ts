import { thrownText } from "#base/text";
import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import * as limits from "#limits/agent-limits";
import type { Logger } from "#base/log";
import { lockFile } from "#machine/file-lock";

/**
 * Where an agent keeps what has to outlive it; without one, it keeps nothing and works anyway. Each agent that
 * uses a directory has a place in it, with its own files, until it is disposed.
 */
export interface StateDirectory extends Disposable {
  /** 1 for the first agent of the directory. */
  readonly place: number;
  /** Where a file of that name belongs; null if nothing can be kept. */
  file(name: string): string | null;
  /** Places that agents left which have ended; each is held until it is disposed. */
  left(): Iterable<StateDirectory>;
}

const nothing = (): void => {};

export const noStateDirectory: StateDirectory = {
  place: 1,
  file: () => null,
  left: () => [],
  [Symbol.dispose]: nothing,
};

/** Takes a place in a directory, made here if it is missing; says so if none can be had, and what follows. */
export function openStateDirectory(directory: string, log: Logger): StateDirectory {
  try {
    make(directory);
    // The slash asks for a directory: a file of that name is refused.
    accessSync(`${directory}/`, constants.R_OK | constants.W_OK | constants.X_OK);
    return firstFree(directory, log);
  } catch (error) {
    log.warn(
      "the state directory cannot be used: unsent results are lost when this agent stops. " +
        (hasCode(error, "ENOSPC")
          ? "Make room on its disk, then start the agent again"
          : "Set PICKET_STATE_DIR to a directory that its user may write"),
      { directory, "error.message": thrownText(error) },
    );
    return noStateDirectory;
  }
}

function firstFree(directory: string, log: Logger): StateDirectory {
  for (let place = 1; place <= limits.agentsPerStateDirectoryMax; place += 1) {
    const lock = lockFile(lockOf(directory, place));
    if (lock === null) continue;
    if (place > 1)
      log.warn(
        "another agent uses this state directory: this one uses another id and other files in it. Give each agent a separate PICKET_STATE_DIR",
        { directory, place },
      );
    return placeIn(directory, place, lock);
  }
  throw new Error(`${limits.agentsPerStateDirectoryMax} other agents use it`);
}

const placeIn = (directory: string, place: number, lock: Disposable): StateDirectory => ({
  place,
  file: (name) => fileAt(directory, place, name),
  left: () => leftIn(directory, place),
  [Symbol.dispose]: () => lock[Symbol.dispose](),
});

function* leftIn(directory: string, own: number): Iterable<StateDirectory> {
  for (let place = 1; place <= limits.agentsPerStateDirectoryMax; place += 1) {
    if (place === own || !existsSync(lockOf(directory, place))) continue;
    const lock = lockFile(lockOf(directory, place));
    if (lock !== null) yield placeIn(directory, place, lock);
  }
}

/** Where two files of each agent of a directory belong, whether it runs or not. */
export const keptFiles = (
  directory: string,
  one: string,
  other: string,
): readonly (readonly [string, string])[] =>
  places.map((place) => [fileAt(directory, place, one), fileAt(directory, place, other)]);

/** Where a file of that name of each agent of a directory belongs, whether it runs or not. */
export const filesOfAll = (directory: string, name: string): readonly string[] =>
  places.map((place) => fileAt(directory, place, name));

const places = Array.from({ length: limits.agentsPerStateDirectoryMax }, (_, index) => index + 1);

const fileAt = (directory: string, place: number, name: string): string =>
  path.join(directory, nameAt(place, name));

const lockOf = (directory: string, place: number): string => fileAt(directory, place, "agent.lock");

/** `spool.sqlite` in the first place, `spool-2.sqlite` in the second. */
function nameAt(place: number, name: string): string {
  if (place === 1) return name;
  const { name: stem, ext } = path.parse(name);
  return `${stem}-${place}${ext}`;
}

/** Not recursive: in a file system that makes no directories, e.g. /proc, Node would try forever. */
function make(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  Error.isError(error) && "code" in error && error.code === code;
