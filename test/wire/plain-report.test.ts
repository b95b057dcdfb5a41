import { fromBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { codecOf } from "#wire/kinds/codec-table";
import { unseen } from "#check/kinds/unseen";
import { type Kind, kinds } from "#check/monitor";
import { failure } from "#check/failure";
import { plainReport, withStatus } from "#wire/plain-report";
import { messageOf, reportOf } from "#wire/report";
import { epochMillis, millis, nanos } from "#base/units";
import { httpOutcome, resultWith } from "../support/results.ts";

test.each(kinds)(
  "a plain call of %s carries what the batch carries of the result, byte for byte",
  (kind: Kind) => {
    const outcome = unseen(kind, epochMillis(5), failure("connection_refused", "connect", "no"));
    const { payload } = reportOf(resultWith({ kind, outcome, status: "error" }));
    const plain = plainReport(payload);
    if (plain === null) throw new Error("the payload holds a result");
    const { name, input } = codecOf(plain.kind).result.call;
    expect(name).toBe(`Ingest${kind.toUpperCase()}`);
    expect(plain.status).toBe("error");
    const read = fromBinary(input, plain.message);
    expect(read).toEqual(messageOf(payload)?.result.value);
    const changed = fromBinary(input, withStatus(plain, "degraded"));
    expect(changed).toEqual({ ...read, requestStatus: "degraded" });
  },
);

test("a result that may have been slow says so next to its plain part", () => {
  const near = { latency: millis(300), degradedAt: millis(400) };
  const of = (errorBar: number): boolean | undefined =>
    plainReport(
      reportOf(resultWith({ ...near, outcome: httpOutcome({ errorBar: nanos(errorBar) }) }))
        .payload,
    )?.perhapsSlow;
  expect([of(0), of(600e6)]).toEqual([false, true]);
});

test("what the agent's own work may be off by comes along only if it is", () => {
  const of = (ownErrorBar: number): bigint | undefined =>
    messageOf(
      reportOf(resultWith({ outcome: httpOutcome({ ownErrorBar: nanos(ownErrorBar) }) })).payload,
    )?.detail?.ownErrorBarNs;
  expect([of(0), of(250_000)]).toEqual([undefined, 250_000n]);
});

test("bytes without a result are not a plain call", () => {
  expect(plainReport(new Uint8Array())).toBeNull();
});

test("a result that the wire cannot carry is reported as a fault of the agent, under its own slot", () => {
  const { payload } = reportOf(resultWith({ latency: millis(Number.NaN) }));
  expect(messageOf(payload)?.result.value).toMatchObject({
    requestStatus: "error",
    cronTimestamp: 1000n,
    message: expect.stringContaining("could not be encoded"),
  });
});
