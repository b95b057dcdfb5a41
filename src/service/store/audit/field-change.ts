import { isDeepStrictEqual } from "node:util";
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
  /** Those of some names; null: all. A state that was made as a whole gives all in any case. */
  fields(names: ReadonlySet<string> | null): ReadonlyMap<string, FieldState>;
  /** What the fields are made of, by name, if that can be compared before they are made: equal values make equal fields. */
  readonly values: Readonly<Record<string, unknown>> | null;
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
  const changes: FieldChange[] = [];
  const add = (field: string, from: FieldState | null, to: FieldState | null): void => {
    const change = fieldChange(field, from, to);
    if (change !== null) changes.push(change);
  };
  const names = unlike(before?.values ?? null, after?.values ?? null);
  const was = before?.fields(names) ?? noFields;
  const is = after?.fields(names) ?? noFields;
  for (const [field, to] of is) add(field, was.get(field) ?? null, to);
  for (const [field, from] of was) if (!is.has(field)) add(field, from, null);
  return changes;
}

/** An apply compares tens of thousands of fields, nearly all of which are the same: nothing is made of those. */
function unlike(some: ObjectState["values"], others: ObjectState["values"]): Set<string> | null {
  if (some === null || others === null) return null;
  const names = new Set<string>();
  for (const name of Object.keys(some)) if (!isSame(some[name], others[name])) names.add(name);
  for (const name of Object.keys(others)) if (!Object.hasOwn(some, name)) names.add(name);
  return names;
}

/** Of values that came out of JSON, whichever door wrote them in which order. */
function isSame(some: unknown, other: unknown): boolean {
  if (some === other) return true;
  if (typeof some !== "object" || typeof other !== "object") return false;
  if (Array.isArray(some) && Array.isArray(other) && some.length + other.length === 0) return true;
  return JSON.stringify(some) === JSON.stringify(other) || isDeepStrictEqual(some, other);
}

const noFields: ReadonlyMap<string, FieldState> = new Map();

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
