import { statSync } from "node:fs";
import { create, fromJsonString, toJsonString } from "@bufbuild/protobuf";
import { HeartbeatRequestSchema } from "#contract/private_location/v1/private_location_pb";
import type { PathMemory } from "#agent/vantage/path-memory";
import { thrownText } from "#base/text";
import type { Logger } from "#base/log";
import type { KnownPath } from "#check/known-path";
import * as limits from "#limits/path-limits";
import { keepText, keptText } from "#machine/kept-text";
import { readPath } from "#wire/read-path";
import { pathMessage } from "#wire/write-path";

/** One file, readable by its owner only: it describes the network. What cannot be kept or read costs knowledge only. */
export function pathFile(file: string, log: Logger): PathMemory {
  return {
    load: () => {
      try {
        return keptPaths(file);
      } catch (error) {
        log.warn("the paths of before cannot be read: they are learned again", {
          file,
          "error.message": thrownText(error),
        });
        return [];
      }
    },
    save: (paths) => {
      try {
        keepText(file, written(paths));
      } catch (error) {
        log.warn(
          "the paths to the targets cannot be kept: they are learned again after a restart",
          {
            file,
            "error.message": thrownText(error),
          },
        );
      }
    },
  };
}

/** The paths in a file; empty if there is none. Throws a sentence for what cannot be used. */
export function keptPaths(file: string): readonly KnownPath[] {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > limits.pathFileBytesMax) throw new Error(`${file} is too large`);
  const text = keptText(file);
  if (text === null) return [];
  return fromJsonString(HeartbeatRequestSchema, text)
    .paths.slice(0, limits.pathsMax)
    .map(readPath)
    .filter((one) => one !== null);
}

/** Those that were traced last, as far as they fit. */
function written(paths: readonly KnownPath[]): string {
  const newest = paths.toSorted((a, b) => b.tracedAt - a.tracedAt).slice(0, limits.pathsMax);
  for (let kept = newest; ; kept = kept.slice(0, Math.floor(kept.length / 2))) {
    const message = create(HeartbeatRequestSchema, {
      paths: kept.map((one) => pathMessage(one, [])),
    });
    const text = toJsonString(HeartbeatRequestSchema, message);
    if (Buffer.byteLength(text) <= limits.pathFileBytesMax || kept.length === 0) return text;
  }
}
