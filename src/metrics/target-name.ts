import type { KindEntry } from "#check/kinds/kind-entry";
import { kindTable } from "#check/kinds/kind-table";
import type { Kind, Target, TargetOf } from "#check/monitor";

/** A target as the metrics of other checkers name it: without user-info, query and fragment, which may hold a secret. */
export const targetName = (target: Target): string => nameOf(target.kind, target);

function nameOf<K extends Kind>(kind: K, target: TargetOf<K>): string {
  const entry: KindEntry<K> = kindTable[kind];
  return entry.name(target);
}
