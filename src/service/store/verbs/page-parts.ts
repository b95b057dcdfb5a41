import { pageComponentsMax, pageGroupsMax } from "#limits/status-limits";
import {
  type ColumnsOf,
  fieldColumns,
  insertColumns,
  updateColumns,
} from "#service/store/field-columns";
import { altersEach, type Audit, subjects } from "#service/store/audit/audited";
import { monitorId } from "#service/store/ids";
import type {
  Arrangement,
  ComponentGroups,
  ComponentPlace,
  ComponentRow,
  GroupRow,
  NewComponent,
  NewComponents,
  NewGroup,
  PageComponents,
} from "#service/store/page-store";
import { insertRows, integer, optionalInteger, type Row, type Sql, text } from "#service/store/sql";
import type { PartKind } from "#service/store/trash/trash-store";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { countIn, pageOfPart, type PartTable, timesOf } from "#service/store/verbs/page-rows";
import type { ComponentDefinition, GroupDefinition } from "#service/status-page/part-definitions";

/* What stands on a status page: components, and groups of them. */

/** What a person says of a component, and of a group. */
const componentColumns: ColumnsOf<ComponentDefinition> = {
  name: "name",
  description: "description",
  order: "place",
  groupOrder: "group_place",
};
const groupColumns: ColumnsOf<GroupDefinition> = { name: "name", defaultOpen: "default_open" };

/** What is on a page is a part of it. */
export const ofPage: Audit<readonly [of: { readonly page: number }], unknown> = altersEach(
  async (_sql, { page }: { readonly page: number }) => subjects("page", [page]),
);

/** It can be put back, as objects can. */
export const deletesPart = (
  kind: PartKind,
  table: PartTable,
): Audit<readonly [id: number], boolean> => ({
  ...altersEach((sql: Sql, id: number) => pageOfPart(sql, table, id)),
  gone: (id) => [{ kind, id: String(id) }],
});

export const pageComponents: VerbsOf<PageComponents> = {
  create: writes("components.create", "pages", ofPage, async (sql, made: NewComponent) =>
    (await hasRoom(sql, "page_components", made.page, pageComponentsMax))
      ? insertComponent(sql, made)
      : "full",
  ),
  createEach: writes("components.createEach", "pages", ofPage, createEach),
  update: writes("components.update", "pages", ofPage, async (sql, row: ComponentRow) => {
    const said = fieldColumns(row, componentColumns);
    return updateColumns(sql, "page_components", row.id, [
      ...said,
      ["page_group", row.group],
      ["updated_at", row.updatedAt],
    ]);
  }),
  delete: writes(
    "components.delete",
    "pages",
    deletesPart("component", "page_components"),
    async (sql, id: number) =>
      (await sql.run("DELETE FROM page_components WHERE id = ?", [id])) === 1,
  ),
  arrange: writes("components.arrange", "pages", ofPage, arrange),
  get: reads("components.get", async (sql, id: number) => {
    const [row] = await sql.all("SELECT * FROM page_components WHERE id = ?", [id]);
    return row === undefined ? null : componentOf(row);
  }),
  countOf: reads("components.countOf", async (sql, page: number) =>
    countIn(sql, "SELECT COUNT(*) AS count FROM page_components WHERE page = ?", [page]),
  ),
  withoutMonitor: reads("components.withoutMonitor", async (sql, limit: number) => {
    const rows = await sql.all(
      "SELECT * FROM page_components WHERE monitor IS NULL ORDER BY page, place, name, id LIMIT ?",
      [limit],
    );
    return rows.map(componentOf);
  }),
};

/**
 * Whether a page may have `more`. Whoever adds another meanwhile waits, so that there is room as it was counted: the
 * page's row is locked on PostgreSQL, and SQLite has one writer.
 */
export async function hasRoom(
  sql: Sql,
  table: PartTable,
  page: number,
  most: number,
  more = 1,
): Promise<boolean> {
  await sql.all(`SELECT id FROM pages WHERE id = ?${sql.words.forUpdate}`, [page]);
  const count = await countIn(sql, `SELECT COUNT(*) AS count FROM ${table} WHERE page = ?`, [page]);
  return count + more <= most;
}

async function createEach(
  sql: Sql,
  { page, group, at, parts }: NewComponents,
): Promise<"added" | "full"> {
  if (!(await hasRoom(sql, "page_components", page, pageComponentsMax, parts.length)))
    return "full";
  const first = await placesBehind(sql, page, group);
  const rows = parts.map(({ monitor, name }, index) => {
    const order = first.order + index;
    const groupOrder = group === null ? 0 : first.groupOrder + index;
    const said = fieldColumns({ name, description: "", order, groupOrder }, componentColumns);
    return [...said.map(([, value]) => value), page, monitor, group, at, at];
  });
  const said = Object.values(componentColumns).join(", ");
  await insertRows(
    sql,
    `INSERT INTO page_components (${said}, page, monitor, page_group, created_at, updated_at)`,
    rows,
    "",
  );
  return "added";
}

