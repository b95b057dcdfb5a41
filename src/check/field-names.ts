import type { Argument, Arguments } from "#check/argument";

/*
 * A resource has one table of the names that its fields have in files, plans and exports. A field of the resource that its
 * table lacks does not compile, and neither do the arguments of files, the messages and the exports that lack a name.
 */

/** The names in a table that has one for each field of D. */
export type NamesOf<D, T extends { readonly [F in keyof D]: string }> = T[keyof D];

/** An argument for each of these names. */
export type ArgumentFor<N extends string> = Arguments & { readonly [K in N]: Argument<unknown> };

/** A name as messages have it: `custom_domain` is `customDomain`. */
export type MessageName<S extends string> = S extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<MessageName<Rest>>}`
  : S;

/** Values by the names of their fields, in the order of the table. The entries are those of the table, as the type says. */
export const byName = <N extends string>(
  values: object,
  names: Readonly<Record<string, N>>,
): Readonly<Record<N, unknown>> =>
  Object.fromEntries(
    Object.entries(names).map(([field, name]) => [name, Reflect.get(values, field)]),
  ) as Record<N, unknown>;
