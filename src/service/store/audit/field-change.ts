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
  const names = new Set([...(after?.fields.keys() ?? []), ...(before?.fields.keys() ?? [])]);
  return [...names].flatMap((field) =>
    fieldChange(field, before?.fields.get(field) ?? null, after?.fields.get(field) ?? null),
  );
}

function fieldChange(
  field: string,
  before: FieldState | null,
  after: FieldState | null,
): readonly FieldChange[] {
  if (before?.is === "set" || after?.is === "set")
    return setChange(field, membersOf(before), membersOf(after));
  const [from, to] = [textOf(before), textOf(after)];
  if (from === to) return [];
  return [{ field, is: (after ?? before)?.is ?? "text", before: from, after: to }];
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
): readonly FieldChange[] {
  const removed = [...before.difference(after)];
  const added = [...after.difference(before)];
  if (removed.length + added.length === 0) return [];
  return [{ field, is: "set", removed: someOf(removed), added: someOf(added) }];
}

function someOf(members: readonly string[]): readonly string[] {
  const rest = members.length - setMembersRecordedMax;
  return rest <= 0 ? members : [...members.slice(0, setMembersRecordedMax), `and ${rest} more`];
}
