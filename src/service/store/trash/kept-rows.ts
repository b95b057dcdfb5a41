import {
  allAmong,
  insertRows,
  integer,
  type Row,
  type Sql,
  type SqlValue,
} from "#service/store/sql";
import type { TrashKind } from "#service/store/trash/trash-store";

/** Some rows of a table that go with an object, found by what goes before them. */
interface KeptTable {
  readonly table: string;
  /** The column and the table whose ids it has: the object's own, or one that is listed before. */
  readonly by: readonly [column: string, of: string];
  /** Columns that name rows of other tables, by the table. A row whose other end is gone is not put back. */
  readonly refs: readonly (readonly [column: string, of: string])[];
  /** What is kept of a row, if that is not all of it. */
  readonly columns?: string;
}

const one = (
  table: string,
  column: string,
  of: string,
  ...refs: readonly (readonly [column: string, of: string])[]
): KeptTable => ({ table, by: [column, of], refs });

/** Of how a channel stands with its provider, what its last test came to; what failed before is tried again. */
const lastTest: KeptTable = {
  ...one("lanes", "channel", "channels"),
  columns: `channel, '' AS holder, 0 AS held_until, 0 AS failures, 0 AS rest_until, '' AS failing_message,
    0 AS is_disabled, '[]' AS recent, tested_at, test_trouble`,
};

const componentParts = [
  one("report_components", "component", "page_components", ["report", "reports"]),
  one("subscriber_components", "component", "page_components", ["subscriber", "page_subscribers"]),
];
const reportParts = [
  one("report_components", "report", "reports", ["component", "page_components"]),
  one("report_updates", "report", "reports"),
  one("page_letters", "report_update", "report_updates", ["subscriber", "page_subscribers"]),
];

/** What goes with each kind of object, each after what it refers to. */
const keptTables: { readonly [K in TrashKind]: readonly KeptTable[] } = {
  monitor: [
    one("monitors", "id", "monitors"),
    one("states", "monitor", "monitors"),
    one("assignments", "monitor", "monitors", ["location", "locations"]),
    one("channel_monitors", "monitor", "monitors", ["channel", "channels"]),
    one("page_components", "monitor", "monitors", ["page", "pages"], ["page_group", "page_groups"]),
    ...componentParts,
  ],
  // Its agents say of themselves what they are, as soon as they have their token again.
  location: [
    one("locations", "id", "locations"),
    one("location_tokens", "location", "locations"),
    one("assignments", "location", "locations", ["monitor", "monitors"]),
  ],
  channel: [
    one("channels", "id", "channels"),
    one("channel_monitors", "channel", "channels", ["monitor", "monitors"]),
    lastTest,
  ],
  page: [
    one("pages", "id", "pages"),
    one("page_icons", "page", "pages"),
    one("page_former_addresses", "page", "pages"),
    one("page_groups", "page", "pages"),
    one("page_components", "page", "pages", ["monitor", "monitors"]),
    one("page_templates", "page", "pages"),
    one("page_subscribers", "page", "pages"),
    one("reports", "page", "pages"),
    ...componentParts,
    ...reportParts,
  ],
  report: [one("reports", "id", "reports", ["page", "pages"]), ...reportParts],
  maintenance: [
    one("maintenances", "id", "maintenances"),
    one("maintenance_updates", "maintenance", "maintenances"),
    one("page_letters", "maintenance", "maintenances", ["subscriber", "page_subscribers"]),
  ],
  component: [
    one(
      "page_components",
      "id",
      "page_components",
      ["page", "pages"],
      ["monitor", "monitors"],
      ["page_group", "page_groups"],
    ),
    ...componentParts,
  ],
  // Its components stay, and are in it again.
  group: [
    one("page_groups", "id", "page_groups", ["page", "pages"]),
    one("page_components", "page_group", "page_groups"),
  ],
  template: [one("page_templates", "id", "page_templates", ["page", "pages"])],
  // Components that it alone named join its report again: `verbs/status-reports.ts`.
  update: [
    one("report_updates", "id", "report_updates", ["report", "reports"]),
    one("page_letters", "report_update", "report_updates", ["subscriber", "page_subscribers"]),
  ],
  workUpdate: [
    one("maintenance_updates", "id", "maintenance_updates", ["maintenance", "maintenances"]),
  ],
  // Its own row stays for a while as one that left: `removed-subscriber.ts`.
  subscriber: [
    one("page_subscribers", "id", "page_subscribers"),
    one("subscriber_components", "subscriber", "page_subscribers", [
      "component",
      "page_components",
    ]),
    one(
      "page_letters",
      "subscriber",
      "page_subscribers",
      ["report_update", "report_updates"],
      ["maintenance", "maintenances"],
      ["ask", "page_asks"],
    ),
  ],
};

