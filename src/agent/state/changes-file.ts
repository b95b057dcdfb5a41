import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { parsedJson } from "#base/json";
import {
  type MonitorsResponse,
  MonitorsResponseSchema,
} from "#contract/private_location/v1/private_location_pb";
import * as limits from "#limits/agent-limits";
import { keptText, syncFolderOf, writeWhole } from "#machine/kept-text";

/**
 * What changed of an assignment since it was kept as a whole, a line each: a change of one monitor among thousands is one
 * line on the disk. Each line names the whole that it is of, so that lines of an older one count for nothing, whenever the
 * agent is killed. A line that was written in part is the last: after it only a whole assignment is kept.
 */
export class ChangesFile {
  readonly #file: string;
  #bytes = 0;
  #isWhole = true;

  constructor(file: string) {
    this.#file = file;
  }

  /** Whether further changes can be added. */
  get hasRoom(): boolean {
    return this.#isWhole && this.#bytes < limits.assignmentChangesBytesMax;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0 && this.#isWhole;
  }

  /** The changes of the whole assignment with this hash, in order. */
  read(whole: string): readonly MonitorsResponse[] {
    const text = keptText(this.#file) ?? "";
    const lines = text.split("\n");
    this.#bytes = text.length;
    this.#isWhole = lines.pop() === "";
    const changes: MonitorsResponse[] = [];
    for (const line of lines) {
      const read = changesIn(line);
      if (read === null) this.#isWhole = false;
      if (read?.whole !== whole) break;
      changes.push(read.changes);
    }
    // Those of another whole were left by an agent that was killed between the two files.
    if (changes.length === 0) this.clear();
    return changes;
  }

  /** What is there does not lead on: it is good only up to some line. */
  end(): void {
    this.#isWhole = false;
  }

  /** Adds a line. Throws what the file system says; then nothing is added to this file any more. */
  add(whole: string, message: MonitorsResponse): void {
    if (!this.#isWhole) throw new Error("the changes before these could not be kept");
    const changes = Buffer.from(toBinary(MonitorsResponseSchema, message)).toString("base64");
    const line = Buffer.from(`${JSON.stringify({ whole, changes })}\n`);
    const isNew = this.#bytes === 0;
    this.#isWhole = false;
    const descriptor = openSync(this.#file, isNew ? "w" : "a", 0o600);
    try {
      writeWhole(descriptor, line);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    if (isNew) syncFolderOf(this.#file);
    this.#bytes += line.length;
    this.#isWhole = true;
  }

  /** The whole was kept anew: its changes are in it. */
  clear(): void {
    rmSync(this.#file, { force: true });
    this.#bytes = 0;
    this.#isWhole = true;
  }
}

function changesIn(
  line: string,
): { readonly whole: string; readonly changes: MonitorsResponse } | null {
  const value: unknown = parsedJson(line);
  if (
    typeof value !== "object" ||
    value === null ||
    !("whole" in value) ||
    typeof value.whole !== "string" ||
    !("changes" in value) ||
    typeof value.changes !== "string"
  )
    return null;
  try {
    const bytes = Buffer.from(value.changes, "base64");
    return { whole: value.whole, changes: fromBinary(MonitorsResponseSchema, bytes) };
  } catch {
    return null;
  }
}
