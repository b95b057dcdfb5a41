import type { MonitorId } from "#service/store/ids";
import type { Share, ShareOutcome } from "#service/store/share";
import type { ChangeListener } from "#service/store/store";
import type { StoreFault } from "#service/store/store-fault";
import type { Verb, VerbsOf } from "#service/store/verb";

/** What does the verbs: SQLite in its own threads, or PostgreSQL. */
export interface Engine extends AsyncDisposable {
  readonly name: "sqlite" | "postgres";
  /** Does a verb in one transaction, and all of it or nothing. */
  execute<A extends readonly unknown[], R>(verb: Verb<A, R>, args: A): Promise<R>;
  /** Does work for the monitors of each database server apart: one of several may be away. Rejects if all of it fails, unless each server is only away. */
  eachShare<R>(
    monitors: readonly MonitorId[],
    work: (share: Share) => Promise<R>,
  ): Promise<readonly ShareOutcome<R>[]>;
  /** How many servers of a cluster could not be reached when they were last tried. */
  readonly serversAway: number;
  onChange(listener: ChangeListener): Disposable;
  health(): Promise<StoreFault | null>;
  backup(file: string): Promise<void>;
  /** What an engine does in addition to the verbs so that there is room for what comes, and none for what is too old. */
  tidy(resultsBefore: number): Promise<void>;
}

type Calls = <T>(verbs: VerbsOf<T>) => T;

/** Makes verbs calls of this engine, by the same names. */
export const callsOn =
  (engine: Engine): Calls =>
  <T>(verbs: VerbsOf<T>) =>
    Object.fromEntries(
      Object.entries<Verb<readonly unknown[], unknown>>(verbs).map(([name, verb]) => [
        name,
        (...args: unknown[]) => engine.execute(verb, args),
      ]),
    ) as T;

/** The same for each group of a part of the store. */
export function groupsOn<T>(engine: Engine, groups: { readonly [G in keyof T]: VerbsOf<T[G]> }): T {
  const calls = callsOn(engine);
  return Object.fromEntries(
    Object.entries<VerbsOf<T[keyof T]>>(groups).map(([name, verbs]) => [name, calls(verbs)]),
  ) as T;
}
