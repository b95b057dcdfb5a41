import * as limits from "#limits/pages-limits";
import { monitorsNamedMax } from "#limits/store-limits";
import { basisIn, rebased } from "#service/operator/changes/basis-field";
import { entriesSince } from "#service/operator/changes/overtaken-page";
import type { PageContext } from "#service/operator/page-request";
import type { AuditEntry } from "#service/store/audit/audit-log";
import type { FieldChange } from "#service/store/audit/field-change";
import { monitorId } from "#service/store/ids";

/**
 * The form of a location as of now, if nothing happened since it was opened but that the location got monitors: a new one
 * that runs there is nothing that its person saw, and no matter of theirs. Any other form stays as it is.
 */
export async function withAddedMeanwhile(
  context: PageContext,
  form: URLSearchParams,
): Promise<URLSearchParams> {
  const basis = basisIn(form);
  if (basis?.kind !== "location") return form;
  const since = await entriesSince(context, basis);
  const [newest] = since;
  const added = newest === undefined ? null : addedIn(since);
  if (newest === undefined || added === null) return form;
  const current = rebased(form, { ...basis, version: newest.number });
  const ticked = new Set(form.getAll(field));
  const unseen = added.filter((id) => !ticked.has(id)).map((id) => monitorId(Number(id)));
  // What was deleted again meanwhile cannot be chosen.
  const there = await context.rooms.store.state.monitors.among(unseen);
  for (const { id } of there) current.append(field, String(id));
  return current;
}

const field = "monitor_ids";

/** The monitors that all entries added; null if one did anything else, or if there may be more of them. */
function addedIn(since: readonly AuditEntry[]): readonly string[] | null {
  if (since.length >= limits.overtakingShown) return null;
  if (!since.every(({ deed, fields }) => deed === "changed" && fields.every(isAddition)))
    return null;
  const added = since.flatMap(({ fields }) => fields.flatMap(membersAdded));
  // Of very many the log has only some, and the store is asked for only so many.
  const areAll = added.length <= monitorsNamedMax && added.every((id) => /^\d+$/.test(id));
  return areAll ? added : null;
}

const isAddition = (change: FieldChange): boolean =>
  change.field === "monitors" && change.is === "set" && change.removed.length === 0;

const membersAdded = (change: FieldChange): readonly string[] =>
  change.is === "set" ? change.added : [];
