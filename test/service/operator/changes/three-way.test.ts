import { expect, test } from "vitest";
import { threeWays } from "#service/operator/changes/three-way";

const text = (field: string, before: string | null, after: string | null) =>
  ({ field, is: "text", before, after }) as const;
const set = (field: string, removed: readonly string[], added: readonly string[]) =>
  ({ field, is: "set", removed, added }) as const;

test("a field has what it was, what they made of it in all their changes, and what a form has", () => {
  const theirs = [text("name", "a", "b"), text("name", "b", "c"), text("url", "x", "y")];
  const mine = [text("name", "c", "d"), text("retry", "3", "1"), text("url", "y", "x")];
  expect(threeWays(theirs, mine)).toEqual([
    { field: "name", is: "text", before: "a", theirs: "c", mine: "d" },
    { field: "retry", is: "text", before: "3", theirs: "3", mine: "1" },
    { field: "url", is: "text", before: "x", theirs: "y", mine: "x" },
  ]);
});

test("a field that a form leaves as they saved it has their value as mine", () => {
  expect(threeWays([text("name", "a", "b")], [])).toEqual([
    { field: "name", is: "text", before: "a", theirs: "b", mine: "b" },
  ]);
});

test("of a form that would be refused nothing is said to be mine", () => {
  expect(threeWays([text("name", "a", "b"), set("labels", [], ["x"])], null)).toEqual([
    { field: "labels", is: "set", before: [], theirs: ["x"], mine: undefined },
    { field: "name", is: "text", before: "a", theirs: "b", mine: undefined },
  ]);
});

test("of a list it names the members that not all three have", () => {
  const theirs = [set("locations", ["1"], ["2"]), set("locations", ["2"], ["3"])];
  expect(threeWays(theirs, [set("locations", ["3", "9"], ["1"])])).toEqual([
    { field: "locations", is: "set", before: ["1", "9"], theirs: ["9", "3"], mine: ["1"] },
  ]);
});
