import { alters, type Audit, deletes, makes } from "#service/store/audit/audited";
import type {
  CorrectedUpdate,
  NamingQuery,
  NewUpdate,
  ReportRow,
  ReportsQuery,
  ReportUpdate,
  StatusReports,
} from "#service/store/page-store";
import { allAmong, integer, type Row, type Sql, text } from "#service/store/sql";
import * as storeLimits from "#limits/store-limits";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { reportStatuses } from "#service/status-page/report-words";
import { announce, isPublished } from "#service/store/verbs/letter-rows";
import { restoresUpdate, restoreUpdate } from "#service/store/trash/removed-update";
import { followNewest, joinReport } from "#service/store/news/report-standing";
import { reportsOf, updateOf } from "#service/store/news/report-rows";
import type { EpochMillis } from "#base/units";

/** An update that is taken back can be put back. */
const withdrawal: Audit<readonly [id: number, update: number, at: EpochMillis], boolean> = {
  ...alters("report"),
  gone: (_id, update) => [{ kind: "update", id: String(update) }],
};

/** What people report on status pages. */
export const statusReports: VerbsOf<StatusReports> = {
  create: writes(
    "reports.create",
    "pages",
    makes("report", (id: number) => id),
    createReport,
  ),
  change: writes("reports.change", "pages", alters("report"), changeReport),
  addUpdate: writes("reports.addUpdate", "pages", alters("report"), addUpdate),
  correct: writes("reports.correct", "pages", alters("report"), correct),
  withdraw: writes("reports.withdraw", "pages", withdrawal, withdraw),
  putBack: writes("reports.putBack", "pages", restoresUpdate, restoreUpdate),
  delete: writes(
    "reports.delete",
    "pages",
    deletes("report"),
    async (sql, id: number) => (await sql.run("DELETE FROM reports WHERE id = ?", [id])) === 1,
  ),
  get: reads("reports.get", async (sql, id: number) => {
    const rows = await sql.all("SELECT * FROM reports WHERE id = ?", [id]);
    return (await reportsOf(sql, rows))[0] ?? null;
  }),
  wasAnnounced: reads("reports.wasAnnounced", async (sql, id: number) => {
    const of = "SELECT 1 FROM report_updates WHERE report = ? AND announced = 1 LIMIT 1";
    return (await sql.all(of, [id])).length > 0;
  }),
  list: reads("reports.list", listReports),
  titles: reads("reports.titles", async (sql, limit: number) => {
    const select = "SELECT id, title FROM reports ORDER BY newest_at DESC, id DESC LIMIT ?";
    const rows = await sql.all(select, [limit]);
    return rows.map((row) => ({ id: integer(row, "id"), title: text(row, "title") }));
  }),
  lately: reads("reports.lately", async (sql, page: number, since: EpochMillis) =>
    reportsOf(
      sql,
      await sql.all(
        `SELECT * FROM reports WHERE page = ? AND (status <> 'resolved' OR newest_at >= ?)
         ORDER BY newest_at DESC, id DESC LIMIT ?`,
        [page, since, storeLimits.reportsShownMax],
      ),
    ),
  ),
  naming: reads("reports.naming", reportsNaming),
};

async function createReport(
  sql: Sql,
  made: Parameters<StatusReports["create"]>[0],
): Promise<number> {
  const { page, title, components, update, announces, end } = made;
  const [row] = await sql.all(
    `INSERT INTO reports (page, status, title, created_at, updated_at, newest_at)
     VALUES (?, ?, ?, ?, ?, ?) RETURNING id`,
    [page, update.status, title, update.createdAt, update.createdAt, update.at],
  );
  const id = integer(row, "id");
  await joinReport(sql, id, components);
  await addUpdate(sql, id, update, announces, []);
  if (end !== undefined)
    await addUpdate(sql, id, { ...update, ...end, status: "resolved", impacts: [] }, false, []);
  return id;
}

async function changeReport(
  sql: Sql,
  id: number,
  { title, components }: Parameters<StatusReports["change"]>[1],
  at: EpochMillis,
): Promise<boolean> {
  const update = "UPDATE reports SET title = COALESCE(?, title), updated_at = ? WHERE id = ?";
  if ((await sql.run(update, [title, at, id])) === 0) return false;
  if (components !== null) {
    await sql.run("DELETE FROM report_components WHERE report = ?", [id]);
    await joinReport(sql, id, components);
  }
  return true;
}

