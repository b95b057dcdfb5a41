import { crc32, deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type DetailRow, packDetails, unpackDetails } from "#service/store/packing/packed-details";
import { PackedFault } from "#service/store/packing/packed-fault";
import { packedDetailsBytesMax, packedDetailsMax } from "#limits/store-limits";

const begin = 61_500 * 8 * 3_600_000;
const none = new Uint8Array();
const again = (rows: readonly DetailRow[]): readonly DetailRow[] =>
  unpackDetails(begin, packDetails(begin, rows) ?? none);

const anyDetails = fc
  .uniqueArray(
    fc.record({
      slot: fc.integer({ min: begin, max: begin + 8 * 3_600_000 - 1 }),
      message: fc.oneof(fc.string({ unit: "binary" }), fc.constant("Timeout after 5000 ms")),
      payload: fc.uint8Array({ maxLength: 800 }),
    }),
    { minLength: 1, maxLength: 40, selector: ({ slot }) => slot },
  )
  .map((rows) => rows.toSorted((a, b) => a.slot - b.slot));

test("details that are packed come back as they were, whatever they hold", () => {
  fc.assert(
    fc.property(anyDetails, (rows) => {
      expect(again(rows)).toEqual(rows);
    }),
  );
});

test("a message comes back with what may be taken for a byte order mark", () => {
  const rows = [{ slot: begin, message: "\uFEFFno answer", payload: none }];
  expect(again(rows)).toEqual(rows);
});

test("a report that repeats most of the one before it takes a sixth of its bytes", () => {
  const rows = Array.from({ length: 10 }, (_, index) => ({
    slot: begin + index * 3_000_000,
    message: "",
    payload: Buffer.from(
      JSON.stringify({
        url: "https://shop.test/health",
        headers: "x".repeat(9),
        timing: 7 ** index,
      })
        .repeat(1)
        .padEnd(600, "a report says where it went, and what came back; "),
    ),
  }));
  expect(packDetails(begin, rows)?.length).toBeLessThan(1_000);
});

test("more details, or more bytes of them, than a row holds are not packed", () => {
  const row = (slot: number, bytes: number): DetailRow => ({
    slot: begin + slot,
    message: "",
    payload: new Uint8Array(bytes),
  });
  const many = Array.from({ length: packedDetailsMax + 1 }, (_, index) => row(index, 1));
  expect(packDetails(begin, many)).toBeNull();
  expect(again(many.slice(1))).toHaveLength(packedDetailsMax);
  expect(packDetails(begin, [row(0, packedDetailsBytesMax)])).toBeNull();
  expect(packDetails(begin, [])).toBeNull();
});

test("bytes that are damaged, cut off or of a newer version are refused", () => {
  const body =
    packDetails(begin, [{ slot: begin, message: "no", payload: Uint8Array.of(1) }]) ?? none;
  for (let bit = 0; bit < body.length * 8; bit += 1) {
    const damaged = body.slice();
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => unpackDetails(begin, damaged)).toThrow(PackedFault);
  }
  for (let length = 0; length < body.length; length += 1)
    expect(() => unpackDetails(begin, body.subarray(0, length))).toThrow(PackedFault);
  const newer = body.slice();
  newer[0] = 9;
  expect(() => unpackDetails(begin, newer)).toThrow("it has version 9 of the format");
});

/** Bytes with a checksum that is right. */
function sealed(bits: Uint8Array): Uint8Array {
  const body = new Uint8Array(5 + bits.length);
  body.set(bits, 5);
  const view = new DataView(body.buffer);
  view.setUint8(0, 1);
  view.setUint32(1, crc32(bits));
  return body;
}

test("bytes that were made to mislead end in a refusal or in bounded details", () => {
  const endless = deflateRawSync(new Uint8Array(packedDetailsBytesMax + 1));
  expect(() => unpackDetails(begin, sealed(endless))).toThrow("it cannot be inflated");
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 400 }), fc.boolean(), (bytes, isWhole) => {
      try {
        const rows = unpackDetails(begin, sealed(isWhole ? deflateRawSync(bytes) : bytes));
        expect(rows.length).toBeLessThanOrEqual(bytes.length);
      } catch (error) {
        expect(error).toBeInstanceOf(PackedFault);
      }
    }),
    { numRuns: 1_000 },
  );
});

/** Packed on 24 November 2026. If this cannot be read, no packed detail of an installation can: make another version. */
const keptBody =
  "AevTWOpjYGDgYdrwivH839u8pkzWTKjlg6mBgQERhcThJdVKpUU5SAmwOCO/QK8ktbgEmmuVdJQSU1KKUotBOcrQQA8EzUGZV6mW4T8A";

test("details that were packed on the day of the first version are read by each later one", () => {
  expect(unpackDetails(begin, Buffer.from(keptBody, "base64"))).toEqual([
    {
      slot: begin + 30_000,
      message: "Timeout after 5000 ms: no complete response head came",
      payload: new TextEncoder().encode(
        '{"url":"https://shop.test/health","address":"10.0.0.7:443"}',
      ),
    },
    { slot: begin + 8 * 3_600_000 - 1, message: "ä", payload: new Uint8Array([0, 255]) },
  ]);
});
