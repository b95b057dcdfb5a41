import type { Silences } from "#service/store/silence-store";
import { alters, deletes, makes, subjects } from "#service/store/audit/audited";
import type { Silence } from "#service/alerting/silence";
import type { MovedWindow } from "#service/alerting/maintenance";
import { earlierPlansIn, planColumns } from "#service/store/earlier-plans";
import { movedBeginColumns } from "#service/store/moved-begin";
import { endsThatStay, movedColumns } from "#service/store/moved-ends";
import type {
  MaintenanceRow,
  Maintenances,
  MovedBegin,
  MovedEnd,
  NewMaintenance,
} from "#service/store/maintenance-store";
import {
  type ColumnsOf,
  fieldColumns,
  insertColumns,
  updateColumns,
} from "#service/store/field-columns";
import { integerOf } from "#service/store/ids";
import { allAmong, integer, type Row, type Sql, text } from "#service/store/sql";
import type { Page } from "#service/store/state-store";
import type { Change } from "#service/store/store";
import * as storeLimits from "#limits/store-limits";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { announcePlan } from "#service/store/news/said-work";
import type { CancelledWork } from "#service/store/trash/cancelled-work";
import { epochMillis, type EpochMillis } from "#base/units";

/** What has nothing sent for a while. */
export const silences: VerbsOf<Silences> = {
  create: writes(
    "silences.create",
    "states",
    makes("silence", (id: number) => id),
    async (sql, made: Omit<Silence, "id">) => {
      const [row] = await sql.all(
        `INSERT INTO silences (monitors, locations, labels, begins_at, ends_at, reason, made_by)
       VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
        [
          JSON.stringify(made.monitors),
          JSON.stringify(made.locations),
          JSON.stringify(made.labels),
          made.from,
          made.until,
          made.reason,
          made.by,
        ],
      );
      return integer(row, "id");
    },
  ),
  end: writes(
    "silences.end",
    "states",
    alters("silence"),
    async (sql, id: number, at: EpochMillis) => {
      const end = "UPDATE silences SET ends_at = ? WHERE id = ? AND ends_at > ?";
      return (await sql.run(end, [at, id, at])) === 1;
    },
  ),
  extend: writes(
    "silences.extend",
    "states",
    alters("silence"),
    async (sql, id: number, until: EpochMillis, at: EpochMillis) => {
      const extend = "UPDATE silences SET ends_at = ? WHERE id = ? AND ends_at > ? AND ends_at < ?";
      return (await sql.run(extend, [until, id, at, until])) === 1;
    },
  ),
  putBack: writes(
    "silences.putBack",
    "states",
    { ...alters("silence"), undoes: () => true },
    async (sql, id: number, { seen, to }: SeenEnd) => {
      const end = "UPDATE silences SET ends_at = ? WHERE id = ? AND ends_at = ?";
      return (await sql.run(end, [to, id, seen])) === 1;
    },
  ),
  list: reads("silences.list", silencesAt),
};

/** Those that have not ended at an instant. */
export async function silencesAt(sql: Sql, now: EpochMillis): Promise<readonly Silence[]> {
  const rows = await sql.all("SELECT * FROM silences WHERE ends_at > ? ORDER BY id LIMIT ?", [
    now,
    storeLimits.alertsReadMax,
  ]);
  return rows.map(silenceOf);
}

type SeenEnd = Parameters<Silences["putBack"]>[1];

function silenceOf(row: Row): Silence {
  const labels: Record<string, string> = JSON.parse(text(row, "labels"));
  return {
    id: integer(row, "id"),
    monitors: numbersOf(row, "monitors"),
    locations: numbersOf(row, "locations"),
    labels,
    from: epochMillis(integer(row, "begins_at")),
    until: epochMillis(integer(row, "ends_at")),
    reason: text(row, "reason"),
    by: text(row, "made_by"),
  };
}

/** Nothing opens meanwhile, and status pages show it. */
export const planChanges = (): readonly Change[] => ["states", "pages"];

/** Planned work: announced, and nothing opens meanwhile. */
export const maintenances: VerbsOf<Maintenances> = {
  create: writes(
    "maintenances.create",
    planChanges,
    makes("maintenance", (id: number) => id),
    createMaintenance,
  ),
  update: writes("maintenances.update", planChanges, alters("maintenance"), updateMaintenance),
  moveEnd: writes(
    "maintenances.moveEnd",
    planChanges,
    { ...alters("maintenance"), undoes: (_id: number, { isUndo }: MovedEnd) => isUndo },
    moveEnd,
  ),
  moveBegin: writes(
    "maintenances.moveBegin",
    planChanges,
    { ...alters("maintenance"), undoes: (_id: number, { isUndo }: MovedBegin) => isUndo },
    moveBegin,
  ),
  delete: writes(
    "maintenances.delete",
    (_id, work) => [...planChanges(), ...(work === undefined ? [] : (["letters"] as const))],
    {
      ...deletes("maintenance"),
      gone: (id: number, work?: CancelledWork) => {
        const cancelled = work === undefined ? "" : JSON.stringify(work);
        return subjects("maintenance", [id]).map((one) => ({ ...one, cancelled }));
      },
    },
    async (sql, id: number, _cancelled?: CancelledWork) =>
      (await sql.run("DELETE FROM maintenances WHERE id = ?", [id])) === 1,
  ),
  get: reads("maintenances.get", async (sql, id: number) => {
    const [row] = await sql.all("SELECT * FROM maintenances WHERE id = ?", [id]);
    return row === undefined ? null : maintenanceOf(row);
  }),
  list: reads("maintenances.list", async (sql, page: string | null, { limit, offset }: Page) => {
    const where = page === null ? "" : " WHERE page = ?";
    const values = page === null ? [] : [page];
    const rows = await sql.all(
      `SELECT * FROM maintenances${where} ORDER BY begins_at DESC, id DESC LIMIT ? OFFSET ?`,
      [...values, limit, offset],
    );
    const [row] = await sql.all(`SELECT COUNT(*) AS count FROM maintenances${where}`, values);
    return { maintenances: rows.map(maintenanceOf), total: integer(row, "count") };
  }),
  between: reads("maintenances.between", async (sql, from: EpochMillis, to: EpochMillis) => {
    const rows = await sql.all(
      // However many: what is left out would call people in the middle of their work. A first time may begin early.
      `SELECT * FROM maintenances WHERE (begins_at <= ? OR moved_ends <> '[]') AND (recurrence <> '' OR ends_at > ?) ORDER BY id`,
      [to, from],
    );
    return withMonitorsOfComponents(sql, rows.map(maintenanceOf));
  }),
};

async function createMaintenance(
  sql: Sql,
  made: NewMaintenance,
  announces: boolean,
): Promise<number> {
  const id = await insertColumns(sql, "maintenances", [
    ...fieldColumns(made, columns),
    ...saysColumns(made),
    ["created_at", made.at],
    ["updated_at", made.at],
    ["planned_at", made.at],
  ]);
  if (announces) await announcePlan(sql, id, { ...made, movedEnds: [] });
  return id;
}

async function updateMaintenance(
  sql: Sql,
  id: number,
  to: NewMaintenance,
  announces: boolean,
): Promise<boolean> {
  const before = await lockedMaintenance(sql, id);
  if (before === null) return false;
  const movedEnds = endsThatStay(before, to, to.at);
  const changes = [
    ...fieldColumns(to, columns),
    ...saysColumns(to),
    ["updated_at", to.at] as const,
    ["moved_ends", JSON.stringify(movedEnds)] as const,
  ];
  await updateColumns(sql, "maintenances", id, [...changes, ...planColumns(before, to, to.at)]);
  if (announces) await announcePlan(sql, id, { ...to, movedEnds });
  return true;
}

async function moveEnd(sql: Sql, id: number, moved: MovedEnd): Promise<boolean> {
  const before = await lockedMaintenance(sql, id);
  const changes = before === null ? null : movedColumns(before, moved);
  if (changes === null) return false;
  return updateColumns(sql, "maintenances", id, [...changes, ["updated_at", moved.at]]);
}

async function moveBegin(sql: Sql, id: number, moved: MovedBegin): Promise<boolean> {
  const before = await lockedMaintenance(sql, id);
  const changes = before === null ? null : movedBeginColumns(before, moved);
  if (changes === null) return false;
  return updateColumns(sql, "maintenances", id, [...changes, ["updated_at", moved.at]]);
}

/** Kept from others' writes until this one is done: what it was before is a part of what is written. */
async function lockedMaintenance(sql: Sql, id: number): Promise<MaintenanceRow | null> {
  const lookup = `SELECT * FROM maintenances WHERE id = ?${sql.words.forUpdateAlone}`;
  const [row] = await sql.all(lookup, [id]);
  return row === undefined ? null : maintenanceOf(row);
}

/** What stands on a page and is worked on is a monitor that is worked on. */
async function withMonitorsOfComponents(
  sql: Sql,
  rows: readonly MaintenanceRow[],
): Promise<readonly MaintenanceRow[]> {
  const wanted = rows.flatMap(({ components }) => components.flatMap((id) => integerOf(id) ?? []));
  const found = await allAmong(
    sql,
    "SELECT id, monitor FROM page_components WHERE monitor IS NOT NULL AND id IN (*)",
    [],
    wanted,
  );
  const monitorOf = new Map(
    found.map((row) => [String(integer(row, "id")), integer(row, "monitor")]),
  );
  return rows.map((row) => {
    const shown = row.components.flatMap((id) => monitorOf.get(id) ?? []);
    return { ...row, monitors: [...new Set([...row.monitors, ...shown])] };
  });
}

const saysColumns = ({ says }: NewMaintenance) =>
  says === undefined
    ? []
    : ([
        ["reminds", Number(says.reminder)],
        ["says_times", Number(says.times)],
      ] as const);

const columns: ColumnsOf<Omit<NewMaintenance, "at" | "says">> = {
  title: "title",
  message: "message",
  from: "begins_at",
  to: "ends_at",
  recurrence: "recurrence",
  timeZone: "time_zone",
  page: "page",
  components: "components",
  monitors: "monitors",
  locations: "locations",
  owner: "owner",
  notify: "notify",
};

export function maintenanceOf(row: Row): MaintenanceRow {
  const components: string[] = JSON.parse(text(row, "components"));
  const movedEnds: MovedWindow[] = JSON.parse(text(row, "moved_ends"));
  return {
    id: integer(row, "id"),
    title: text(row, "title"),
    message: text(row, "message"),
    from: epochMillis(integer(row, "begins_at")),
    to: epochMillis(integer(row, "ends_at")),
    recurrence: text(row, "recurrence"),
    timeZone: text(row, "time_zone"),
    page: text(row, "page"),
    components,
    monitors: numbersOf(row, "monitors"),
    locations: numbersOf(row, "locations"),
    owner: text(row, "owner"),
    notify: integer(row, "notify") === 1,
    says: { reminder: integer(row, "reminds") === 1, times: integer(row, "says_times") === 1 },
    createdAt: epochMillis(integer(row, "created_at")),
    updatedAt: epochMillis(integer(row, "updated_at")),
    plannedAt: epochMillis(integer(row, "planned_at")),
    earlierPlans: earlierPlansIn(text(row, "earlier_plans")),
    movedEnds,
  };
}

function numbersOf(row: Row, column: string): readonly number[] {
  const numbers: number[] = JSON.parse(text(row, column));
  return numbers;
}
