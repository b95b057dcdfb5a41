import type { ComponentRow, PageContent } from "#service/store/page-store";

/** What stands together on a page: a component in no group, or a group with its components. */
export interface Block {
  readonly group: number | null;
  readonly rows: readonly ComponentRow[];
}

/** As readers see them: a group is where its first component is. Groups without one come last. */
export function blocksOf({
  components,
  groups,
}: Pick<PageContent, "components" | "groups">): readonly Block[] {
  const together = Map.groupBy(components, ({ id, group }) => group ?? `alone ${id}`);
  const shown = [...together.values()].map((rows) => ({
    group: rows[0]?.group ?? null,
    rows: rows.toSorted(
      (a, b) => a.groupOrder - b.groupOrder || a.name.localeCompare(b.name, "en") || a.id - b.id,
    ),
  }));
  const empty = groups.filter(({ id }) => !together.has(id));
  return [...shown, ...empty.map(({ id }) => ({ group: id, rows: [] }))];
}

/** What people move, and where to: a component by its id, or `group-` and the id of a group. */
export const groupKey = (id: number): string => `group-${id}`;
const keyOf = ({ group, rows }: Block): string =>
  group === null ? String(rows[0]?.id ?? "") : groupKey(group);

/** Takes a component out of its group. */
export const outOfGroup = "alone";

/**
 * The blocks after a part was moved `up` or `down`, to where another part is, or a component into or out of a group.
 * Null if there is no such place.
 */
export function arranged(
  blocks: readonly Block[],
  part: string,
  to: string,
): readonly Block[] | null {
  const from = blocks.findIndex((block) => keyOf(block) === part);
  const target = placeOf(blocks, from, to);
  if (from !== -1 && blocks[from]?.group !== null) return moved(blocks, from, target);
  const home = blocks.findIndex((block) => hasRow(block, part));
  const row = blocks[home]?.rows.find(({ id }) => String(id) === part);
  if (row === undefined) return null;
  const isAlone = blocks[home]?.group === null;
  const isAmongAlone = blocks[target]?.group === null && hasRow(blocks[target], to);
  if (isAlone && (to === "up" || to === "down" || isAmongAlone)) return moved(blocks, from, target);
  return withRowAt(blocks, { row, home, to });
}

const hasRow = ({ rows }: Block, part: string): boolean =>
  rows.some(({ id }) => String(id) === part);

/** Which block is meant; -1 for none. */
function placeOf(blocks: readonly Block[], from: number, to: string): number {
  if (to === "up") return from - 1;
  if (to === "down") return from + 1;
  return blocks.findIndex((block) => keyOf(block) === to || hasRow(block, to));
}

/** Where the other one is now: after it from above, before it from below. */
function moved<T>(all: readonly T[], from: number, target: number): readonly T[] | null {
  const one = all[from];
  if (one === undefined || all[target] === undefined) return null;
  return all.toSpliced(from, 1).toSpliced(target, 0, one);
}

interface MovedRow {
  readonly row: ComponentRow;
  /** The block that it is in. */
  readonly home: number;
  readonly to: string;
}

function withRowAt(blocks: readonly Block[], { row, home, to }: MovedRow): readonly Block[] | null {
  const own = blocks[home];
  if (own === undefined) return null;
  const from = own.rows.indexOf(row);
  const within = { up: from - 1, down: from + 1 }[to] ?? own.rows.findIndex(isOf(to));
  if (within !== -1 || to === "up") {
    const rows = moved(own.rows, from, within);
    return rows === null ? null : blocks.with(home, { ...own, rows });
  }
  const left =
    own.group === null
      ? blocks.toSpliced(home, 1)
      : blocks.with(home, { ...own, rows: own.rows.toSpliced(from, 1) });
  if (to === outOfGroup)
    return own.group === null ? null : left.toSpliced(home + 1, 0, { group: null, rows: [row] });
  const target = placeOf(left, -1, to);
  const block = left[target];
  if (block === undefined) return null;
  if (block.group === null) return left.toSpliced(target, 0, { group: null, rows: [row] });
  const place = block.rows.findIndex(isOf(to));
  const rows = block.rows.toSpliced(place === -1 ? block.rows.length : place, 0, row);
  return left.with(target, { ...block, rows });
}

const isOf =
  (part: string) =>
  ({ id }: ComponentRow): boolean =>
    String(id) === part;

/** Where a component is to be. */
interface Position {
  readonly row: ComponentRow;
  readonly group: number | null;
  readonly order: number;
  readonly groupOrder: number;
}

/** The positions that show blocks in this order. They share the numbers that there are, unless two have the same. */
export function positionsOf(blocks: readonly Block[]): readonly Position[] {
  const shown = blocks.filter(({ rows }) => rows.length > 0);
  const orders = ordersOf(shown);
  return shown.flatMap(({ group, rows }) => {
    const inGroup = shared(rows.map((row) => (row.group === group ? row.groupOrder : null)));
    return rows.map((row, index) => ({
      row,
      group,
      order: orders.get(row) ?? row.order,
      groupOrder: group === null ? row.groupOrder : (inGroup[index] ?? index),
    }));
  });
}

/** Empty if the blocks are in this order already. */
function ordersOf(shown: readonly Block[]): ReadonlyMap<ComponentRow, number> {
  const firsts = shown.map(({ rows }) => Math.min(...rows.map(({ order }) => order)));
  if (firsts.every((first, index) => index === 0 || first > (firsts[index - 1] ?? first)))
    return new Map();
  const rows = shown.flatMap((block) => block.rows);
  const orders = shared(rows.map(({ order }) => order));
  return new Map(rows.map((row, index) => [row, orders[index] ?? index]));
}

/** The same numbers in their order; 0, 1, 2 … if one is missing or there twice. */
function shared(numbers: readonly (number | null)[]): readonly number[] {
  const taken = numbers.filter((one) => one !== null).toSorted((a, b) => a - b);
  const isWhole = new Set(taken).size === numbers.length;
  return isWhole ? taken : numbers.map((_, index) => index);
}
