import { expect, test } from "vitest";
import { contrast } from "#service/status-page/contrast";

/* Reckoned by others: the examples of WCAG's own pages, and CSS Color 4's forms of one colour. */

test.each([
  ["#000", "#fff", 21],
  ["#777777", "#ffffff", 4.48],
  ["#767676", "#fff", 4.54],
  ["rgb(118, 118, 118)", "rgb(255 255 255)", 4.54],
  ["hsl(120, 100%, 25%)", "#fff", 5.14],
  ["hsl(0 0% 46.27%)", "#fff", 4.54],
  ["hsl(120 100 25)", "#fff", 5.14],
  ["green", "White", 5.14],
  ["oklch(0.5 0 0)", "#fff", 6],
  ["oklch(62.8% 0.2577 29.23)", "#fff", 4],
])("%s and %s differ by %d to 1", (a, b, wanted) => {
  expect(contrast(a, b)).toBeCloseTo(wanted, 1);
  expect(contrast(b, a)).toBeCloseTo(wanted, 1);
});

test.each(["transparent", "rgb(0 0 0 / 50%)", "var(--x)", "#12", "rgb(a, b, c)", "calc(1px)", ""])(
  "nothing is said of %j",
  (colour) => {
    expect(contrast(colour, "#fff")).toBeNull();
  },
);
