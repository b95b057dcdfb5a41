import { expect, test } from "vitest";
import { operatorStyle } from "#service/operator/operator-style";
import { writtenStyle } from "#web/page/written-style";

const rules = [
  [" ul", "list-style: disc"],
  [" ol", "list-style: decimal"],
  // The lines of a timeline are grids, and the points of a list in one of them are none.
  [" li", "display: list-item"],
  [" pre", "white-space: pre-wrap; overflow-wrap: anywhere"],
  [" blockquote", "border-left: 3px solid"],
] as const;

test.each(rules)("what people wrote has its look: %s", (selector, look) => {
  const rule = writtenStyle
    .split("\n")
    .find((line) => line.startsWith(`div:is(.said, .written)${selector} {`));
  expect(rule).toContain(look);
});

test("the operator's pages have that look, and no rule that takes the marks of lists away from it", () => {
  expect(operatorStyle).toContain(writtenStyle);
  expect(operatorStyle).not.toMatch(
    /(?:\.said|\.written)[^{}]*(?:ul|ol)[^{}]*\{[^}]*list-style: (?:none|revert)/,
  );
});
