import { hostname } from "node:os";
import type { Config } from "#agent/settings/config";
import { keptInstanceId } from "#agent/state/instance-id";
import type { StateDirectory } from "#agent/state/state-directory";
import { pathFile } from "#agent/state/path-file";
import { noPathMemory, type PathMemory } from "#agent/vantage/path-memory";
import type { Clock } from "#base/clock";
import type { Logger } from "#base/log";
import {
  type AssignmentMemory,
  assignmentFile,
  noAssignmentMemory,
} from "#agent/state/assignment-file";
import { auditMemory, type AuditMemory } from "#agent/state/audit-file";
import { memorySpool } from "#agent/spool/memory-spool";
import type { Spool } from "#agent/spool/spool";
import { SqliteSpool } from "#agent/spool/sqlite-spool";

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

/** The head of the service's audit log. */
export const openAuditMemory = ({ serviceUrl }: Config, state: StateDirectory): AuditMemory =>
  auditMemory(state, serviceUrl);
/** The paths to targets, as they were known when the agent stopped. */
export function openPathMemory(state: StateDirectory, log: Logger): PathMemory {
  const file = state.file("paths.json");
  return file === null ? noPathMemory : pathFile(file, log);
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