/** Rows by table, in the order in which they are put back. */
export type KeptRows = readonly { readonly table: string; readonly rows: readonly Row[] }[];

/** The rows of an object that is about to be deleted; empty if it is not there. */
export async function rowsOf(sql: Sql, kind: TrashKind, id: number): Promise<KeptRows> {
  const idsIn = new Map<string, readonly number[]>();
  const kept: { table: string; rows: readonly Row[] }[] = [];
  for (const { table, by, columns = "*" } of keptTables[kind]) {
    const [column, of] = by;
    const keys = table === of ? [id] : (idsIn.get(of) ?? []);
    if (keys.length === 0) continue;
    const rows = await allAmong(
      sql,
      `SELECT ${columns} FROM ${table} WHERE ${column} IN (*)${lockOf(sql, table)}`,
      [],
      keys,
    );
    if (rows.length === 0) continue;
    kept.push({ table, rows });
    if (rows.some((row) => "id" in row))
      idsIn.set(table, [...(idsIn.get(table) ?? []), ...rows.map((row) => integer(row, "id"))]);
  }
  return [...kept, ...(await plannedWork(sql, kind, id))];
}

/** A letter that is settled now would else be kept as if it were not. */
const lockOf = ({ words }: Sql, table: string): string =>
  table === "page_letters" ? words.forUpdate : "";

/** Planned work of a status page names it by a text, and goes with it, and with what was said of it. */
async function plannedWork(sql: Sql, kind: TrashKind, id: number): Promise<KeptRows> {
  if (kind !== "page") return [];
  const plan = await sql.all("SELECT * FROM maintenances WHERE page = ?", [String(id)]);
  const updates = await allAmong(
    sql,
    "SELECT * FROM maintenance_updates WHERE maintenance IN (*)",
    [],
    plan.map((row) => integer(row, "id")),
  );
  return [
    { table: "maintenances", rows: plan },
    { table: "maintenance_updates", rows: updates },
  ].filter(({ rows }) => rows.length > 0);
}

/** Puts rows back; those of which the other end is gone are left out. */
export async function putBack(sql: Sql, kind: TrashKind, kept: KeptRows): Promise<void> {
  for (const { table, rows } of kept) {
    if (kind === "group" && table === "page_components") {
      await joinAgain(sql, rows);
      continue;
    }
    const refs = keptTables[kind].filter((entry) => entry.table === table).flatMap(refsOf);
    const there = await withOtherEnds(sql, rows, refs);
    const columns = Object.keys(there[0] ?? {});
    if (columns.length === 0) continue;
    await insertRows(
      sql,
      `INSERT INTO ${table} (${columns.join(", ")})`,
      there.map((row) => columns.map((column) => sqlValueOf(row[column]))),
      "ON CONFLICT DO NOTHING",
    );
  }
}

/** Components that are in no group since theirs was deleted. */
async function joinAgain(sql: Sql, rows: readonly Row[]): Promise<void> {
  const group = integer(rows[0], "page_group");
  await allAmong(
    sql,
    "UPDATE page_components SET page_group = ? WHERE page_group IS NULL AND id IN (*) RETURNING id",
    [group],
    rows.map((row) => integer(row, "id")),
  );
}

const refsOf = ({ by, table, refs }: KeptTable) => (by[1] === table ? refs : [by, ...refs]);

async function withOtherEnds(
  sql: Sql,
  rows: readonly Row[],
  refs: readonly (readonly [column: string, of: string])[],
): Promise<readonly Row[]> {
  let there = rows;
  for (const [column, of] of refs) {
    const named = there.flatMap((row) => (row[column] === null ? [] : [integer(row, column)]));
    const found = await allAmong(sql, `SELECT id FROM ${of} WHERE id IN (*)`, [], named);
    const ids = new Set(found.map((row) => integer(row, "id")));
    const isThere = (row: Row): boolean => row[column] === null || ids.has(integer(row, column));
    // A component whose group is gone is on its page still.
    there =
      column === "page_group"
        ? there.map((row) => (isThere(row) ? row : { ...row, page_group: null }))
        : there.filter(isThere);
  }
  return there;
}

export function sqlValueOf(value: unknown): SqlValue {
  if (typeof value === "number" || typeof value === "string") return value;
  return null;
}
