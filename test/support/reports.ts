import { create, toBinary } from "@bufbuild/protobuf";
import { BatchResultSchema } from "#contract/private_location/v1/private_location_pb";
import type { Report } from "#wire/report";
import type { Spool } from "#agent/spool/spool";
import { epochMillis } from "#base/units";

/** The wall clock of the tests of the spool: every slot is told as milliseconds since then. */
export const start: number = Date.UTC(2026, 0, 1);

/** A report of a monitor's slot; `body` is as many bytes as its message has to carry. */
export function reportWith({
  monitorId = "m",
  at = 0,
  id = `${monitorId}@${at}`,
  body = 0,
}: { monitorId?: string; at?: number; id?: string; body?: number } = {}): Report {
  const result = {
    case: "http" as const,
    value: { id, monitorId, cronTimestamp: BigInt(start + at), body: "x".repeat(body) },
  };
  const payload = toBinary(BatchResultSchema, create(BatchResultSchema, { result }));
  return { id, monitorId, slot: epochMillis(start + at), payload };
}

/** The ids of everything that waits, each monitor's in the order in which it would be sent. */
export const waitingIn = (spool: Spool): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    [...spool.waiting.keys()]
      .toSorted()
      .map((id) => [id, spool.oldestOf(id, Infinity).map((report) => report.id)]),
  );
