import * as limits from "#limits/status-limits";
import { ownDomain, type PageDefinition } from "#service/status-page/page-definition";
import type { FormerAddress, NewStatusPage, TakenName } from "#service/store/page-store";
import { integer, type Sql, text } from "#service/store/sql";

/** The names of before by which pages are found still, so that links which were sent out lead somewhere. */
export const readFormer = async (sql: Sql): Promise<readonly FormerAddress[]> =>
  (await sql.all("SELECT kind, name, page FROM page_former_addresses")).map((row) => ({
    kind: text(row, "kind") === "domain" ? "domain" : "slug",
    name: text(row, "name"),
    page: integer(row, "page"),
  }));

/** Which of a page's names leads to another page, whose name it was. */
export async function ledAway(
  sql: Sql,
  definition: PageDefinition,
  own: number,
): Promise<TakenName | null> {
  for (const [kind, name] of Object.entries(namesOf(definition))) {
    const select =
      "SELECT page FROM page_former_addresses WHERE kind = ? AND name = ? AND page <> ?";
    const rows = await sql.all(select, [kind, name, own]);
    if (rows.length > 0) return kind === "slug" ? "slug led away" : "domain led away";
  }
  return null;
}

/** Keeps the names that a page had before a change; those that it has again are no former ones. */
export async function keepFormer(
  sql: Sql,
  page: number,
  definition: PageDefinition,
  to: Pick<NewStatusPage, "definition" | "at">,
): Promise<void> {
  const now = namesOf(to.definition);
  await freeNames(sql, to.definition);
  for (const [kind, name] of Object.entries(namesOf(definition))) {
    if (name === "" || name === (kind === "slug" ? now.slug : now.domain)) continue;
    // In one change of many pages, another one may have taken it.
    const live = `SELECT id FROM pages WHERE ${kind === "slug" ? "slug" : "domain"} = ? AND id <> ?`;
    if ((await sql.all(live, [name, page])).length > 0) continue;
    await sql.run(
      `INSERT INTO page_former_addresses (kind, name, page, left_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (kind, name) DO UPDATE SET page = excluded.page, left_at = excluded.left_at`,
      [kind, name, page, to.at],
    );
    await sql.run(
      `DELETE FROM page_former_addresses WHERE kind = ? AND page = ? AND name NOT IN
       (SELECT name FROM page_former_addresses WHERE kind = ? AND page = ?
        ORDER BY left_at DESC, name LIMIT ?)`,
      [kind, page, kind, page, limits.formerAddressesMax],
    );
  }
}

/** What is a page's name now leads to no other page. */
export async function freeNames(sql: Sql, definition: PageDefinition): Promise<void> {
  for (const [kind, name] of Object.entries(namesOf(definition)))
    await sql.run("DELETE FROM page_former_addresses WHERE kind = ? AND name = ?", [kind, name]);
}

const namesOf = (definition: PageDefinition) => ({
  slug: definition.slug,
  domain: ownDomain(definition),
});
