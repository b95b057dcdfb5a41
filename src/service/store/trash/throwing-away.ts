import type { Removal } from "#service/store/audit/audited";
import type { ObjectState } from "#service/store/audit/field-change";
import { integer, type Row, type Sql, text } from "#service/store/sql";
import { type KeptRows, rowsOf } from "#service/store/trash/kept-rows";
import { lockSubscriber } from "#service/store/trash/removed-subscriber";
import {
  isPart,
  isUpdate,
  type PartKind,
  type TrashKind,
  trashKinds,
  type UpdateKind,
} from "#service/store/trash/trash-store";
import { isSentAtOnce } from "#service/store/trash/cancelled-work";
import { announceCancelled, cancelledOf } from "#service/store/verbs/letter-rows";
import type { EpochMillis } from "#base/units";

/** An object before it is deleted. */
interface KeptObject {
  readonly kind: TrashKind;
  readonly id: number;
  readonly name: string;
  readonly cancelled: string;
  readonly rows: KeptRows;
}

/** What is about to be deleted and can be put back, as it is now. */
export async function keptOf(
  sql: Sql,
  gone: readonly Removal[],
  before: ReadonlyMap<string, ObjectState>,
): Promise<readonly KeptObject[]> {
  const all: KeptObject[] = [];
  for (const subject of gone) {
    const kind = trashKinds.find((known) => known === subject.kind);
    if (kind === undefined) continue;
    const id = Number(subject.id);
    const state = before.get(`${kind} ${id}`);
    const isStated = !isPart(kind) && kind !== "subscriber" && !isUpdate(kind);
    if (state === undefined && isStated) continue;
    if (isPart(kind)) await lockPart(sql, kind, id);
    if (kind === "subscriber") await lockSubscriber(sql, id);
    const rows = await rowsOf(sql, kind, id);
    // The state of a part is in that of its page.
    const own = rows[0]?.rows[0];
    // An update has no name: it is called by its report, or its planned work.
    const name = isUpdate(kind)
      ? before.get(ownerOf(kind, own))?.name
      : (subject.name ?? state?.name);
    const { cancelled = "" } = subject;
    if (own !== undefined) all.push({ kind, id, name: name ?? text(own, "name"), cancelled, rows });
  }
  return all;
}

/** Of what an update is, as states are named. */
const ownerOf = (kind: UpdateKind, row: Row | undefined): string =>
  kind === "update"
    ? `report ${integer(row, "report")}`
    : `maintenance ${integer(row, "maintenance")}`;

/** Where each kind of part is. */
export const partTables: { readonly [K in PartKind]: string } = {
  component: "page_components",
  group: "page_groups",
  template: "page_templates",
};

/**
 * Whoever deletes a part with its monitor or its page does not lock that page, and is waited for here: a part that is
 * gone then was kept there, and is not kept twice. The table's lock comes first, as for the rows of objects.
 */
async function lockPart(sql: Sql, kind: PartKind, id: number): Promise<void> {
  if (sql.words.engine === "sqlite") return;
  const table = partTables[kind];
  await sql.all(`LOCK TABLE ${table} IN ROW EXCLUSIVE MODE`);
  await sql.all(`SELECT id FROM ${table} WHERE id = ?${sql.words.forUpdate}`, [id]);
}

/** Whether results go with it, in portions, once it is purged. */
export const hasResults = (kind: string): boolean => kind === "monitor" || kind === "location";

/** Keeps what was deleted, so that it can be put back. Its results stay until it is purged. */
export async function throwAway(
  sql: Sql,
  all: readonly KeptObject[],
  after: ReadonlyMap<string, ObjectState>,
  { at, by }: { readonly at: EpochMillis; readonly by: string },
): Promise<void> {
  for (const { kind, id, name, rows, ...kept } of all) {
    if (after.has(`${kind} ${id}`)) continue;
    const cancelled = await announcedAtOnce(sql, kept.cancelled, at);
    // It may be there since it came back with another object, and this deletion is the newest.
    await sql.run(
      `INSERT INTO trash (kind, id, name, deleted_at, deleted_by, kept, cancelled) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (kind, id) DO UPDATE SET name = excluded.name, deleted_at = excluded.deleted_at,
         deleted_by = excluded.deleted_by, kept = excluded.kept,
         cancelled = excluded.cancelled`,
      [kind, id, name, at, by, JSON.stringify(rows), cancelled],
    );
    if (hasResults(kind))
      await sql.run("DELETE FROM removals WHERE kind = ? AND id = ?", [kind, id]);
  }
}

/** What is kept of planned work that subscribers are to read of: if it begins too soon to wait, they are sent it now. */
async function announcedAtOnce(sql: Sql, cancelled: string, at: EpochMillis): Promise<string> {
  const work = cancelledOf(cancelled);
  if (work === null || !isSentAtOnce(work, at)) return cancelled;
  return JSON.stringify({ ...work, sent: await announceCancelled(sql, work, at) });
}
