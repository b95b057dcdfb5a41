import type { FieldChange } from "#service/store/audit/field-change";

/** A field of an object that two people changed: as it was before, as the other saved it, and as a form has it. */
export type ThreeWay =
  | {
      readonly field: string;
      readonly is: "text" | "secret";
      readonly before: string | null;
      readonly theirs: string | null;
      /** Undefined: it is not known, for the form would be refused. */
      readonly mine: string | null | undefined;
    }
  | {
      readonly field: string;
      readonly is: "set";
      /** The members that not all of the three have. */
      readonly before: readonly string[];
      readonly theirs: readonly string[];
      readonly mine: readonly string[] | undefined;
    };

/**
 * The fields in which the three differ. `theirs` are their changes, the oldest first; `mine` is what my form would change
 * after them, and null if it would be refused.
 */
export function threeWays(
  theirs: readonly FieldChange[],
  mine: readonly FieldChange[] | null,
): readonly ThreeWay[] {
  const names = [...new Set([...theirs, ...(mine ?? [])].map(({ field }) => field))].toSorted();
  return names.flatMap((name) => {
    const own = theirs.filter(({ field }) => field === name);
    const change = mine === null ? undefined : (mine.find(({ field }) => field === name) ?? null);
    return threeWay(name, own, change) ?? [];
  });
}

/** Mine is null if it leaves the field as they saved it. */
function threeWay(
  field: string,
  theirs: readonly FieldChange[],
  mine: FieldChange | null | undefined,
): ThreeWay | null {
  const [first] = [...theirs, ...(mine ? [mine] : [])];
  if (first === undefined) return null;
  if (first.is === "set") return setOf(field, theirs, mine);
  const last = theirs.at(-1);
  const saved = last === undefined ? first.before : last.is === "set" ? null : last.after;
  const typed = mine === null ? saved : mine?.is === "set" ? null : mine?.after;
  return { field, is: first.is, before: first.before, theirs: saved, mine: typed };
}

function setOf(
  field: string,
  theirs: readonly FieldChange[],
  mine: FieldChange | null | undefined,
): ThreeWay {
  const changes = [...theirs, ...(mine ? [mine] : [])];
  const members = [...new Set(changes.flatMap(membersOf))];
  const before = members.filter((one) => wasIn(one, changes));
  const saved = after(before, theirs);
  const typed = mine === undefined ? undefined : mine === null ? saved : after(saved, [mine]);
  return { field, is: "set", before, theirs: saved, mine: typed };
}

const membersOf = (change: FieldChange): readonly string[] =>
  change.is === "set" ? [...change.removed, ...change.added] : [];

/** What is removed first was there. */
function wasIn(member: string, changes: readonly FieldChange[]): boolean {
  const first = changes.find((change) => membersOf(change).includes(member));
  return first?.is === "set" && first.removed.includes(member);
}

function after(members: readonly string[], changes: readonly FieldChange[]): readonly string[] {
  const set = new Set(members);
  for (const change of changes) {
    if (change.is !== "set") continue;
    for (const one of change.removed) set.delete(one);
    for (const one of change.added) set.add(one);
  }
  return [...set];
}
