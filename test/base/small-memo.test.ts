import { expect, test } from "vitest";
import { SmallMemo } from "#base/small-memo";

const keys = (count: number): readonly object[] => Array.from({ length: count }, () => ({}));

test("what is made of a few is made once, and what is made of more each time", () => {
  let made = 0;
  const memo = new SmallMemo(() => (made += 1), 10);
  const all = keys(12);
  for (const key of all) memo.of(key);
  expect(made).toBe(12);
  for (const key of all) memo.of(key);
  expect(made).toBe(14);
});

test("others are remembered in time once those that were remembered are gone", () => {
  let made = 0;
  const memo = new SmallMemo(() => (made += 1), 10);
  for (const key of keys(10)) memo.of(key);
  const others = keys(10);
  for (let turn = 0; turn < 20; turn += 1) for (const key of others) memo.of(key);
  const before = made;
  for (const key of others) memo.of(key);
  expect(made).toBe(before);
});
