import fc from "fast-check";
import { expect, test } from "vitest";
import { serviceMonitorsMax } from "#limits/service-limits";
import { Refusal } from "#service/edge/call-refusal";
import { packed, unpacked, withAllTicked } from "#service/operator/forms/packed-choices";

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 999_999_999_999_999 }), { maxLength: 50 });
const near = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 50 });

test("what is ticked beyond the boxes of a form comes back as it was", () => {
  fc.assert(
    fc.property(fc.oneof(ids, near), (some) => {
      expect(unpacked(packed(some))).toEqual(some.toSorted((a, b) => a - b));
    }),
  );
  const all = new URLSearchParams("monitor_ids=7&monitor_ids.rest=1-2.5&name=Berlin");
  expect(withAllTicked(all).getAll("monitor_ids")).toEqual(["7", "1", "2", "3", "8"]);
  expect(withAllTicked(all).has("monitor_ids.rest")).toBe(false);
});

test("10,000 ticks take a few bytes in a row, and 25 KB among 100,000", () => {
  const row = Array.from({ length: 10_000 }, (_, index) => index + 1);
  expect(packed(row)).toBe("1-7pr");
  expect(packed(row.map((id) => id * 10)).length).toBe(20_000 - 1);
});

test("what no page sends is refused, and makes no list that fills the memory", () => {
  for (const text of ["x y", "-1", "1--2", "1-zzzzzzzzz", "1-2gzz.1-2gzz", "A"])
    expect([text, unpacked(text)]).toEqual([text, null]);
  const full = (serviceMonitorsMax - 1).toString(36);
  expect(withAllTicked(new URLSearchParams(`a.rest=1-${full}`)).getAll("a")).toHaveLength(
    serviceMonitorsMax,
  );
  const more = new URLSearchParams(`a.rest=1-${full}&b.rest=1&a.rest=1-${full}`);
  expect(() => withAllTicked(more)).toThrow(Refusal);
});
