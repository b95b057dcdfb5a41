import { allAmong, integer, type Row, type Sql, text } from "#service/store/sql";
import type { ReportRow, ReportUpdate } from "#service/store/page-store";
import {
  type ComponentImpact,
  type ReportStatus,
  reportStatuses,
} from "#service/status-page/report-words";
import { epochMillis } from "#base/units";

/** Reports with their components and updates, the newest update first. */
export async function reportsOf(sql: Sql, rows: readonly Row[]): Promise<readonly ReportRow[]> {
  const ids = rows.map((row) => integer(row, "id"));
  const pairs = await allAmong(
    sql,
    "SELECT report, component FROM report_components WHERE report IN (*)",
    [],
    ids,
  );
  const updates = await allAmong(
    sql,
    "SELECT * FROM report_updates WHERE report IN (*) ORDER BY at DESC, id DESC",
    [],
    ids,
  );
  const byReport = (some: readonly Row[]) => Map.groupBy(some, (row) => integer(row, "report"));
  const [componentsOf, updatesOf] = [byReport(pairs), byReport(updates)];
  return rows.map((row) => {
    const id = integer(row, "id");
    const own = componentsOf.get(id) ?? [];
    return {
      id,
      page: integer(row, "page"),
      status: statusOf(row),
      title: text(row, "title"),
      components: own.map((one) => integer(one, "component")).toSorted((a, b) => a - b),
      updates: (updatesOf.get(id) ?? []).map(updateOf),
      createdAt: epochMillis(integer(row, "created_at")),
      updatedAt: epochMillis(integer(row, "updated_at")),
    };
  });
}

export function updateOf(row: Row): ReportUpdate {
  const impacts: ComponentImpact[] = JSON.parse(text(row, "impacts"));
  return {
    id: integer(row, "id"),
    status: statusOf(row),
    at: epochMillis(integer(row, "at")),
    message: text(row, "message"),
    impacts,
    createdAt: epochMillis(integer(row, "created_at")),
  };
}

function statusOf(row: Row): ReportStatus {
  const word = text(row, "status");
  const status = reportStatuses.find((one) => one === word);
  if (status === undefined) throw new TypeError(`the database has a report that is "${word}"`);
  return status;
}
