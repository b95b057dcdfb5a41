import { fromBinary } from "@bufbuild/protobuf";
import {
  IngestDNSRequestSchema,
  IngestHTTPRequestSchema,
  IngestTCPRequestSchema,
} from "#contract/private_location/v1/private_location_pb";
import type { CheckedRow } from "./checked-row.ts";

/** A result of a plain call, whose figures are whole milliseconds; null for another call. */
export function plainResultOf(call: string, body: Buffer): CheckedRow | null {
  switch (call) {
    case "IngestHTTP":
      return rowOf(fromBinary(IngestHTTPRequestSchema, body));
    case "IngestTCP":
      return rowOf(fromBinary(IngestTCPRequestSchema, body));
    case "IngestDNS":
      return rowOf({ ...fromBinary(IngestDNSRequestSchema, body), timing: "" });
    default:
      return null;
  }
}

interface PlainResult {
  readonly monitorId: string;
  readonly cronTimestamp: bigint;
  readonly timestamp: bigint;
  readonly latency: bigint;
  readonly requestStatus: string;
  readonly message: string;
  readonly timing: string;
}

function rowOf(result: PlainResult): CheckedRow {
  const { monitorId, cronTimestamp, timestamp, latency, requestStatus, message, timing } = result;
  const at = instants(timing);
  const between = (from: string, to: string): number | null => {
    const [begun, ended] = [at(from), at(to)];
    return begun > 0 && ended >= begun ? (ended - begun) * 1e6 : null;
  };
  return {
    monitor: monitorId,
    slot: Number(cronTimestamp),
    startedAt: Number(timestamp),
    status: requestStatus,
    why: message,
    code: "",
    connect: between("connectStart", "connectDone") ?? between("tcpStart", "tcpDone"),
    wait: between("firstByteStart", "firstByteDone"),
    total: Number(latency) * 1e6,
    own: null,
    errorBar: 0,
  };
}

/** The epoch milliseconds of `timing`, by their names; 0 for one that it has not. */
function instants(timing: string): (name: string) => number {
  const said: unknown = timing === "" ? {} : JSON.parse(timing);
  return (name) => Number(Reflect.get(Object(said), name) ?? 0);
}
