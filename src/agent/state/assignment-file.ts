import { parsedJson } from "#base/json";
import { createHash } from "node:crypto";
import { chmodSync, statSync } from "node:fs";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { MonitorsResponseSchema } from "#contract/private_location/v1/private_location_pb";
import * as limits from "#limits/agent-limits";
import { keepText, keptText } from "#machine/kept-text";
import { type Assignment, readAssignment } from "#wire/read-assignment";

/** Where an agent keeps its last assignment, so that it knows what to run when it starts while the service is away. */
export interface AssignmentMemory {
  /** Null when none was kept. Rejects with a sentence when what is there cannot be used. */
  load(): Promise<Assignment | null>;
  /** Rejects with a sentence when it cannot be kept. */
  save(assignment: Assignment): Promise<void>;
}

/**
 * One file, readable by its owner only, because monitors hold credentials. What was kept for another service or token
 * is not ours to run, so `owner` is compared: anything that distinguishes the two, of which only a hash is written.
 */
export function assignmentFile(file: string, owner: string): AssignmentMemory {
  const fingerprint = hashOf(owner);
  /** Of what the file holds. */
  let kept: string | null = null;
  return {
    load: async () => {
      const text = readPrivate(file);
      if (text === null) return null;
      const { owner: whose, assignment } = envelopeOf(text, file);
      if (whose !== fingerprint) return null;
      kept = hashOf(assignment);
      return decoded(assignment, file);
    },
    save: async ({ message }) => {
      const assignment = Buffer.from(toBinary(MonitorsResponseSchema, message)).toString("base64");
      // A service without revisions sends the same each time.
      const hash = hashOf(assignment);
      if (hash === kept) return;
      keepText(file, JSON.stringify({ version, owner: fingerprint, assignment }));
      kept = hash;
    },
  };
}

/** Keeps nothing: for an agent without a state directory. */
export const noAssignmentMemory: AssignmentMemory = {
  load: async () => null,
  save: async () => {},
};

const version = 1;

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

function envelopeOf(text: string, file: string): { owner: string; assignment: string } {
  const value: unknown = parsedJson(text);
  if (
    typeof value === "object" &&
    value !== null &&
    "version" in value &&
    value.version === version &&
    "owner" in value &&
    typeof value.owner === "string" &&
    "assignment" in value &&
    typeof value.assignment === "string"
  )
    return { owner: value.owner, assignment: value.assignment };
  throw new Error(`${file} holds no assignment that this Picket can read`);
}

function decoded(assignment: string, file: string): Assignment {
  try {
    return readAssignment(fromBinary(MonitorsResponseSchema, Buffer.from(assignment, "base64")));
  } catch (error) {
    throw new Error(`${file} holds a damaged assignment`, { cause: error });
  }
}

/** The text of a file; null when there is none. Takes from others what right to it they had. */
function readPrivate(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (found.size > limits.assignmentFileBytesMax)
    throw new Error(`${file} is larger than ${limits.assignmentFileBytesMax} bytes`);
  if ((found.mode & 0o077) !== 0) chmodSync(file, 0o600);
  return keptText(file);
}
