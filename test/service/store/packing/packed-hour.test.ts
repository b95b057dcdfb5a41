import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { crc32 } from "node:zlib";
import { packHour, slotsIn, unpackHour } from "#service/store/packing/packed-hour";
import { PackedFault } from "#service/store/packing/packed-fault";
import type { ResultRow } from "#service/store/packing/result-row";
import { packedResultsMax, packedTimesMax } from "#limits/store-limits";

const hour = 3_600_000;
const begin = 492_000 * hour;

const usual: ResultRow = {
  slot: begin,
  status: 0,
  latency: 42,
  started: 2,
  statusCode: 200,
  failure: 0,
  stored: 300,
  times: [301, 802, 0, 4_001, 46, 36_903, 121, 351],
  attempts: 1,
  asked: 0,
};

/** What comes back of rows that were packed. */
const again = (rows: readonly ResultRow[]): readonly ResultRow[] =>
  unpackHour(begin, packHour(begin, rows) ?? new Uint8Array());

const whole = fc.maxSafeInteger().map((value) => value + 0);
const small = fc.oneof(fc.constantFrom(0, 1, 200), fc.integer({ min: -5_000, max: 500_000 }));
const figure = fc.oneof({ weight: 9, arbitrary: small }, { weight: 1, arbitrary: whole });
const times: fc.Arbitrary<readonly number[]> = fc
  .array(fc.oneof(fc.constant(0), fc.nat(40_000), fc.nat(Number.MAX_SAFE_INTEGER)), {
    maxLength: packedTimesMax,
  })
  .map((all) => all.slice(0, all.findLastIndex((time) => time !== 0) + 1));
const anyRow = fc.record({
  slot: fc.integer({ min: begin, max: begin + hour - 1 }),
  status: fc.nat(2),
  latency: figure,
  started: figure,
  statusCode: figure,
  failure: figure,
  stored: figure,
  times,
  attempts: figure,
  asked: fc.nat(1),
});
/** As a monitor has them: each 30 s, some missing, some late, some asked for, sometimes in a failure. */
const history = fc
  .array(
    fc.record({
      isThere: fc.boolean(),
      row: fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: anyRow }),
      noise: fc.nat(900),
      late: fc.oneof({ weight: 9, arbitrary: fc.nat(500) }, { weight: 1, arbitrary: fc.nat(hour) }),
    }),
    { maxLength: 120 },
  )
  .map((all) =>
    all
      .map(({ row, noise, late, isThere }, index) => ({
        isThere: isThere || index === 0,
        row: {
          ...row,
          slot: begin + index * 30_000,
          stored: row.stored + late,
          times: row.times.map((time) =>
            time === 0 ? 0 : Math.min(time + noise, Number.MAX_SAFE_INTEGER),
          ),
        },
      }))
      .filter(({ isThere }) => isThere)
      .map(({ row }) => row),
  )
  .filter((rows) => rows.length > 0 && rows.every(({ stored }) => Number.isSafeInteger(stored)));

describe("an hour of results that is packed", () => {
  test("comes back as it was, whatever its results say", () => {
    fc.assert(
      fc.property(fc.array(anyRow, { minLength: 1, maxLength: 60 }), (rows) => {
        const ordered = rows.toSorted((a, b) => a.slot - b.slot);
        expect(again(ordered)).toEqual(ordered);
      }),
    );
  });
  test("comes back as it was with results that are missing, late or asked for", () => {
    fc.assert(
      fc.property(history, (rows) => {
        expect(again(rows)).toEqual(rows);
        const body = packHour(begin, rows) ?? new Uint8Array();
        expect(slotsIn(begin, body)).toEqual(rows.map(({ slot }) => slot));
      }),
    );
  });
  test("holds numbers as large as there are, and one result alone", () => {
    const largest = Number.MAX_SAFE_INTEGER;
    const far = { latency: -largest, started: largest, stored: largest, statusCode: -largest };
    const rows = [
      { ...usual, ...far, times: [largest, 0, largest] },
      { ...usual, slot: begin + hour - 1, failure: largest, latency: largest, started: -largest },
    ];
    expect(again(rows)).toEqual(rows);
    expect(again([usual])).toEqual([usual]);
    expect(again([{ ...usual, times: [] }])).toEqual([{ ...usual, times: [] }]);
  });
  test("takes few bytes for 120 results that are alike, and fewer than ten each for ones that scatter", () => {
    const alike = Array.from({ length: 120 }, (_, index) => ({
      ...usual,
      slot: begin + index * 30_000,
    }));
    expect(packHour(begin, alike)?.length).toBeLessThan(120);
    const scattered = alike.map((row, index) => ({
      ...row,
      times: row.times.map((time) =>
        time === 0 ? 0 : time + Math.round((time / 5) * Math.abs(Math.sin(index * time))),
      ),
    }));
    expect(packHour(begin, scattered)?.length).toBeLessThan(1_200);
  });
  test("is not made of more results, more times or other numbers than the format has", () => {
    const many = Array.from({ length: packedResultsMax + 1 }, (_, index) => ({
      ...usual,
      slot: begin + index,
    }));
    expect(packHour(begin, many)).toBeNull();
    expect(again(many.slice(1))).toEqual(many.slice(1));
    expect(packHour(begin, [])).toBeNull();
    const long = Array.from({ length: packedTimesMax + 1 }, () => 1);
    expect(packHour(begin, [{ ...usual, times: long }])).toBeNull();
    expect(packHour(begin, [{ ...usual, latency: 0.5 }])).toBeNull();
    expect(packHour(begin, [{ ...usual, latency: 2 ** 53 }])).toBeNull();
  });
});

describe("bytes that are not a packed hour", () => {
  const body = packHour(begin, [usual, { ...usual, slot: begin + 30_000 }]) ?? new Uint8Array();

  test("are refused with a sentence for each bit that is not as it was", () => {
    for (let bit = 0; bit < body.length * 8; bit += 1) {
      const damaged = body.slice();
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => unpackHour(begin, damaged)).toThrow(PackedFault);
      expect(() => slotsIn(begin, damaged)).toThrow(PackedFault);
    }
    for (let length = 0; length < body.length; length += 1)
      expect(() => unpackHour(begin, body.subarray(0, length))).toThrow(PackedFault);
  });
  test("of a version that is not known are refused by its name", () => {
    const newer = body.slice();
    newer[0] = 9;
    expect(() => unpackHour(begin, newer)).toThrow("it has version 9 of the format");
  });
  test("end in a refusal or in bounded results even with a checksum that is right", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 400 }), (bits) => {
        const hostile = new Uint8Array(5 + bits.length);
        hostile.set(bits, 5);
        const view = new DataView(hostile.buffer);
        view.setUint8(0, 1);
        view.setUint32(1, crc32(bits));
        try {
          const rows = unpackHour(begin, hostile);
          expect(rows.length).toBeLessThanOrEqual(packedResultsMax);
          expect(rows.every((row) => row.times.length <= packedTimesMax)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(PackedFault);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
