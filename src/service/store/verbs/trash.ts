import { isTaken } from "#service/store/trash/taken-names";
import { type Audit, type Subject, subjects, unaudited } from "#service/store/audit/audited";
import { purgedAtOnce } from "#limits/store-limits";
import { locationId, type MonitorId, monitorId } from "#service/store/ids";
import { integer, type Row, type Sql, text } from "#service/store/sql";
import { hasPage, isFull, ownerOfPage, pageOf, withPlaces } from "#service/store/trash/part-place";
import { announceDeleted, cancelledOf } from "#service/store/verbs/letter-rows";
import { hasResults } from "#service/store/trash/throwing-away";
import { type KeptRows, putBack } from "#service/store/trash/kept-rows";
import { withoutLostIcon } from "#service/store/trash/lost-icon";
import {
  type Belongings,
  isPart,
  isUpdate,
  type PartKind,
  type RecentDeletion,
  type RestoreOutcome,
  type StatedKind,
  type Trash,
  type TrashKind,
  trashKinds,
  type TrashRow,
} from "#service/store/trash/trash-store";
import type { Change } from "#service/store/store";
import { planChanges } from "#service/store/verbs/planned-work";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { beginChanges, newRevision, revisePutBack } from "#service/store/verbs/assignment-changes";
import { lockMonitorsFirst } from "#service/store/verbs/monitor-locks";
import { makeDue } from "#service/store/verbs/due-states";
import { judgeMonitorsOf } from "#service/store/verbs/locations";
import { epochMillis, type EpochMillis } from "#base/units";

const restores: Audit<readonly [kind: StatedKind, id: number], RestoreOutcome> = {
  records: "objects",
  deed: "restored",
  before: async (sql, kind, id) => (isPart(kind) ? pageOfKept(sql, kind, id) : []),
  made: (outcome, kind, id) =>
    (outcome === "restored" || outcome === "partly") && !isPart(kind) ? subjects(kind, [id]) : [],
  gone: () => [],
  undoes: isPart,
};

/** What was deleted, for as long as it can be put back. */
export const trash: VerbsOf<Trash> = {
  belongings: reads("trash.belongings", belongings),
  get: reads("trash.get", async (sql, kind, id, since): Promise<TrashRow | null> => {
    const row = await rowIn(sql, kind, id, since);
    return row === null ? null : trashRowOf(sql, row);
  }),
  recent: reads("trash.recent", async (sql, by: string, since: EpochMillis, limit: number) => {
    const rows = await sql.all(
      `SELECT kind, id, name, deleted_at, cancelled, kept FROM
         (SELECT kind, id, name, deleted_at, cancelled, deleted_by,
            CASE WHEN kind IN ('component', 'group', 'template') THEN kept ELSE '' END AS kept
          FROM trash WHERE deleted_at > ?
          ORDER BY deleted_at DESC LIMIT ?) AS newest
       WHERE deleted_by = ? ORDER BY deleted_at DESC, kind, id`,
      [since, limit, by],
    );
    return rows.flatMap((row) => deletionOf(row) ?? []);
  }),
  restore: writes("trash.restore", changedBy, restores, restore),
  purge: writes(
    "trash.purge",
    () => ["states", "letters"],
    unaudited("what was deleted is recorded"),
    purge,
  ),
};

function changedBy(kind: StatedKind): readonly Change[] {
  return kind === "maintenance" ? planChanges() : ["assignments"];
}

/** What stood on a page is a part of it. */
async function pageOfKept(sql: Sql, kind: PartKind, id: number): Promise<readonly Subject[]> {
  const [row] = await sql.all("SELECT kept FROM trash WHERE kind = ? AND id = ?", [kind, id]);
  if (row === undefined) return [];
  const kept: KeptRows = JSON.parse(text(row, "kept"));
  return subjects("page", [pageOf(kept)]);
}

async function rowIn(
  sql: Sql,
  kind: TrashKind,
  id: number,
  since: EpochMillis,
): Promise<Row | null> {
  const select = "SELECT * FROM trash WHERE kind = ? AND id = ? AND deleted_at > ?";
  return (await sql.all(select, [kind, id, since]))[0] ?? null;
}

