import * as limits from "#limits/change-limits";
import { type Act, actsOf } from "#service/operator/changes/act-folds";
import { auditQueryOf, type ChangesQuery } from "#service/operator/changes/changes-query";
import type { AuditEntry, AuditLog } from "#service/store/audit/audit-log";

/** The acts of one page, the newest first. */
interface ShownActs {
  readonly acts: readonly Act[];
  /** The number from which older ones continue; null if there are none. */
  readonly older: number | null;
  /** Whether the last act has more entries than are read at once: it continues on the next page. */
  readonly isCut: boolean;
}

/** As many entries as a page has, and all of the last act: it is not cut where the page ends. */
export async function shownActs(
  audit: Pick<AuditLog, "list">,
  query: ChangesQuery,
): Promise<ShownActs> {
  const asked = auditQueryOf(query);
  if (query.act !== null)
    return oneAct(await audit.list({ ...asked, limit: limits.actEntriesMax }));
  const found = await audit.list(asked);
  const page = actsOf(found.slice(0, limits.changesShown));
  const next = found[limits.changesShown];
  if (next === undefined) return { acts: page, older: null, isCut: false };
  if (actsOf(found).length > page.length)
    return { acts: page, older: lastOf(page)?.number ?? null, isCut: false };
  const more = { ...asked, before: next.number, limit: limits.actEntriesMax - found.length };
  const rest = await audit.list(more);
  const acts = actsOf([...found, ...rest]).slice(0, page.length);
  const isAll = acts.flat().length === found.length + rest.length;
  const isCut = isAll && rest.length >= more.limit;
  return { acts, older: isAll && !isCut ? null : (lastOf(acts)?.number ?? null), isCut };
}

const lastOf = (acts: readonly Act[]): AuditEntry | undefined => acts.at(-1)?.at(-1);

/** The first act alone. */
function oneAct(found: readonly AuditEntry[]): ShownActs {
  const acts = actsOf(found).slice(0, 1);
  const isCut = acts.flat().length === limits.actEntriesMax;
  return { acts, older: isCut ? (lastOf(acts)?.number ?? null) : null, isCut };
}
