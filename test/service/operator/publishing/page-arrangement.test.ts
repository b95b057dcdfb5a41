import { describe, expect, test } from "vitest";
import {
  arranged,
  type Block,
  blocksOf,
  positionsOf,
} from "#service/operator/publishing/page-arrangement";
import type { ComponentRow, GroupRow } from "#service/store/page-store";
import { epochMillis } from "#base/units";

const at = epochMillis(0);
const component = (
  id: number,
  group: number | null,
  { order = id, groupOrder = id }: { order?: number; groupOrder?: number } = {},
): ComponentRow => ({
  id,
  page: 1,
  monitor: null,
  name: `c${id}`,
  description: "",
  order,
  group,
  groupOrder,
  createdAt: at,
  updatedAt: at,
});
const groups = [7, 8, 9].map((id): GroupRow => ({
  id,
  page: 1,
  name: `g${id}`,
  defaultOpen: false,
  createdAt: at,
  updatedAt: at,
}));

/** 1, then group 7 with 2 and 3, then 4, then group 8 with 5, then group 9, which is empty. */
const components = [
  component(1, null),
  component(2, 7),
  component(3, 7),
  component(4, null),
  component(5, 8),
];
const blocks = blocksOf({ components, groups });

/** `1 7(2 3) 4 8(5) 9()` */
const shown = (all: readonly Block[] | null): string | null =>
  all === null
    ? null
    : all
        .map(({ group, rows }) => {
          const ids = rows.map(({ id }) => id).join(" ");
          return group === null ? ids : `${group}(${ids})`;
        })
        .join(" ");

test("a page's parts stand as its readers see them, groups without components at the end", () => {
  expect(shown(blocks)).toBe("1 7(2 3) 4 8(5) 9()");
});

describe("a part that is moved", () => {
  test.each([
    ["a component down past a group", "1", "down", "7(2 3) 1 4 8(5) 9()"],
    ["a component up past a group", "4", "up", "1 4 7(2 3) 8(5) 9()"],
    ["a component to where a later one is", "1", "4", "7(2 3) 4 1 8(5) 9()"],
    ["a component down within its group", "2", "down", "1 7(3 2) 4 8(5) 9()"],
    ["a component to where another of its group is", "3", "2", "1 7(3 2) 4 8(5) 9()"],
    ["a component of a group to where one alone is", "3", "1", "3 1 7(2) 4 8(5) 9()"],
    ["a component alone to where one of a group is", "4", "3", "1 7(2 4 3) 8(5) 9()"],
    ["a component into another group", "2", "group-8", "1 7(3) 4 8(5 2) 9()"],
    ["a component into an empty group", "1", "group-9", "7(2 3) 4 8(5) 9(1)"],
    ["a component out of its group", "2", "alone", "1 7(3) 2 4 8(5) 9()"],
    ["the only component out of its group", "5", "alone", "1 7(2 3) 4 8() 5 9()"],
    ["a group up", "group-7", "up", "7(2 3) 1 4 8(5) 9()"],
    ["a group down", "group-7", "down", "1 4 7(2 3) 8(5) 9()"],
    ["a group to where another is", "group-7", "group-8", "1 4 8(5) 7(2 3) 9()"],
    ["a group to where a component of another is", "group-8", "2", "1 8(5) 7(2 3) 4 9()"],
  ])("%s", (_, part, to, after) => {
    const moved = arranged(blocks, part, to);
    expect(shown(moved)).toBe(after);
    // What is kept of it shows the same again, without the empty groups, whose place is the end.
    const kept = positionsOf(moved ?? []).map(({ row, ...place }) => ({ ...row, ...place }));
    const again = blocksOf({ components: kept.toSorted((a, b) => a.order - b.order), groups });
    const filled = (text: string | null) => text?.replaceAll(/ ?\d\(\)/g, "");
    expect(filled(shown(again))).toBe(filled(after));
  });

  test.each([
    ["1", "up"],
    ["2", "up"],
    ["3", "down"],
    ["1", "alone"],
    ["1", "group-3"],
    ["1", "99"],
    ["99", "1"],
    ["group-3", "up"],
    ["1", ""],
  ])("%s cannot go to %j", (part, to) => {
    expect(arranged(blocks, part, to)).toBeNull();
  });
});

test("a move within a group writes no position but those of the two", () => {
  const changed = positionsOf(arranged(blocks, "2", "down") ?? []).filter(
    ({ row, group, order, groupOrder }) =>
      row.group !== group || row.order !== order || row.groupOrder !== groupOrder,
  );
  expect(changed.map(({ row, order, groupOrder }) => [row.id, order, groupOrder])).toEqual([
    [3, 3, 2],
    [2, 2, 3],
  ]);
});

test("positions that are there twice are counted anew", () => {
  const same = blocksOf({
    components: [1, 2, 3].map((id) => component(id, null, { order: 0, groupOrder: 0 })),
    groups: [],
  });
  const order = positionsOf(arranged(same, "3", "up") ?? []).map(({ row, order }) => [
    row.id,
    order,
  ]);
  expect(order).toEqual([
    [1, 0],
    [3, 1],
    [2, 2],
  ]);
});