async function addUpdate(
  sql: Sql,
  id: number,
  update: NewUpdate,
  wanted: boolean,
  joining: readonly number[],
): Promise<boolean> {
  const { status, at, message, impacts, createdAt } = update;
  const [report] = await sql.all("SELECT page FROM reports WHERE id = ?", [id]);
  if (report === undefined) return false;
  const page = integer(report, "page");
  const announces = wanted && (await isPublished(sql, page));
  const [made] = await sql.all(
    `INSERT INTO report_updates (report, status, at, message, impacts, created_at, announced)
     VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    [id, status, at, message, JSON.stringify(impacts), createdAt, announces ? 1 : 0],
  );
  const named = impacts.map(({ component }) => component);
  await joinReport(sql, id, [...new Set([...named, ...joining])]);
  await followNewest(sql, id, createdAt);
  if (announces)
    await announce(sql, {
      page,
      kind: "report",
      about: integer(made, "id"),
      components: await componentsOf(sql, id),
      at: createdAt,
    });
  return true;
}

async function correct(
  sql: Sql,
  id: number,
  update: number,
  { status, at, message, impacts, joining, leaving }: CorrectedUpdate,
  correctedAt: EpochMillis,
): Promise<boolean> {
  const changed = await sql.run(
    "UPDATE report_updates SET status = ?, at = ?, message = ?, impacts = ? WHERE id = ? AND report = ?",
    [status, at, message, JSON.stringify(impacts), update, id],
  );
  if (changed === 0) return false;
  const named = impacts.map(({ component }) => component);
  await leave(sql, id, leaving);
  await joinReport(sql, id, [...new Set([...named, ...joining])]);
  await followNewest(sql, id, correctedAt);
  return true;
}

/** What an update names stays in its report. */
async function leave(sql: Sql, id: number, components: readonly number[]): Promise<void> {
  if (components.length === 0) return;
  const named = new Set(
    (await updatesOf(sql, id)).flatMap(({ impacts }) => impacts.map(({ component }) => component)),
  );
  for (const component of components.filter((one) => !named.has(one)))
    await sql.run("DELETE FROM report_components WHERE report = ? AND component = ?", [
      id,
      component,
    ]);
}

const updatesOf = async (sql: Sql, report: number): Promise<readonly ReportUpdate[]> =>
  (await sql.all("SELECT * FROM report_updates WHERE report = ?", [report])).map(updateOf);

async function withdraw(sql: Sql, id: number, update: number, at: EpochMillis): Promise<boolean> {
  const before = await updatesOf(sql, id);
  const own = before.find((one) => one.id === update)?.impacts ?? [];
  const removed = await sql.run(
    `DELETE FROM report_updates WHERE id = ? AND report = ?
       AND (SELECT COUNT(id) FROM report_updates WHERE report = ?) > 1`,
    [update, id, id],
  );
  if (removed === 0) return false;
  const components = await componentsOf(sql, id);
  const leaving = own.map(({ component }) => component);
  // A report that is about some does not become one about the whole page.
  if (components.some((one) => !leaving.includes(one))) await leave(sql, id, leaving);
  await followNewest(sql, id, at);
  return true;
}

const componentsOf = async (sql: Sql, report: number): Promise<readonly number[]> =>
  (await sql.all("SELECT component FROM report_components WHERE report = ?", [report])).map((row) =>
    integer(row, "component"),
  );

async function listReports(
  sql: Sql,
  { page, statuses, limit, offset }: ReportsQuery,
): ReturnType<StatusReports["list"]> {
  const wanted = statuses.length === 0 ? reportStatuses : statuses;
  const where = `status IN (${wanted.map(() => "?").join(", ")})${page === null ? "" : " AND page = ?"}`;
  const values = [...wanted, ...(page === null ? [] : [page])];
  const rows = await sql.all(
    `SELECT * FROM reports WHERE ${where} ORDER BY newest_at DESC, id DESC LIMIT ? OFFSET ?`,
    [...values, limit, offset],
  );
  const [count] = await sql.all(`SELECT COUNT(*) AS count FROM reports WHERE ${where}`, values);
  return { reports: await reportsOf(sql, rows), total: integer(count, "count") };
}

/** Many components are asked for in several statements, which may find the same report. */
async function reportsNaming(
  sql: Sql,
  { components, from, until, limit }: NamingQuery,
): Promise<readonly ReportRow[]> {
  const rows = await allAmong(
    sql,
    `SELECT * FROM reports
     WHERE id IN (SELECT report FROM report_components WHERE component IN (*))
       AND EXISTS (SELECT 1 FROM report_updates WHERE report = reports.id AND at <= ?)
       AND (status <> 'resolved' OR newest_at >= ?)
     ORDER BY newest_at DESC, id DESC LIMIT ?`,
    [],
    components,
    [until, from, limit],
  );
  const found = new Map(rows.map((row) => [integer(row, "id"), row]));
  const newest = (row: Row): number => integer(row, "newest_at");
  const ordered = [...found]
    .toSorted(([a, one], [b, other]) => newest(other) - newest(one) || b - a)
    .map(([, row]) => row);
  return reportsOf(sql, ordered.slice(0, limit));
}
