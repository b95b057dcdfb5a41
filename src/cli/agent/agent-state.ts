import { hostname } from "node:os";
import type { Config } from "#config/config";
import { keptInstanceId } from "#state/instance-id";
import type { StateDirectory } from "#state/state-directory";
import type { Clock } from "#clock";
import type { Logger } from "#log";
import { type AssignmentMemory, assignmentFile, noAssignmentMemory } from "#state/assignment-file";
import { memorySpool } from "#spool/memory-spool";
import type { Spool } from "#spool/spool";
import { SqliteSpool } from "#spool/sqlite-spool";

/** What an agent is called: two of one name would both run everything. */
export function instanceOf(config: Config, state: StateDirectory, log: Logger): string {
  if (config.instance === null) return keptInstanceId(state, log) ?? hostname();
  return state.place === 1 ? config.instance : `${config.instance}-${state.place}`;
}

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
