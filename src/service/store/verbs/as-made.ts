import type { MonitorDefinition } from "#check/definition";
import type { MonitorChange } from "#service/store/monitor-change";
import { definitionOf } from "#service/store/verbs/written-definition";
import { allAmong, integer, type Row, type Sql, text } from "#service/store/sql";

/** Those that still are as a change made them, and no file's. They are locked, so they stay so. */
export async function asMade(
  sql: Sql,
  rows: readonly Row[],
  made: MonitorChange,
): Promise<readonly Row[]> {
  const ours = rows.filter((row) => text(row, "owner") === "");
  if (made.kind !== "location") return ours.filter((row) => isAsMade(definitionOf(row), made));
  const select = "SELECT monitor FROM assignments WHERE location = ? AND monitor IN (*)";
  const ids = ours.map((row) => integer(row, "id"));
  const found = await allAmong(sql, select, [made.location], ids);
  const there = new Set(found.map((row) => integer(row, "monitor")));
  return ours.filter((row) => there.has(integer(row, "id")) === made.assigned);
}

function isAsMade(
  { active, labels }: MonitorDefinition,
  made: Exclude<MonitorChange, { kind: "location" }>,
): boolean {
  switch (made.kind) {
    case "active":
      return active === made.active;
    case "label":
      return (labels[made.key] ?? null) === made.value;
    case "delete":
      return false;
  }
}
