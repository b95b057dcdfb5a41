import { describe, expect, it } from "vitest";
import { columnsOf, cutColumns, fitText } from "#cli/edge/shown-text";
import { showText } from "#base/text";

describe("text from elsewhere", () => {
  it.each([
    ["plain text, Grüße, 監視", "plain text, Grüße, 監視"],
    ["red \x1b[31m", "red \\x1b[31m"],
    ["two\nlines\r\0", "two\\x0alines\\x0d\\x00"],
    ["c1 \x9b2J", "c1 \\x9b2J"],
    ["turned \u202etxt", "turned \\u{202e}txt"],
    ["line\u2028separator", "line\\u{2028}separator"],
    ["half \ud800", "half \ufffd"],
  ])("%j is shown as %j", (text, shown) => {
    expect(showText(text)).toBe(shown);
  });
});

describe("columns of a terminal", () => {
  it("count two for a wide character and none for a combining one", () => {
    expect(columnsOf("監視")).toBe(4);
    expect(columnsOf("e\u0301")).toBe(1);
    expect(columnsOf("abc")).toBe(3);
  });

  it.each([
    ["abc", 5, "abc  "],
    ["abcdef", 4, "abc…"],
    ["監視監視", 4, "監… "],
  ])("%j fits %i as %j", (text, columns, fitted) => {
    expect(fitText(text, columns)).toBe(fitted);
    expect(columnsOf(fitText(text, columns))).toBe(columns);
  });

  it("cuts nothing off what fits, and everything if there is no room", () => {
    expect(cutColumns("abc", 3)).toBe("abc");
    expect(cutColumns("abc", 0)).toBe("");
  });
});
