import type { ObjectRef, PageWrite } from "#service/store/configuration-store";
import { monitorId } from "#service/store/ids";
import type { Sql } from "#service/store/sql";
import {
  componentGroups,
  insertComponent,
  insertGroup,
  pageComponents,
} from "#service/store/verbs/page-parts";
import { freeNames } from "#service/store/verbs/pages/former-addresses";
import { statusPages } from "#service/store/verbs/pages";
import { epochMillis } from "#base/units";

/** The ids of what was made in a transaction, by the keys that others refer to it by. */
export type NewIds = Map<string, number>;

export const idsOf = (refs: readonly ObjectRef[], made: NewIds): readonly number[] =>
  refs.flatMap((ref) => (typeof ref === "number" ? [ref] : (made.get(ref) ?? [])));

/** Writes pages with what stands on them; `gone` are pages that are removed later. */
export async function writePages(
  sql: Sql,
  all: readonly PageWrite[],
  gone: readonly number[],
  made: NewIds,
): Promise<void> {
  // No two pages share a slug or a domain, and here one may take what another had.
  for (const id of [...all.flatMap(({ id, to }) => (to === null ? [] : (id ?? []))), ...gone])
    await sql.run("UPDATE pages SET slug = ?, domain = '' WHERE id = ?", [`/${id}`, id]);
  for (const page of all) {
    const id = await writePage(sql, page);
    made.set(page.key, id);
    await writeParts(sql, id, page, made);
  }
}

async function writePage(sql: Sql, { id, to }: PageWrite): Promise<number> {
  if (to === null) return id ?? 0;
  // A file says all pages together, so a name that it says is meant for this one.
  await freeNames(sql, to.definition);
  const written =
    id === null
      ? await statusPages.create.work(sql, to)
      : await statusPages.update.work(sql, id, to);
  if (typeof written === "number") return written;
  // The plan was made of this same state, so only a mistake of ours leads here. Nothing of it is kept.
  if (written !== "updated" || id === null) throw new TypeError(`a planned page is ${written}`);
  return id;
}

async function writeParts(
  sql: Sql,
  page: number,
  { at, groups, components }: PageWrite,
  made: NewIds,
): Promise<void> {
  for (const { key, id, name, defaultOpen } of groups) {
    const row = { page, name, defaultOpen, createdAt: at };
    if (id === null) made.set(key, await insertGroup(sql, row));
    else await componentGroups.update.work(sql, { ...row, id, updatedAt: at });
  }
  const idOf = (ref: ObjectRef | null): number | null =>
    ref === null ? null : (idsOf([ref], made)[0] ?? null);
  for (const { key, id, monitor: shown, group: named, ...said } of components) {
    const monitor = idOf(shown);
    const row = { ...said, page, monitor: monitor === null ? null : monitorId(monitor) };
    const group = idOf(named);
    const known = id ?? (await insertComponent(sql, { ...row, group, at }));
    made.set(key, known);
    // What is made stands last in its group until its place is written.
    const written = { ...row, id: known, group, createdAt: epochMillis(0), updatedAt: at };
    await pageComponents.update.work(sql, written);
  }
}
