import { readRecurrence } from "#service/alerting/recurrence";
import { momentsDue, type WorkMoment } from "#service/alerting/work-moments";
import * as limits from "#limits/status-limits";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import { sayWork } from "#service/store/news/said-work";
import { integer, type Sql } from "#service/store/sql";
import { maintenanceOf } from "#service/store/verbs/planned-work";
import { epochMillis, type EpochMillis } from "#base/units";

/** Planned work of which subscribers are to be sent something now, by ids: of however many, some after the other. */
export async function workDue(sql: Sql, now: EpochMillis): Promise<readonly number[]> {
  const bounds = [now + limits.workRemindedBefore, now - limits.workMomentLateMax];
  const due: number[] = [];
  let last = 0;
  for (let isMore = true; isMore;) {
    const rows = await sql.all(
      `SELECT * FROM maintenances
       WHERE id > ? AND page <> '' AND (reminds = 1 OR says_times = 1) AND (begins_at <= ? OR moved_ends <> '[]')
         AND (recurrence <> '' OR ends_at > ?) ORDER BY id LIMIT ?`,
      [last, ...bounds, limits.worksReadAtOnce],
    );
    for (const row of rows.map(maintenanceOf)) {
      if ((await unsaidMoments(sql, row, now)).length > 0) due.push(row.id);
      last = row.id;
    }
    isMore = rows.length === limits.worksReadAtOnce;
  }
  return due;
}

/** Writes their letters. What was said is known by its count, so of two replicas one says it, and none says it again. */
export async function sayMoments(sql: Sql, id: number, now: EpochMillis): Promise<number> {
  const lookup = `SELECT * FROM maintenances WHERE id = ?${sql.words.forUpdateAlone}`;
  const [found] = await sql.all(lookup, [id]);
  if (found === undefined) return 0;
  const row = maintenanceOf(found);
  let count = 0;
  for (const { at, ...said } of await unsaidMoments(sql, row, now))
    if (await sayWork(sql, id, { ...row, at }, said)) count += 1;
  return count;
}

/** Whoever was sent anything of it within the hour needs no reminder. */
async function unsaidMoments(
  sql: Sql,
  row: MaintenanceRow,
  now: EpochMillis,
): Promise<readonly WorkMoment[]> {
  const due = momentsOf(row, now);
  const [first] = due;
  if (first === undefined) return [];
  const since = epochMillis(first.at - limits.workRemindedBefore);
  const rows = await sql.all(
    "SELECT at FROM news_tallies WHERE kind = 'maintenance' AND about = ? AND at > ?",
    [row.id, since],
  );
  const said = rows.map((one) => integer(one, "at"));
  return due.filter(({ is, at }) => (is === "reminder" ? said.length === 0 : !said.includes(at)));
}

function momentsOf(row: MaintenanceRow, now: EpochMillis): readonly WorkMoment[] {
  const { recurrence, says, plannedAt, updatedAt } = row;
  const rule = recurrence === "" ? null : readRecurrence(recurrence);
  if (rule?.ok === false) return [];
  const plan = { ...row, recurrence: rule === null ? null : rule.value };
  return momentsDue({ plan, says, plannedAt, updatedAt }, now);
}
