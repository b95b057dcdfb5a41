import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { IngestDNSRequestSchema } from "#contract/private_location/v1/private_location_pb";
import { recordsShownMax } from "#limits/kinds-limits";
import { dnsCodec } from "#wire/kinds/dns-codec";

const factsOf = (
  records: Readonly<Record<string, readonly string[]>>,
  requestStatus = "success",
): readonly string[] =>
  dnsCodec.result
    .facts(
      create(IngestDNSRequestSchema, {
        requestStatus,
        records: Object.fromEntries(
          Object.entries(records).map(([type, record]) => [type, { record: [...record] }]),
        ),
      }),
      undefined,
    )
    .map(({ label, value }) => `${label}: ${value}`);

test("each record of an answer is a fact, with its type", () => {
  expect(factsOf({ A: ["192.0.2.7", "192.0.2.8"], TXT: ["one\u0007"] })).toEqual([
    "Record: A 192.0.2.7",
    "Record: A 192.0.2.8",
    "Record: TXT one\\x07",
  ]);
});

test("an answer without records says that, and a check without an answer says nothing", () => {
  expect(factsOf({})).toEqual(["Records: none"]);
  expect(factsOf({}, "error")).toEqual([]);
});

test("of many and long records the first are shown, cut, and the others counted", () => {
  const shown = factsOf({
    A: Array.from({ length: recordsShownMax + 7 }, () => "x".repeat(4_000)),
  });
  expect(shown).toHaveLength(recordsShownMax + 1);
  expect(shown.at(-1)).toBe("Records: 7 more");
  expect(Math.max(...shown.map((one) => one.length))).toBeLessThan(300);
});
