import { expect, test } from "vitest";
import { retryAfterOf } from "#network/retry-after";
import { epochMillis } from "#base/units";

const now = epochMillis(Date.UTC(2026, 0, 1));

test.each([
  ["7", 7_000],
  ["0", 0],
  ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
  ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
  ["soon", null],
  ["-1", null],
  ["1e9", null],
  [null, null],
])("Retry-After: %s asks for %s ms", (header, wait) => {
  expect(retryAfterOf(header, now)).toBe(wait);
});
