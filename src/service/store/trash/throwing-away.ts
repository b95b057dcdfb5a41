import type { Removal } from "#service/store/audit/audited";
import type { ObjectState } from "#service/store/audit/field-change";
import { type Sql, text } from "#service/store/sql";
import { type KeptRows, rowsOf } from "#service/store/trash/kept-rows";
import { isPart, type TrashKind, trashKinds } from "#service/store/trash/trash-store";
import type { EpochMillis } from "#base/units";

/** An object before it is deleted. */
interface KeptObject {
  readonly kind: TrashKind;
  readonly id: number;
  readonly name: string;
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
    if (state === undefined && !isPart(kind)) continue;
    const rows = await rowsOf(sql, kind, id);
    // The state of a part is in that of its page.
    const own = rows[0]?.rows[0];
    if (own !== undefined) all.push({ kind, id, name: state?.name ?? text(own, "name"), rows });
  }
  return all;
}

/** Whether results go with it, in portions, once it is purged. */
export const hasResults = (kind: string): boolean => kind === "monitor" || kind === "location";

/** Keeps what was deleted, so that it can be put back. Its results stay until it is purged. */
export async function throwAway(
  sql: Sql,
  kept: readonly KeptObject[],
  after: ReadonlyMap<string, ObjectState>,
  { at, by }: { readonly at: EpochMillis; readonly by: string },
): Promise<void> {
  for (const { kind, id, name, rows } of kept) {
    if (after.has(`${kind} ${id}`)) continue;
    await sql.run(
      "INSERT INTO trash (kind, id, name, deleted_at, deleted_by, kept) VALUES (?, ?, ?, ?, ?, ?)",
      [kind, id, name, at, by, JSON.stringify(rows)],
    );
    if (hasResults(kind))
      await sql.run("DELETE FROM removals WHERE kind = ? AND id = ?", [kind, id]);
  }
}
