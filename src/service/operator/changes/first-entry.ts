import { after, epochMillis, type EpochMillis, minutes } from "#base/units";
import * as limits from "#limits/pages-limits";
import type { Subject } from "#service/store/audit/audited";
import type { AuditEntry } from "#service/store/audit/audit-log";
import type { Store } from "#service/store/store";

/** Who made an object; null if the audit log does not go back so far. Few things happen to something in its first minute. */
export async function firstEntry(
  { audit }: Pick<Store, "audit">,
  { kind, id }: Subject,
  createdAt: EpochMillis,
): Promise<AuditEntry | null> {
  const entries = await audit.list({
    before: null,
    after: 0,
    kind,
    id,
    who: "",
    name: "",
    since: epochMillis(0),
    until: after(createdAt, minutes(1)),
    limit: limits.firstChangesRead,
  });
  return entries.find(({ deed }) => deed === "made") ?? null;
}
