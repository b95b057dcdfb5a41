import { expect, test } from "vitest";
import { BodyBytes } from "#probes/http/body-bytes";
import { bodyBytesFirst } from "#limits/probes-limits";
import { bytes } from "#base/units";

const some = (count: number): Uint8Array => new Uint8Array(count).fill(7);

test.each([
  ["as long as was announced", 100, [100]],
  ["longer than was announced", 10, [100, 100]],
  ["shorter than was announced", 1_000, [100]],
  ["announced as longer than the first memory is", bodyBytesFirst * 4, [100]],
  ["not announced", null, [100, bodyBytesFirst]],
  ["announced, and without a byte", 100, []],
])("a body that is %s has memory of just its size", (_what, announced, pieces) => {
  const body = new BodyBytes(bytes(1_000_000));
  if (announced !== null) body.expect(bytes(announced));
  for (const piece of pieces) expect(body.add(some(piece), 0, piece)).toBe(true);
  const all = Buffer.from(some(pieces.reduce((sum, piece) => sum + piece, 0)));
  const taken = body.take();
  expect(Buffer.from(taken).equals(all)).toBe(true);
  expect(taken.buffer.byteLength).toBe(all.length);
});
