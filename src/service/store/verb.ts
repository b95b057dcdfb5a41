import { type Audit, unaudited } from "#service/store/audit/audited";
import type { Sql } from "#service/store/sql";
import type { Change } from "#service/store/store";

/** One thing that a store can do, in one transaction, written once for every engine. */
export interface Verb<A extends readonly unknown[], R> {
  /** Known to the thread that does it. */
  readonly name: string;
  readonly access: "read" | "write";
  /** What listeners get when it is done with these arguments. */
  readonly changes: (...args: A) => readonly Change[];
  /** What of it is recorded in the log of changes. */
  readonly audit: Audit<A, R>;
  readonly work: (sql: Sql, ...args: A) => Promise<R>;
}

/** The verbs of a part of a store, by the names of its calls. */
export type VerbsOf<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => Promise<infer R> ? Verb<A, R> : never;
};

export const reads = <A extends readonly unknown[], R>(
  name: string,
  work: (sql: Sql, ...args: A) => Promise<R>,
): Verb<A, R> => ({ name, access: "read", changes: () => [], audit: nothingChanges, work });

const nothingChanges = unaudited("it changes nothing");

/** A verb that does not say what of it is recorded does not compile. */

export const writes = <A extends readonly unknown[], R>(
  name: string,
  change: Change | null | NoInfer<Verb<A, R>["changes"]>,
  audit: NoInfer<Audit<A, R>>,
  work: (sql: Sql, ...args: A) => Promise<R>,
): Verb<A, R> => ({ name, access: "write", changes: changesOf(change, audit), audit, work });

/** Whatever is recorded of an object is also a change that listeners get, so that no verb can forget to say it. */
function changesOf<A extends readonly unknown[], R>(
  change: Change | null | Verb<A, R>["changes"],
  { records }: Pick<Audit<A, R>, "records">,
): Verb<A, R>["changes"] {
  const ofObjects: readonly Change[] = records === "objects" ? ["objects"] : [];
  if (typeof change === "function") return (...args) => [...ofObjects, ...change(...args)];
  const always = change === null ? ofObjects : [...ofObjects, change];
  return () => always;
}
