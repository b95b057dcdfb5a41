import { isIP } from "node:net";
import { array, assert, constantFrom, ipV4, ipV6, oneof, property } from "fast-check";
import { expect, test } from "vitest";
import { writtenAddress } from "#network/address-block";

const kind = (text: string): number => {
  const { width } = writtenAddress(text) ?? { width: 0 };
  return { 32: 4, 128: 6, 0: 0 }[width];
};

test("an address is what the runtime takes for one: what is judged is what is dialled", () => {
  const pieces = constantFrom(
    ..."0179afF".split(""),
    ":",
    ":",
    ".",
    ".",
    "::",
    "255",
    "256",
    "01",
    "ffff",
    "0000",
    "12345",
  );
  const near = array(pieces, { maxLength: 18 }).map((parts) => parts.join(""));
  assert(
    property(oneof(ipV4(), ipV6(), near), (text) => {
      expect(kind(text), text).toBe(isIP(text));
    }),
    { numRuns: 3_000 },
  );
});

test.each(["", " 1.2.3.4", "1.2.3.4 ", "1.2.3.4\n", "::1/64", "[::1]", "::1#", "@::1", "::1%lo"])(
  "%j is none",
  (text) => expect(writtenAddress(text)).toBeNull(),
);
