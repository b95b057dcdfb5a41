import { labelFaults } from "#check/label-faults";
import { monitorsPerAgentMax } from "#limits/check-limits";
import { definitionOf } from "#service/store/verbs/written-definition";
import { allAmong, integer, type Row, type Sql } from "#service/store/sql";
import type { MonitorChange } from "#service/store/monitor-change";

/**
 * Those that a change leaves within their rules, and their location within its own. They are locked, and so is the
 * location: what was changed since a page looked at them counts.
 */
export async function withinRules(
  sql: Sql,
  rows: readonly Row[],
  change: MonitorChange,
): Promise<readonly Row[]> {
  if (change.kind === "location" && change.assigned) return atLocation(sql, rows, change.location);
  if (change.kind !== "label" || change.value === null) return rows;
  const label = { [change.key]: change.value };
  return rows.filter((row) => {
    const { labels } = definitionOf(row);
    return labelFaults({ ...labels, ...label }).length === 0;
  });
}

/** All of them, or those alone that it has already if it would have too many. */
async function atLocation(
  sql: Sql,
  rows: readonly Row[],
  location: number,
): Promise<readonly Row[]> {
  const select = "SELECT COUNT(*) AS count FROM assignments WHERE location = ?";
  const count = integer((await sql.all(select, [location]))[0], "count");
  if (count + rows.length <= monitorsPerAgentMax) return rows;
  const there = await allAmong(
    sql,
    "SELECT monitor FROM assignments WHERE location = ? AND monitor IN (*)",
    [location],
    rows.map((row) => integer(row, "id")),
  );
  if (count + rows.length - there.length <= monitorsPerAgentMax) return rows;
  const has = new Set(there.map((row) => integer(row, "monitor")));
  return rows.filter((row) => has.has(integer(row, "id")));
}
