import type { FieldChange } from "#service/store/audit/field-change";

/** What several changes of an object, the oldest first, made of it: each field once, and none that is as it was. */
export function foldedChanges(changes: readonly FieldChange[]): readonly FieldChange[] {
  const byField = Map.groupBy(changes, ({ field }) => field);
  return [...byField.values()].flatMap((all) => folded(all) ?? []);
}

function folded([first, ...others]: readonly FieldChange[]): FieldChange | null {
  if (first === undefined) return null;
  const last = others.at(-1) ?? first;
  if (first.is === "set") return foldedSet([first, ...others]);
  if (last.is === "set") return last;
  return first.before === last.after ? null : { ...first, after: last.after };
}

/** Whoever was added and removed again is as before. */
function foldedSet(changes: readonly FieldChange[]): FieldChange | null {
  const [added, removed] = [new Set<string>(), new Set<string>()];
  for (const change of changes) {
    if (change.is !== "set") continue;
    for (const one of change.removed) if (!added.delete(one)) removed.add(one);
    for (const one of change.added) if (!removed.delete(one)) added.add(one);
  }
  const field = changes[0]?.field ?? "";
  if (added.size + removed.size === 0) return null;
  return { field, is: "set", removed: [...removed], added: [...added] };
}
