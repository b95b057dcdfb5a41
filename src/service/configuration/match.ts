import type { OwnedObject } from "#service/configuration/owner";
import { commonOwner } from "#service/configuration/owner";

/** Which object of the service an entry means, and how it was found. */
type Match<R> =
  | { readonly is: "new" }
  | { readonly is: "found"; readonly row: R; readonly notes: readonly string[] }
  | { readonly is: "conflict"; readonly sentence: string };

export interface EntryName {
  /** What it is, for a sentence: `http monitor`. */
  readonly what: string;
  readonly name: string;
  readonly renamedFrom: string;
  readonly owner: string;
}

/**
 * By name among those of the owner; else by the name before; else one of the name that no file owns, which is taken
 * over. One of another owner is never taken.
 */
export function matchOf<R extends OwnedObject>(
  entry: EntryName,
  rowsOf: (name: string) => readonly R[],
): Match<R> {
  const { what, name, renamedFrom, owner } = entry;
  const named = rowsOf(name);
  const own = named.filter((row) => row.owner === owner && owner !== "");
  if (own.length > 1) return { is: "conflict", sentence: several(entry, own.length) };
  const [mine] = own;
  if (mine !== undefined) return { is: "found", row: mine, notes: [] };
  const before = renamedFrom === "" ? [] : rowsOf(renamedFrom).filter((row) => isFree(row, owner));
  if (before.length > 1)
    return { is: "conflict", sentence: several({ ...entry, name: renamedFrom }, before.length) };
  const [old] = before;
  const free = named.filter((row) => isFree(row, owner));
  if (old !== undefined && named.length === 0)
    return { is: "found", row: old, notes: [`was "${renamedFrom}"`, ...taken(old, owner)] };
  if (free.length > 1) return { is: "conflict", sentence: several(entry, free.length) };
  const [found] = free;
  if (found !== undefined) return { is: "found", row: found, notes: taken(found, owner) };
  const [foreign] = named;
  if (foreign === undefined) return { is: "new" };
  return {
    is: "conflict",
    sentence: `The ${what} "${name}" belongs to "${foreign.owner}", and these files are of "${owner}". Use another name, or take it with picket import.`,
  };
}

const isFree = ({ owner: of }: OwnedObject, owner: string): boolean =>
  of === owner || of === "" || of === commonOwner;

const taken = ({ owner: of }: OwnedObject, owner: string): readonly string[] =>
  of === owner ? [] : [`had no owner, and now belongs to "${owner}"`];

const several = ({ what, name }: EntryName, count: number): string =>
  `The service has ${count} ${what}s named "${name}", so it is not clear which one the file means. Rename or delete all but one.`;
