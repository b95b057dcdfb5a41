import { parsedJson } from "#base/json";
import { createHash } from "node:crypto";
import { chmodSync, statSync } from "node:fs";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  type MonitorsResponse,
  MonitorsResponseSchema,
} from "#contract/private_location/v1/private_location_pb";
import * as limits from "#limits/agent-limits";
import { ChangesFile } from "#agent/state/changes-file";
import { keepRuns, type KeptRuns, takenRuns } from "#agent/state/kept-runs";
import { keepText, keptText } from "#machine/kept-text";
import { type Assignment, readAssignment, withChanges } from "#wire/read-assignment";

/** Where an agent keeps its last assignment, so that it knows what to run when it starts while the service is away. */
export interface AssignmentMemory {
  /** Null when none was kept. Rejects with a sentence when what is there cannot be used. */
  load(): Promise<Assignment | null>;
  /** Rejects with a sentence when it cannot be kept. Changes are kept only while `takesChanges`. */
  save(assignment: Assignment): Promise<void>;
  /** Whether changes of what was kept last can be kept; else only a whole assignment can. */
  readonly takesChanges: boolean;
  /** When the agent before this one ran what was loaded; null if it did not end by itself. */
  readonly ran: KeptRuns | null;
  /** Keeps when it was run, for the next start alone. Throws what the file system says. */
  saveRan(runs: KeptRuns): void;
}

/**
 * A file with the last whole assignment, and one with what changed since. Both are readable by their owner only, because
 * monitors hold credentials. What was kept for another service or token is not ours to run, so `owner` is compared:
 * anything that distinguishes the two, of which only a hash is written.
 */
export function assignmentFile(file: string, owner: string): AssignmentMemory {
  return new AssignmentFile(file, owner);
}

class AssignmentFile implements AssignmentMemory {
  readonly #file: string;
  readonly #fingerprint: string;
  readonly #changes: ChangesFile;
  readonly #runs: string;
  #ran: KeptRuns | null = null;
  /** The hash of the whole assignment that the file holds; null until one was kept or read. */
  #kept: string | null = null;

  constructor(file: string, owner: string) {
    this.#file = file;
    this.#fingerprint = hashOf(owner);
    this.#changes = new ChangesFile(`${file}.changes`);
    this.#runs = `${file}.ran`;
  }

  get takesChanges(): boolean {
    return this.#kept !== null && this.#changes.hasRoom;
  }

  get ran(): KeptRuns | null {
    return this.#ran;
  }

  saveRan(runs: KeptRuns): void {
    if (this.#kept !== null) keepRuns(this.#runs, runs);
  }

  async load(): Promise<Assignment | null> {
    // Whatever becomes of the assignment, what an older run left is never read again.
    this.#ran = takenRuns(this.#runs);
    const text = readPrivate(this.#file);
    if (text === null) return null;
    const { owner, assignment } = envelopeOf(text, this.#file);
    if (owner !== this.#fingerprint) return null;
    const whole = decoded(assignment, this.#file);
    this.#kept = hashOf(assignment);
    const chain: MonitorsResponse[] = [];
    for (const changes of this.#changes.read(this.#kept)) {
      if (changes.changedSince !== (chain.at(-1) ?? whole).revision) {
        this.#changes.end();
        break;
      }
      chain.push(changes);
    }
    return readAssignment(withChanges(whole, chain));
  }

  async save({ message, changes }: Assignment): Promise<void> {
    if (changes !== null) return this.#changes.add(this.#kept ?? "", message);
    const assignment = Buffer.from(toBinary(MonitorsResponseSchema, message)).toString("base64");
    const hash = hashOf(assignment);
    // A service without revisions sends the same each time.
    if (hash === this.#kept && this.#changes.isEmpty) return;
    keepText(this.#file, JSON.stringify({ version, owner: this.#fingerprint, assignment }));
    this.#kept = hash;
    this.#changes.clear();
  }
}

/** Keeps nothing: for an agent without a state directory. */
export const noAssignmentMemory: AssignmentMemory = {
  load: async () => null,
  save: async () => {},
  takesChanges: true,
  ran: null,
  saveRan: () => {},
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

function decoded(assignment: string, file: string): MonitorsResponse {
  try {
    return fromBinary(MonitorsResponseSchema, Buffer.from(assignment, "base64"));
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
