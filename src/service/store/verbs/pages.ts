import { alters, deletes, makes, unaudited } from "#service/store/audit/audited";
import type {
  NewStatusPage,
  PageContent,
  StatusPageRow,
  StatusPages,
  TakenName,
} from "#service/store/page-store";
import { integer, type Row, type Sql, text } from "#service/store/sql";
import type { Page } from "#service/store/state-store";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { componentOf, groupOf } from "#service/store/verbs/page-parts";
import { keepFormer, ledAway, readFormer } from "#service/store/verbs/pages/former-addresses";
import { countIn, timesOf } from "#service/store/verbs/page-rows";
import {
  ownDomain,
  pageDefaults,
  type PageDefinition,
  themeKeys,
} from "#service/status-page/page-definition";
import { iconNameIn, isKeptIcon } from "#service/status-page/icon-name";

/** Status pages, with what stands on them. */
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
      if (row === undefined) return "slug taken";
      const id = integer(row, "id");
      await writeIcon(sql, id, made);
      return id;
    },
  ),
  update: writes(
    "pages.update",
    "pages",
    alters("page"),
    async (sql, id: number, to: NewStatusPage) => {
      const taken = await takenName(sql, to.definition, id);
      if (taken !== null) return taken;
      const before = await getPage(sql, id);
      const count = await sql.run(
        `UPDATE pages SET slug = ?, domain = ?, definition = ?, sealed = ?, owner = ?, labels = ?, updated_at = ?
       WHERE id = ?`,
        [...changeable(to), id],
      );
      if (count !== 1 || before === null) return "missing";
      await keepFormer(sql, id, before.definition, to);
      await writeIcon(sql, id, to);
      return "updated";
    },
  ),
  reached: writes(
    "pages.reached",
    "pages",
    unaudited("a reader has come, and no one changed the page"),
    async (sql, id: number, domain: string) =>
      (await sql.run("UPDATE pages SET reached_by = domain WHERE id = ? AND domain = ?", [
        id,
        domain,
      ])) === 1,
  ),
  delete: writes("pages.delete", "pages", deletes("page"), async (sql, id: number) => {
    await sql.run("DELETE FROM maintenances WHERE page = ?", [String(id)]);
    return (await sql.run("DELETE FROM pages WHERE id = ?", [id])) === 1;
  }),
  get: reads("pages.get", getPage),
  icon: reads("pages.icon", async (sql, id: number, name: string) => {
    const select = "SELECT picture FROM page_icons WHERE page = ? AND name = ?";
    const [row] = await sql.all(select, [id, name]);
    return row === undefined ? null : text(row, "picture");
  }),
  idOfSlug: reads("pages.idOfSlug", async (sql, slug: string) =>
    idIn(await sql.all("SELECT id FROM pages WHERE slug = ?", [slug])),
  ),
  idOfDomain: reads("pages.idOfDomain", async (sql, domain: string) =>
    idIn(await sql.all("SELECT id FROM pages WHERE domain = ? AND domain <> ''", [domain])),
  ),
  formerAddresses: reads("pages.formerAddresses", readFormer),
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

/** The file that is the icon now; the one before it goes. */
async function writeIcon(
  sql: Sql,
  page: number,
  { definition, iconFile }: NewStatusPage,
): Promise<void> {
  if (iconFile !== undefined) {
    await sql.run(
      `INSERT INTO page_icons (page, name, picture) VALUES (?, ?, ?)
       ON CONFLICT (page) DO UPDATE SET name = excluded.name, picture = excluded.picture`,
      [page, iconFile.name, iconFile.picture],
    );
    return;
  }
  const kept = isKeptIcon(definition.icon) ? (iconNameIn(definition.icon) ?? "") : "";
  await sql.run("DELETE FROM page_icons WHERE page = ? AND name <> ?", [page, kept]);
}

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
  return byDomain.length > 0 ? "domain taken" : ledAway(sql, definition, own);
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
    reachedBy: text(row, "reached_by"),
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
