import { array, assert, nat, property } from "fast-check";
import { expect, test } from "vitest";
import { shareDigest } from "#service/agents/share-digest";

const ids = array(nat({ max: 1e9 }), { maxLength: 50 }).map((all) => [...new Set(all.map(String))]);

test("the digest of a share depends on its monitors and on nothing else, and changes with each of them", () => {
  assert(
    property(ids, nat({ max: 1e9 }), (all, n) => {
      const one = `${n} more`;
      const digest = shareDigest(all);
      expect(shareDigest(all.toReversed())).toBe(digest);
      expect(shareDigest([...all, one])).not.toBe(digest);
      expect(shareDigest([one], digest)).toBe(shareDigest([...all, one]));
      expect(shareDigest([one], shareDigest([...all, one]))).toBe(digest);
    }),
  );
});

test("a hundred thousand monitors with each one left out have as many digests", () => {
  const all = Array.from({ length: 100_000 }, (_, n) => String(n + 1));
  const whole = shareDigest(all);
  expect(new Set(all.map((id) => shareDigest([id], whole))).size).toBe(100_000);
});