/** Where the next component stands: on the page, and in the group. */
async function placesBehind(
  sql: Sql,
  page: number,
  group: number | null,
): Promise<Pick<ComponentDefinition, "order" | "groupOrder">> {
  const [last] = await sql.all(
    "SELECT COALESCE(MAX(place), -1) + 1 AS place FROM page_components WHERE page = ?",
    [page],
  );
  const [lastOfGroup] = await sql.all(
    "SELECT COALESCE(MAX(group_place), -1) + 1 AS place FROM page_components WHERE page_group = ?",
    [group],
  );
  return {
    order: integer(last, "place"),
    groupOrder: group === null ? 0 : integer(lastOfGroup, "place"),
  };
}

/** A file says all of a page at once, which its rules count: what it removes is still there. */
export async function insertComponent(sql: Sql, made: NewComponent): Promise<number> {
  const { order: last, groupOrder } = await placesBehind(sql, made.page, made.group);
  const order = made.order ?? last;
  const said = fieldColumns({ ...made, order, groupOrder }, componentColumns);
  const { page, monitor, group, at } = made;
  return insertColumns(sql, "page_components", [
    ...said,
    ["page", page],
    ["monitor", monitor],
    ["page_group", group],
    ["created_at", at],
    ["updated_at", at],
  ]);
}

/** Nothing is written if anything stands otherwise than whoever arranged it saw it, or a group is gone meanwhile. */
async function arrange(
  sql: Sql,
  { page, seen, wanted, at }: Arrangement,
): Promise<"arranged" | "overtaken"> {
  const columns = "SELECT id, page_group, place, group_place FROM page_components WHERE page = ?";
  const there = (await sql.all(columns, [page])).map(placeOf);
  const groups = await sql.all("SELECT id FROM page_groups WHERE page = ?", [page]);
  const known = new Set<number | null>([null, ...groups.map((row) => integer(row, "id"))]);
  const ids = new Set(there.map(({ id }) => id));
  const isPossible = wanted.every(({ id, group }) => ids.has(id) && known.has(group));
  if (!isPossible || wordsOf(there) !== wordsOf(seen)) return "overtaken";
  const rows = wanted.map(({ id, group, order, groupOrder }) => [id, group, order, groupOrder, at]);
  // PostgreSQL takes values of such a list for texts.
  const number = (column: string): string => `CAST(wanted.${column} AS BIGINT)`;
  await insertRows(
    sql,
    "WITH wanted (id, page_group, place, group_place, changed_at) AS (",
    rows,
    `) UPDATE page_components SET page_group = ${number("page_group")}, place = ${number("place")},
       group_place = ${number("group_place")}, updated_at = ${number("changed_at")}
     FROM wanted WHERE page_components.id = ${number("id")} RETURNING page_components.id AS id`,
  );
  return "arranged";
}

const placeOf = (row: Row): ComponentPlace => ({
  id: integer(row, "id"),
  group: optionalInteger(row, "page_group"),
  order: integer(row, "place"),
  groupOrder: integer(row, "group_place"),
});

/** Says the same of the same places, in whichever order they come. */
const wordsOf = (places: readonly ComponentPlace[]): string =>
  JSON.stringify(
    places
      .toSorted((a, b) => a.id - b.id)
      .map(({ id, group, order, groupOrder }) => [id, group, order, groupOrder]),
  );

export function componentOf(row: Row): ComponentRow {
  const monitor = optionalInteger(row, "monitor");
  return {
    id: integer(row, "id"),
    page: integer(row, "page"),
    monitor: monitor === null ? null : monitorId(monitor),
    name: text(row, "name"),
    description: text(row, "description"),
    order: integer(row, "place"),
    group: optionalInteger(row, "page_group"),
    groupOrder: integer(row, "group_place"),
    ...timesOf(row),
  };
}

export const componentGroups: VerbsOf<ComponentGroups> = {
  create: writes("groups.create", "pages", ofPage, async (sql, made: NewGroup) =>
    (await hasRoom(sql, "page_groups", made.page, pageGroupsMax)) ? insertGroup(sql, made) : "full",
  ),
  update: writes("groups.update", "pages", ofPage, async (sql, row: GroupRow) =>
    updateColumns(sql, "page_groups", row.id, [
      ...fieldColumns(row, groupColumns),
      ["updated_at", row.updatedAt],
    ]),
  ),
  delete: writes(
    "groups.delete",
    "pages",
    deletesPart("group", "page_groups"),
    async (sql, id: number) => (await sql.run("DELETE FROM page_groups WHERE id = ?", [id])) === 1,
  ),
  get: reads("groups.get", async (sql, id: number) => {
    const [row] = await sql.all("SELECT * FROM page_groups WHERE id = ?", [id]);
    return row === undefined ? null : groupOf(row);
  }),
  countOf: reads("groups.countOf", async (sql, page: number) =>
    countIn(sql, "SELECT COUNT(*) AS count FROM page_groups WHERE page = ?", [page]),
  ),
};

export const insertGroup = (sql: Sql, made: NewGroup): Promise<number> =>
  insertColumns(sql, "page_groups", [
    ...fieldColumns(made, groupColumns),
    ["page", made.page],
    ["created_at", made.createdAt],
    ["updated_at", made.createdAt],
  ]);

export const groupOf = (row: Row): GroupRow => ({
  id: integer(row, "id"),
  page: integer(row, "page"),
  name: text(row, "name"),
  defaultOpen: integer(row, "default_open") === 1,
  ...timesOf(row),
});
