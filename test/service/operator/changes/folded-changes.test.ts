import { expect, test } from "vitest";
import { foldedChanges } from "#service/operator/changes/folded-changes";

const text = (field: string, before: string | null, after: string | null) =>
  ({ field, is: "text", before, after }) as const;
const set = (field: string, removed: readonly string[], added: readonly string[]) =>
  ({ field, is: "set", removed, added }) as const;

test("a field that was changed several times has what it was at first and what it is at last", () => {
  const all = [text("name", "a", "b"), text("url", "x", "y"), text("name", "b", "c")];
  expect(foldedChanges(all)).toEqual([text("name", "a", "c"), text("url", "x", "y")]);
});

test("what was changed and changed back is left out", () => {
  const lists = [set("locations", ["1"], ["2"]), set("locations", ["2"], ["1", "3"])];
  expect(foldedChanges([text("name", "a", "b"), text("name", "b", "a"), ...lists])).toEqual([
    set("locations", [], ["3"]),
  ]);
});
