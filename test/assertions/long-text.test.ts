import { describe, expect, test } from "vitest";
import * as limits from "#limits/check-limits";
import { holdsForText } from "#assertions/long-text";
import { holdsForString } from "#assertions/string";

const comparators = [
  "contains",
  "not_contains",
  "eq",
  "neq",
  "empty",
  "not_empty",
  "gt",
  "gte",
  "lt",
  "lte",
] as const;
const long = "ab€ü".repeat(20_000);
const full = long.slice(0, limits.assertionTargetCharsMax);
const bodies: Readonly<Record<string, Uint8Array>> = {
  "an empty one": new Uint8Array(),
  "a short one": Buffer.from("well"),
  "a byte order mark alone": Buffer.from("\ufeff"),
  "a number": Buffer.from("42"),
  "as much as a target may have": Buffer.from(full),
  "one of several pieces": Buffer.from(`${long}down${long}`),
  "one that splits a character between two pieces": Buffer.from(`x${long}`),
  "one that is no UTF-8": Buffer.from([...Buffer.from(long), 0xe2, 0x82, 0x61, 0xff]),
};
const targets: Readonly<Record<string, string>> = {
  nothing: "",
  "what is there": "down",
  "what is not there": "up",
  "as much as a target may have": full,
  "what begins like it": full.slice(0, -1),
  "what is split between two pieces": "€üab".repeat(1_000),
  "a broken character": "\ufffda\ufffd",
  "a number": "7",
};

describe.each(Object.entries(bodies))("of %s", (_body, body) => {
  test.each(Object.entries(targets))("%s is judged as in its whole text", (_target, target) => {
    const text = new TextDecoder().decode(body);
    const whole = comparators.map((comparator) => holdsForString(comparator, text, target));
    expect(comparators.map((comparator) => holdsForText(comparator, body, target))).toEqual(whole);
  });
});
