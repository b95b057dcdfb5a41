import { type FieldState, instantText, type ObjectState } from "#service/store/audit/field-change";
import type { FieldDigest } from "#service/store/audit/field-digest";
import { optionalInteger, type Row, text } from "#service/store/sql";
import { epochMillis } from "#base/units";

/* How the columns of a row become fields of an entry. */

export type NamedField = readonly [name: string, state: FieldState];

export function stateOf(name: string, all: readonly NamedField[]): ObjectState {
  const fields = filled(all);
  return { name, fields: () => fields, values: null };
}

/** A field that is empty says nothing, as one that is not there: it is left out. */
export function filled(all: readonly NamedField[]): ReadonlyMap<string, FieldState> {
  const fields = new Map<string, FieldState>();
  for (const [field, state] of all)
    if (state.is === "set" ? state.members.length > 0 : state.value !== "")
      fields.set(field, state);
  return fields;
}

export function timeIn(row: Row, column: string): FieldState {
  const at = optionalInteger(row, column);
  return { is: "text", value: at === null ? "" : instantText(epochMillis(at)) };
}

/** A column is written by JSON.stringify, so its text is what that would write again. */
export const jsonIn = (row: Row, column: string, digest: FieldDigest): FieldState =>
  digest.written(text(row, column));

export function listIn(row: Row, column: string): FieldState {
  const members: (string | number)[] = JSON.parse(text(row, column));
  return { is: "set", members: members.map(String) };
}

/** Fields of a JSON text, each by its name. */
export const fieldsIn = (json: string, digest: FieldDigest): readonly NamedField[] =>
  Object.entries<unknown>(JSON.parse(json)).map(([name, value]) => [name, digest.json(value)]);