async function trashRowOf(sql: Sql, row: Row): Promise<TrashRow | null> {
  const deletion = deletionOf(row);
  if (deletion === null) return null;
  const by = text(row, "deleted_by");
  const owner = await ownerOf(sql, deletion.kind, by, JSON.parse(text(row, "kept")));
  return { ...deletion, by, owner };
}

/** Null of a kind that this version does not know: a newer replica deleted it, and puts it back. */
function deletionOf(row: Row): RecentDeletion | null {
  const word = text(row, "kind");
  const kind = trashKinds.find((known) => known === word);
  if (kind === undefined) return null;
  const deletedAt = epochMillis(integer(row, "deleted_at"));
  const cancelled = cancelledOf(text(row, "cancelled"));
  const page = isPart(kind) ? pageOf(JSON.parse(text(row, "kept"))) : null;
  return { kind, id: integer(row, "id"), name: text(row, "name"), deletedAt, cancelled, page };
}

/**
 * The owner that its own row has, if files deleted it. A call may delete what files own, and that can be undone. A part
 * is its page's, which files may have taken meanwhile.
 */
async function ownerOf(sql: Sql, kind: TrashKind, by: string, kept: KeptRows): Promise<string> {
  // No file says templates.
  if (isPart(kind)) return kind === "template" ? "" : ownerOfPage(sql, kept);
  if (!by.startsWith("files ") || kind === "subscriber" || isUpdate(kind)) return "";
  const own = kept.find(({ table }) => table === tables[kind].from)?.rows[0];
  return own !== undefined && "owner" in own ? text(own, "owner") : "";
}

async function restore(
  sql: Sql,
  kind: StatedKind,
  id: number,
  since: EpochMillis,
): Promise<RestoreOutcome> {
  const [row] = await sql.all(
    `SELECT kept, deleted_by FROM trash WHERE kind = ? AND id = ? AND deleted_at > ?${sql.words.forUpdate}`,
    [kind, id, since],
  );
  if (row === undefined) return (await belongings(sql, kind, id)) === null ? "gone" : "there";
  const kept = withoutLostIcon(JSON.parse(text(row, "kept")));
  if ((await ownerOf(sql, kind, text(row, "deleted_by"), kept)) !== "") return "owned";
  if (isPart(kind) && (await isFull(sql, kind, kept))) return "full";
  if (kind === "page" && (await isTaken(sql, kept))) return "taken";
  if (kind === "maintenance" && !(await hasPage(sql, kept))) return "gone";
  // A monitor that is put back is no row yet: of it the table alone is locked, before its pages are, as in an apply.
  if (kind === "location" || kind === "monitor")
    await lockMonitorsFirst(sql, monitorsIn(kept), sql.words.forShare);
  const placed = kind === "monitor" ? await withPlaces(sql, kept) : kept;
  await putBack(sql, kind, placed);
  // What it belonged to is deleted, and may come back.
  if (!(await isThere(sql, kind, id))) return "gone";
  await sql.run("DELETE FROM trash WHERE kind = ? AND id = ?", [kind, id]);
  if (kind === "monitor") {
    // Its agents get it again, and it is judged anew.
    await revisePutBack(sql, monitorId(id));
    await sql.run(`${makeDue} monitor = ?`, [id]);
  }
  if (kind === "location") {
    const revision = newRevision();
    await sql.run("UPDATE locations SET revision = ? WHERE id = ?", [revision, id]);
    await beginChanges(sql, locationId(id), revision);
    await judgeMonitorsOf(sql, locationId(id));
  }
  return placed === kept ? "restored" : "partly";
}

const isThere = async (sql: Sql, kind: StatedKind, id: number): Promise<boolean> =>
  (await sql.all(`SELECT id FROM ${tables[kind].from} WHERE id = ?`, [id])).length === 1;

/** What changes meanwhile is waited for, so that it is noted in a location that gets it again. */
const monitorsIn = (kept: KeptRows): readonly MonitorId[] =>
  kept
    .filter(({ table }) => table === "assignments")
    .flatMap(({ rows }) => rows.map((row) => monitorId(integer(row, "monitor"))));

