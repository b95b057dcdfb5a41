import type { DefinitionOf } from "#check/definition";
import type { ArgumentsOf } from "#check/kinds/common-arguments";
import type { KindEntry } from "#check/kinds/kind-entry";
import { kindTable } from "#check/kinds/kind-table";
import type { Kind } from "#check/monitor";

/*
 * The arguments of a monitor by the names of the specification: a file is read by these
 * tables, and docs/reference/monitors.md is made from them. What a value may be is judged by the rules that calls share.
 */

/** The arguments of one kind of monitor. */
export function argumentsOf<K extends Kind>(kind: K): ArgumentsOf<DefinitionOf<K>> {
  const entry: KindEntry<K> = kindTable[kind];
  return entry.arguments;
}

/** The list of a monitors file that holds each kind. */
export const listOf = <K extends Kind>(kind: K): `${K}_monitors` => `${kind}_monitors`;
