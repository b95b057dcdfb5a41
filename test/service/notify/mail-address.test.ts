import { expect, test } from "vitest";
import { isReaderAddress, pastedAddress } from "#service/notify/mail-address";

test.each([
  "ops@example.test",
  " ops@example.test\n",
  "mailto:ops@example.test",
  "MAILTO:ops@example.test?subject=Down%20again",
  "mailto:ops%40example.test",
  "<ops@example.test>",
  "Ops <ops@example.test>",
  '"On call, the second" <mailto:ops@example.test>;',
])("%j is one address, as people paste it", (text) => {
  expect(pastedAddress(text)).toBe("ops@example.test");
});

test.each([
  "",
  "ops",
  "ops@a.test, dev@a.test",
  "Ops <ops@a.test>, Dev <dev@a.test>",
  "mailto:%zz",
])("%j is no address, and stays for its field to refuse", (text) => {
  expect(pastedAddress(text)).toBe(text);
});

test.each([
  ["ann@reader.test", true],
  ["ann@mail.reader.test", true],
  ["a@b", false],
  ["a@b.", false],
  ["a@.b", false],
  ["ann.reader@test", false],
  ["ann@reader.test, bob@reader.test", false],
])("%j may be the address of a reader: %s", (text, isOne) => {
  expect(isReaderAddress(text)).toBe(isOne);
});
