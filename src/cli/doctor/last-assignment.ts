import path from "node:path";
import type { Config } from "#agent/settings/config";
import { assignmentFile } from "#agent/state/assignment-file";
import type { Assignment } from "#wire/read-assignment";

/** What the agent keeps of its last assignment, as the service sent it; null if there is none that can be read. */
export function lastAssignment({
  stateDirectory,
  serviceUrl,
  token,
}: Config): Promise<Assignment | null> {
  const file = path.join(stateDirectory, "assignment.json");
  const memory = assignmentFile(file, `${serviceUrl} ${token.secret.reveal()}`);
  return memory.load().catch(() => null);
}
