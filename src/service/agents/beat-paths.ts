import { toBinary } from "@bufbuild/protobuf";
import {
  type HeartbeatRequest,
  KnownPathSchema,
} from "#contract/private_location/v1/private_location_pb";
import * as limits from "#limits/path-limits";
import { integerOf, monitorId } from "#service/store/ids";
import type { SentPath } from "#service/store/path-store";
import { readPath } from "#wire/read-path";
import { pathMessage } from "#wire/write-path";

/** The paths in a heartbeat, within the bounds of what is kept. */
export const pathsIn = ({ paths }: Pick<HeartbeatRequest, "paths">): readonly SentPath[] =>
  paths.slice(0, limits.pathsPerBeat).flatMap((sent) => {
    const path = readPath(sent);
    const monitors = sent.monitorIds.slice(0, limits.monitorsPerPathMax).flatMap((id) => {
      const number = integerOf(id);
      return number === null ? [] : [monitorId(number)];
    });
    if (path === null || monitors.length === 0) return [];
    return [{ monitors, path: toBinary(KnownPathSchema, pathMessage(path, [])) }];
  });
