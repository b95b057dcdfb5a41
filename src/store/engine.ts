import type { Change } from "#store/store";
import type { StoreFault } from "#store/store-fault";
import type { Verb } from "#store/verb";

/** What does the verbs: SQLite in its own threads, or PostgreSQL. */
export interface Engine extends AsyncDisposable {
  readonly name: "sqlite" | "postgres";
  /** Does a verb in one transaction, and all of it or nothing. */
  execute<A extends readonly unknown[], R>(verb: Verb<A, R>, args: A): Promise<R>;
  onChange(listener: (change: Change) => void): Disposable;
  health(): Promise<StoreFault | null>;
  backup(file: string): Promise<void>;
  /** What an engine does beside the verbs so that there is room for what comes, and none for what is too old. */
  tidy(resultsBefore: number): Promise<void>;
}

type Call = <A extends readonly unknown[], R>(verb: Verb<A, R>) => (...args: A) => Promise<R>;

/** Makes a verb a call of this engine. */
export const callsOn =
  (engine: Engine): Call =>
  (verb) =>
  (...args) =>
    engine.execute(verb, args);