async function purge(sql: Sql, before: EpochMillis): Promise<boolean> {
  const rows = await sql.all(
    `SELECT kind, id, deleted_at, cancelled FROM trash WHERE deleted_at <= ? ORDER BY deleted_at, kind, id LIMIT ?${sql.words.forUpdateIfFree}`,
    [before, purgedAtOnce],
  );
  for (const row of rows) {
    const [kind, id] = [text(row, "kind"), integer(row, "id")];
    await announceDeleted(sql, row);
    await sql.run("DELETE FROM trash WHERE kind = ? AND id = ?", [kind, id]);
    // Its results go in portions from now on.
    if (hasResults(kind))
      await sql.run("INSERT INTO removals (kind, id) VALUES (?, ?) ON CONFLICT DO NOTHING", [
        kind,
        id,
      ]);
  }
  return rows.length === purgedAtOnce;
}

async function belongings(sql: Sql, kind: StatedKind, id: number): Promise<Belongings | null> {
  const { from, name } = tables[kind];
  const owner = kind === "report" || isPart(kind) ? "''" : "owner";
  const [row] = await sql.all(
    `SELECT ${name} AS name, ${owner} AS owner FROM ${from} WHERE id = ?`,
    [id],
  );
  if (row === undefined) return null;
  const counted: Record<string, number> = {};
  for (const [what, select] of Object.entries(tables[kind].counts))
    counted[what] = integer((await sql.all(select, [id]))[0], "count");
  return { ...nothing, ...counted, name: nameOf(kind, row), owner: text(row, "owner") };
}

function nameOf(kind: StatedKind, row: Row): string {
  if (kind !== "monitor" && kind !== "page") return text(row, "name");
  const { name = "", title = "" }: { readonly name?: string; readonly title?: string } = JSON.parse(
    text(row, "name"),
  );
  return kind === "monitor" ? name : title;
}

const nothing: Omit<Belongings, "name" | "owner"> = {
  results: 0,
  incidents: 0,
  locations: 0,
  channels: 0,
  monitors: 0,
  pages: 0,
  components: 0,
  reports: 0,
  updates: 0,
  subscribers: 0,
  unconfirmed: 0,
};

const count = (from: string, where: string, what = "COUNT(*)"): string =>
  `SELECT ${what} AS count FROM ${from} WHERE ${where} = ?`;

const isSubscribed = "unsubscribed_at IS NULL";

/** Where each kind is, and what is counted of what goes with it. */
const tables: {
  readonly [K in StatedKind]: {
    readonly from: string;
    readonly name: string;
    readonly counts: Readonly<Partial<Record<keyof Belongings, string>>>;
  };
} = {
  monitor: {
    from: "monitors",
    name: "definition",
    counts: {
      results: count("series", "monitor", "COALESCE(SUM(kept), 0)"),
      incidents: count("incidents", "kind = 'monitor' AND subject"),
      locations: count("assignments", "monitor"),
      channels: count("channel_monitors", "monitor"),
      pages: count("page_components", "monitor", "COUNT(DISTINCT page)"),
    },
  },
  location: {
    from: "locations",
    name: "name",
    counts: {
      results: count("series", "location", "COALESCE(SUM(kept), 0)"),
      monitors: count("assignments", "location"),
    },
  },
  channel: {
    from: "channels",
    name: "name",
    counts: { monitors: count("channel_monitors", "channel") },
  },
  page: {
    from: "pages",
    name: "definition",
    counts: {
      components: count("page_components", "page"),
      reports: count("reports", "page"),
      subscribers: count(
        "page_subscribers",
        `${isSubscribed} AND accepted_at IS NOT NULL AND page`,
      ),
      unconfirmed: count("page_subscribers", `${isSubscribed} AND accepted_at IS NULL AND page`),
    },
  },
  report: {
    from: "reports",
    name: "title",
    counts: { updates: count("report_updates", "report") },
  },
  maintenance: {
    from: "maintenances",
    name: "title",
    counts: { updates: count("maintenance_updates", "maintenance") },
  },
  component: {
    from: "page_components",
    name: "name",
    counts: { reports: count("report_components", "component") },
  },
  group: {
    from: "page_groups",
    name: "name",
    counts: { components: count("page_components", "page_group") },
  },
  template: { from: "page_templates", name: "name", counts: {} },
};
