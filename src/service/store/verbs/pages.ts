import {
  type ColumnsOf,
  fieldColumns,
  insertColumns,
  updateColumns,
} from "#service/store/field-columns";
import { alters, altersEach, deletes, makes, subjects } from "#service/store/audit/audited";
import { monitorId } from "#service/store/ids";
import type {
  ComponentGroups,
  ComponentRow,
  GroupRow,
  NewComponent,
  NewStatusPage,
  PageComponents,
  PageContent,
  StatusPageRow,
  StatusPages,
  TakenName,
} from "#service/store/page-store";
import { integer, optionalInteger, type Row, type Sql, text } from "#service/store/sql";
import type { Page } from "#service/store/state-store";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { pageOfPart } from "#service/store/verbs/page-of-part";
import {
  ownDomain,
  pageDefaults,
  type PageDefinition,
  themeKeys,
} from "#service/status-page/page-definition";
import type { ComponentDefinition, GroupDefinition } from "#service/status-page/part-definitions";
import { epochMillis } from "#base/units";

/** Status pages, and what stands on them. */
export const statusPages: VerbsOf<StatusPages> = {
  create: writes(
    "pages.create",
    "pages",
    makes("page", (made: number | TakenName) => (typeof made === "number" ? made : null)),
    async (sql, made: NewStatusPage) => {
      const taken = await takenName(sql, made.definition, 0);
      if (taken !== null) return taken;
      const [row] = await sql.all(
        `INSERT INTO pages (uid, slug, domain, definition, sealed, owner, labels, updated_at, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`,
        [made.uid, ...changeable(made), made.at],
      );
      // Another caller's, made at the same instant.
      return row === undefined ? "slug taken" : integer(row, "id");
    },
  ),
  update: writes(
    "pages.update",
    "pages",
    alters("page"),
    async (sql, id: number, to: NewStatusPage) => {
      const taken = await takenName(sql, to.definition, id);
      if (taken !== null) return taken;
      const count = await sql.run(
        `UPDATE pages SET slug = ?, domain = ?, definition = ?, sealed = ?, owner = ?, labels = ?, updated_at = ?
       WHERE id = ?`,
        [...changeable(to), id],
      );
      return count === 1 ? "updated" : "missing";
    },
  ),
  delete: writes("pages.delete", "pages", deletes("page"), async (sql, id: number) => {
    await sql.run("DELETE FROM maintenances WHERE page = ?", [String(id)]);
    return (await sql.run("DELETE FROM pages WHERE id = ?", [id])) === 1;
  }),
  get: reads("pages.get", getPage),
  idOfSlug: reads("pages.idOfSlug", async (sql, slug: string) =>
    idIn(await sql.all("SELECT id FROM pages WHERE slug = ?", [slug])),
  ),
  idOfDomain: reads("pages.idOfDomain", async (sql, domain: string) =>
    idIn(await sql.all("SELECT id FROM pages WHERE domain = ? AND domain <> ''", [domain])),
  ),
  list: reads("pages.list", async (sql, { limit, offset }: Page) =>
    (await sql.all("SELECT * FROM pages ORDER BY id LIMIT ? OFFSET ?", [limit, offset])).map(
      pageOf,
    ),
  ),
  count: reads("pages.count", async (sql) => countIn(sql, "SELECT COUNT(*) AS count FROM pages")),
  idsShowing: reads("pages.idsShowing", async (sql, monitor: number) => {
    const ids = "SELECT DISTINCT page FROM page_components WHERE monitor = ? ORDER BY page";
    return (await sql.all(ids, [monitor])).map((row) => integer(row, "page"));
  }),
  content: reads("pages.content", async (sql, id: number): Promise<PageContent | null> => {
    const page = await getPage(sql, id);
    if (page === null) return null;
    const components = await sql.all(
      "SELECT * FROM page_components WHERE page = ? ORDER BY place, name, id",
      [id],
    );
    const groups = await sql.all("SELECT * FROM page_groups WHERE page = ? ORDER BY id", [id]);
    return { page, components: components.map(componentOf), groups: groups.map(groupOf) };
  }),
};

/** Every page, by id, with what stands on it. */
export async function pageContents(sql: Sql): Promise<readonly PageContent[]> {
  const pages = (await sql.all("SELECT * FROM pages ORDER BY id")).map(pageOf);
  if (pages.length === 0) return [];
  const components = await sql.all("SELECT * FROM page_components ORDER BY place, name, id");
  const groups = await sql.all("SELECT * FROM page_groups ORDER BY id");
  const componentsOf = Map.groupBy(components.map(componentOf), ({ page }) => page);
  const groupsOf = Map.groupBy(groups.map(groupOf), ({ page }) => page);
  return pages.map((page) => ({
    page,
    components: componentsOf.get(page.id) ?? [],
    groups: groupsOf.get(page.id) ?? [],
  }));
}

