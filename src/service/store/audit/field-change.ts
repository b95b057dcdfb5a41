import { setMembersRecordedMax } from "#limits/store-limits";
import type { EpochMillis } from "#base/units";

/** A field of an object as the log may have it. */
export type FieldState =
  | { readonly is: "text"; readonly value: string }
  /** The digest of a secret: it shows that one changed, and nothing of it. */
  | { readonly is: "secret"; readonly value: string }
  | { readonly is: "set"; readonly members: readonly string[] };

export interface ObjectState {
  readonly name: string;
  readonly fields: ReadonlyMap<string, FieldState>;
}

/** An instant as the log writes it. */
export const instantText = (at: EpochMillis): string => new Date(at).toISOString();

/** How a field was changed. Null: it was not there, or it is there no more. */
export type FieldChange =
  | {
      readonly field: string;
      readonly is: "text" | "secret";
      readonly before: string | null;
      readonly after: string | null;
    }
  | {
      readonly field: string;
      readonly is: "set";
      readonly removed: readonly string[];
      readonly added: readonly string[];
    };

/** The fields in which two states of an object differ, in the order of their names; null is an object that is not there. */
export function fieldChanges(
  before: ObjectState | null,
  after: ObjectState | null,
): readonly FieldChange[] {
  // An apply compares tens of thousands of fields, so nothing is made for those that are the same.
  const changes: FieldChange[] = [];
  const add = (field: string, from: FieldState | null, to: FieldState | null): void => {
    const change = fieldChange(field, from, to);
    if (change !== null) changes.push(change);
  };
  for (const [field, to] of after?.fields ?? []) add(field, before?.fields.get(field) ?? null, to);
  for (const [field, from] of before?.fields ?? [])
    if (after?.fields.has(field) !== true) add(field, from, null);
  return changes;
}

function fieldChange(
  field: string,
  before: FieldState | null,
  after: FieldState | null,
): FieldChange | null {
  if (before?.is === "set" || after?.is === "set")
    return setChange(field, membersOf(before), membersOf(after));
  const from = textOf(before);
  const to = textOf(after);
  if (from === to) return null;
  return { field, is: (after ?? before)?.is ?? "text", before: from, after: to };
}

/** A field that is empty says nothing, as one that is not there. */
const textOf = (state: FieldState | null): string | null =>
  state === null || state.is === "set" || state.value === "" ? null : state.value;

const membersOf = (state: FieldState | null): ReadonlySet<string> =>
  new Set(state?.is === "set" ? state.members : []);

function setChange(
  field: string,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): FieldChange | null {
  const removed = [...before.difference(after)];
  const added = [...after.difference(before)];
  if (removed.length + added.length === 0) return null;
  return { field, is: "set", removed: someOf(removed), added: someOf(added) };
}

function someOf(members: readonly string[]): readonly string[] {
  const rest = members.length - setMembersRecordedMax;
  return rest <= 0 ? members : [...members.slice(0, setMembersRecordedMax), `and ${rest} more`];
}
