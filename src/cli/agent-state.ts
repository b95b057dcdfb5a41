import { hostname } from "node:os";
import type { Config } from "#agent/config";
import { keptInstanceId } from "#agent/instance-id";
import type { StateDirectory } from "#agent/state-directory";
import type { Clock } from "#clock";
import type { Logger } from "#log";
import {
  type AssignmentMemory,
  assignmentFile,
  noAssignmentMemory,
} from "#transport/assignment-file";
import { memorySpool } from "#transport/memory-spool";
import type { Spool } from "#transport/spool";
import { SqliteSpool } from "#transport/sqlite-spool";

/** What an agent is called. */
export const instanceOf = (config: Config, state: StateDirectory, log: Logger): string =>
  config.instance ?? keptInstanceId(state, log) ?? hostname();

/** The last assignment, for the service and the token that it came with. */
export function openAssignmentMemory(
  { serviceUrl, token }: Config,
  state: StateDirectory,
): AssignmentMemory {
  const file = state.file("assignment.json");
  return file === null
    ? noAssignmentMemory
    : assignmentFile(file, `${serviceUrl} ${token.secret.reveal()}`);
}

/** The results that wait: on disk where there is a place for them. */
export function openSpool(
  { spoolLimits: limits }: Config,
  state: StateDirectory,
  clock: Clock,
  log: Logger,
): Spool {
  const file = state.file("spool.sqlite");
  return file === null ? memorySpool(clock, limits) : new SqliteSpool({ file, limits, clock, log });
}
