import { pageTemplatesMax } from "#limits/status-limits";
import {
  type ColumnsOf,
  fieldColumns,
  insertColumns,
  updateColumns,
} from "#service/store/field-columns";
import { type Row, type Sql, integer, text } from "#service/store/sql";
import {
  type NewTemplate,
  type PageTemplates,
  type TemplateDefinition,
  type TemplateRow,
  templateUses,
} from "#service/store/templates/template-store";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { deletesPart, hasRoom, ofPage } from "#service/store/verbs/page-parts";
import { timesOf } from "#service/store/verbs/page-rows";
import { type ComponentImpact, reportStatuses } from "#service/status-page/report-words";

/** What a person says of one. */
const columns: ColumnsOf<TemplateDefinition> = {
  name: "name",
  title: "title",
  status: "status",
  message: "message",
  impacts: "impacts",
};

/** Words that forms of a status page begin with: each is recorded as a part of its page. */
export const pageTemplates: VerbsOf<PageTemplates> = {
  create: writes("templates.create", "pages", ofPage, async (sql, made: NewTemplate) =>
    (await hasRoom(sql, "page_templates", made.page, pageTemplatesMax))
      ? insertColumns(sql, "page_templates", [
          ...fieldColumns(made, columns),
          ["page", made.page],
          ["used_for", made.use],
          ["created_at", made.createdAt],
          ["updated_at", made.createdAt],
        ])
      : "full",
  ),
  update: writes("templates.update", "pages", ofPage, async (sql, row: TemplateRow) =>
    updateColumns(sql, "page_templates", row.id, [
      ...fieldColumns(row, columns),
      ["updated_at", row.updatedAt],
    ]),
  ),
  delete: writes(
    "templates.delete",
    "pages",
    deletesPart("template", "page_templates"),
    async (sql, id: number) =>
      (await sql.run("DELETE FROM page_templates WHERE id = ?", [id])) === 1,
  ),
  get: reads("templates.get", async (sql, id: number) => {
    const [row] = await sql.all("SELECT * FROM page_templates WHERE id = ?", [id]);
    return row === undefined ? null : templateOf(row);
  }),
  of: reads("templates.of", templatesOf),
};

async function templatesOf(sql: Sql, page: number): Promise<readonly TemplateRow[]> {
  const select = "SELECT * FROM page_templates WHERE page = ? ORDER BY name, id";
  return (await sql.all(select, [page])).map(templateOf);
}

function templateOf(row: Row): TemplateRow {
  const impacts: readonly ComponentImpact[] = JSON.parse(text(row, "impacts"));
  return {
    id: integer(row, "id"),
    page: integer(row, "page"),
    use: templateUses.find((one) => one === text(row, "used_for")) ?? "report",
    name: text(row, "name"),
    title: text(row, "title"),
    status: reportStatuses.find((one) => one === text(row, "status")) ?? "investigating",
    message: text(row, "message"),
    impacts,
    ...timesOf(row),
  };
}
