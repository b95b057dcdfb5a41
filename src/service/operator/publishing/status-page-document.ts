import { isoTime } from "#web/page/format";
import * as limits from "#limits/pages-limits";
import { documentAnswer, type PageAnswer } from "#service/edge/page-answer";
import type { PageContext } from "#service/operator/page-request";
import { reportSection } from "#service/operator/publishing/report-answers";
import { pageSection } from "#service/operator/publishing/status-page-list";
import type { TemplateRow } from "#service/store/templates/template-store";
import type { StatusPageRow } from "#service/store/page-store";

/** `/status-pages/ID.json`: a page for programs, with its components and reports. */
export async function documentOf(
  context: PageContext,
  row: StatusPageRow,
  offset: number,
): Promise<PageAnswer> {
  const { components, groups } = await context.rooms.statusPages.content(row.id);
  const templates = await context.rooms.store.pages.templates.of(row.id);
  const { reports, total } = await reportsOf(context, row.id, offset);
  return documentAnswer({
    at: isoTime(context.rooms.clock.wall()),
    ...pageSection(row),
    components: components.map((one) => ({
      id: String(one.id),
      name: one.name,
      description: one.description,
      monitor: one.monitor === null ? null : String(one.monitor),
      group: one.group === null ? null : String(one.group),
    })),
    groups: groups.map(({ id, name }) => ({ id: String(id), name })),
    templates: templates.map(templateSection),
    total_reports: total,
    reports: reports.map(reportSection),
  });
}

/** A template for programs. Names are only ever added. */
const templateSection = ({
  id,
  use,
  name,
  title,
  status,
  message,
  impacts,
}: TemplateRow): object => ({
  id: String(id),
  used_for: use,
  name,
  message,
  ...(use === "report"
    ? {
        title,
        status,
        impacts: Object.fromEntries(impacts.map((one) => [String(one.component), one.impact])),
      }
    : {}),
});

/** Some of the reports of a page, and how many there are. */
export const reportsOf = (
  { rooms }: PageContext,
  page: number,
  offset: number,
): ReturnType<PageContext["rooms"]["store"]["pages"]["reports"]["list"]> =>
  rooms.store.pages.reports.list({ page, statuses: [], limit: limits.reportsListed, offset });
