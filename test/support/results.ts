import { unseen } from "#check/kinds/unseen";
import { failure } from "#check/failure";
import type { HttpOutcome, Outcome } from "#check/outcome";
import type { Result } from "#check/result";
import type { BatchResult } from "#contract/private_location/v1/private_location_pb";
import { epochMillis, millis, nanos } from "#base/units";
import { messageOf, reportOf } from "#wire/report";
import type { ReportedEvidence } from "#wire/write-evidence";

/** A result that passed without a word, for tests that are about something else. */
export function resultWith(more: Partial<Result> = {}): Result {
  return {
    id: `result-${more.monitorId ?? "m"}-${more.slot ?? 1000}`,
    monitorId: "m",
    kind: "http",
    uri: "https://user:secret@shop.test/?token=secret",
    slot: epochMillis(1000),
    startedAt: epochMillis(1001),
    status: "success",
    failure: null,
    cause: null,
    place: null,
    latency: millis(12),
    degradedAt: null,
    outcome: null,
    evaluations: [],
    attempts: [],
    ...more,
  };
}

/** What an HTTP attempt saw that took 1 ms in each of its phases. */
export function httpOutcome(more: Partial<HttpOutcome> = {}): HttpOutcome {
  const ms = nanos(1e6);
  const phases = { dns: ms, connect: ms, proxy: null, tls: ms, write: ms, wait: ms, receive: ms };
  const startedAt = epochMillis(1001);
  const outcome: Outcome = unseen("http", startedAt, failure("agent_error", "agent", "unused"));
  if (outcome.kind !== "http") throw new Error("unseen() gave another kind");
  return {
    ...outcome,
    failure: null,
    phases,
    total: nanos(6e6),
    hops: [{ url: "https://shop.test/", statusCode: 200, startedAt, phases, leftBehind: [] }],
    response: {
      statusCode: 200,
      version: "1.1",
      headers: [],
      body: new Uint8Array(),
      bodyBytes: 0,
      bodyCut: false,
      bodyBytesReceived: 0,
      informational: [],
    },
    ...more,
  };
}

/** What a service reads of a result. */
export function wireMessage(result: Result, evidence: ReportedEvidence = "none"): BatchResult {
  const message = messageOf(reportOf(result, evidence).payload);
  if (message === null) throw new Error("a report holds a message");
  return message;
}
