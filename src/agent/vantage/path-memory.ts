import type { KnownPath } from "#check/known-path";

/** Where an agent keeps the paths that it knows, so that a restart does not forget them. */
export interface PathMemory {
  /** Empty if none were kept, or what is there cannot be used. */
  load(): readonly KnownPath[];
  save(paths: readonly KnownPath[]): void;
}

/** Keeps nothing: for an agent without a state directory. */
export const noPathMemory: PathMemory = { load: () => [], save: () => {} };
