import { fromBinary, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { BatchResultSchema } from "#contract/private_location/v1/private_location_pb";
import { failure } from "#check/failure";
import { phaseNames, type Phases } from "#check/outcome";
import { resultBytes } from "#wire/write-result";
import { epochMillis, millis, nanos } from "#base/units";
import { httpOutcome, resultWith } from "../support/results.ts";

/** Up to beyond 32 bits, where a number is written in another way. */
const figure = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 2 ** 40 }));
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "grapheme", minLength: 100, maxLength: 200 }),
);
const phases = fc
  .tuple(...phaseNames.map(() => fc.option(figure.map(nanos))))
  .map((took): Phases => {
    const [dns = null, connect = null, proxy = null, tls = null, write = null] = took;
    const [, , , , , wait = null, receive = null] = took;
    return { dns, connect, proxy, tls, write, wait, receive };
  });
const fault = text.map((message) => failure("connection_refused", "connect", message));
const certificate = fc.record({
  subject: text,
  issuer: text,
  altNames: fc.array(text, { maxLength: 3 }),
  validFrom: figure.map(epochMillis),
  validTo: figure.map(epochMillis),
  fingerprint256: text,
  chain: fc.array(text, { maxLength: 3 }),
});
const tls = fc.record({
  protocol: fc.option(text),
  cipher: fc.option(text),
  alpn: fc.option(text),
  serverName: fc.option(text),
  certificate: fc.option(certificate),
  acceptedFault: fc.constant(null),
});
const seen = fc
  .record({
    startedAt: figure.map(epochMillis),
    phases,
    total: figure.map(nanos),
    own: fc.option(figure.map(nanos)),
    errorBar: figure.map(nanos),
    tls: fc.option(tls),
    addresses: fc.array(
      fc.record({
        address: text,
        port: fc.nat({ max: 65_535 }),
        ended: fc.constantFrom("connected" as const, "abandoned" as const),
        elapsed: figure.map(nanos),
        measuredBy: fc.constant("kernel" as const),
      }),
      { maxLength: 3 },
    ),
    hops: fc.array(
      fc.record({
        url: text,
        statusCode: fc.option(fc.integer({ min: 100, max: 599 })),
        startedAt: figure.map(epochMillis),
        phases,
        leftBehind: fc.constant([]),
      }),
      { maxLength: 3 },
    ),
  })
  .map(httpOutcome);
const result = fc
  .record({
    status: fc.constantFrom("success" as const, "degraded" as const, "error" as const),
    latency: figure.map(millis),
    outcome: fc.option(seen),
    failure: fc.option(fault),
    attempts: fc.array(
      fc.record({
        startedAt: figure.map(epochMillis),
        phases,
        total: figure.map(nanos),
        own: fc.option(figure.map(nanos)),
        failure: fc.option(fault),
      }),
      { maxLength: 3 },
    ),
    evaluations: fc.array(
      fc.record({
        kind: fc.constant("body" as const),
        held: fc.boolean(),
        expected: text,
        received: text,
        unproven: fc.constant(false),
        unreadable: fc.constant(null),
      }),
      { maxLength: 2 },
    ),
  })
  .map(resultWith);

test("a result in bytes is what the contract's own code would have written of the same message", () => {
  fc.assert(
    fc.property(result, (one) => {
      const bytes = resultBytes(one);
      const message = fromBinary(BatchResultSchema, bytes);
      expect(message.$unknown ?? []).toEqual([]);
      expect(Buffer.from(toBinary(BatchResultSchema, message))).toEqual(Buffer.from(bytes));
    }),
  );
});

test("the bytes of a result stay as they are while others are written, also behind one that cannot be", () => {
  const first = resultBytes(resultWith({ monitorId: "first" }));
  const before = Buffer.from(first);
  expect(() => resultBytes(resultWith({ latency: millis(Number.NaN) }))).toThrow(RangeError);
  const second = resultBytes(resultWith({ monitorId: "first" }));
  expect(Buffer.from(first)).toEqual(before);
  expect(Buffer.from(second)).toEqual(before);
});