const idIn = ([row]: readonly Row[]): number | null =>
  row === undefined ? null : integer(row, "id");

const countIn = async (sql: Sql, select: string, values: readonly number[] = []): Promise<number> =>
  integer((await sql.all(select, values))[0], "count");

/** Which name of the page another one has. */
async function takenName(
  sql: Sql,
  definition: PageDefinition,
  own: number,
): Promise<TakenName | null> {
  const bySlug = await sql.all("SELECT id FROM pages WHERE slug = ? AND id <> ?", [
    definition.slug,
    own,
  ]);
  if (bySlug.length > 0) return "slug taken";
  const byDomain = await sql.all(
    "SELECT id FROM pages WHERE domain = ? AND domain <> '' AND id <> ?",
    [ownDomain(definition), own],
  );
  return byDomain.length > 0 ? "domain taken" : null;
}

const changeable = ({ definition, sealed, owner, labels, at }: NewStatusPage) => [
  definition.slug,
  ownDomain(definition),
  JSON.stringify(definition),
  sealed,
  owner,
  JSON.stringify(labels),
  at,
];

async function getPage(sql: Sql, id: number): Promise<StatusPageRow | null> {
  const [row] = await sql.all("SELECT * FROM pages WHERE id = ?", [id]);
  return row === undefined ? null : pageOf(row);
}

function pageOf(row: Row): StatusPageRow {
  const labels: Record<string, string> = JSON.parse(text(row, "labels"));
  const definition = definitionIn(text(row, "definition"));
  return {
    id: integer(row, "id"),
    uid: text(row, "uid"),
    definition,
    sealed: text(row, "sealed"),
    owner: text(row, "owner"),
    labels,
    ...timesOf(row),
  };
}

/** What was added since it was written is as a person who said nothing has it, and so is a theme that there is not. */
function definitionIn(json: string): PageDefinition {
  const kept: PageDefinition = { ...pageDefaults, ...JSON.parse(json) };
  const { configuration } = kept;
  const themeKey = themeKeys.find((one) => one === configuration.themeKey) ?? "default";
  return { ...kept, configuration: { ...pageDefaults.configuration, ...configuration, themeKey } };
}

const timesOf = (row: Row) => ({
  createdAt: epochMillis(integer(row, "created_at")),
  updatedAt: epochMillis(integer(row, "updated_at")),
});

/** What a person says of a component, and of a group. */
const componentColumns: ColumnsOf<ComponentDefinition> = {
  name: "name",
  description: "description",
  order: "place",
  groupOrder: "group_place",
};
const groupColumns: ColumnsOf<GroupDefinition> = { name: "name", defaultOpen: "default_open" };

/** What is on a page is a part of it. */
const ofPage = altersEach(async (_sql, { page }: { readonly page: number }) =>
  subjects("page", [page]),
);

export const pageComponents: VerbsOf<PageComponents> = {
  create: writes("components.create", "pages", ofPage, createComponent),
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
    altersEach((sql, id: number) => pageOfPart(sql, "page_components", id)),
    async (sql, id: number) =>
      (await sql.run("DELETE FROM page_components WHERE id = ?", [id])) === 1,
  ),
  get: reads("components.get", async (sql, id: number) => {
    const [row] = await sql.all("SELECT * FROM page_components WHERE id = ?", [id]);
    return row === undefined ? null : componentOf(row);
  }),
  countOf: reads("components.countOf", async (sql, page: number) =>
    countIn(sql, "SELECT COUNT(*) AS count FROM page_components WHERE page = ?", [page]),
  ),
};

async function createComponent(sql: Sql, made: NewComponent): Promise<number> {
  const [last] = await sql.all(
    "SELECT COALESCE(MAX(place), -1) + 1 AS place FROM page_components WHERE page = ?",
    [made.page],
  );
  const [lastOfGroup] = await sql.all(
    "SELECT COALESCE(MAX(group_place), -1) + 1 AS place FROM page_components WHERE page_group = ?",
    [made.group],
  );
  const groupOrder = made.group === null ? 0 : integer(lastOfGroup, "place");
  const order = made.order ?? integer(last, "place");
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

function componentOf(row: Row): ComponentRow {
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
  create: writes(
    "groups.create",
    "pages",
    ofPage,
    async (sql, made: Omit<GroupRow, "id" | "updatedAt">) =>
      insertColumns(sql, "page_groups", [
        ...fieldColumns(made, groupColumns),
        ["page", made.page],
        ["created_at", made.createdAt],
        ["updated_at", made.createdAt],
      ]),
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
    altersEach((sql, id: number) => pageOfPart(sql, "page_groups", id)),
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

const groupOf = (row: Row): GroupRow => ({
  id: integer(row, "id"),
  page: integer(row, "page"),
  name: text(row, "name"),
  defaultOpen: integer(row, "default_open") === 1,
  ...timesOf(row),
});
