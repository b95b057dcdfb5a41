import type { SecretHost } from "#agent/secrets/secret-hosts";

/** The secrets of a location as its agent knows them; plain values, which are copied to the probe threads. */
export interface SecretTable {
  readonly secrets: ReadonlyMap<string, KnownSecret>;
  /** Names that are there and cannot be used, each with the rest of a sentence that says why. */
  readonly unusable: ReadonlyMap<string, string>;
  /** Why there may be secrets that are not here, as the rest of a sentence; null if all that there are were read. */
  readonly away: string | null;
}

export interface KnownSecret {
  readonly value: string;
  /** Where it may be sent; nowhere if there are none. */
  readonly hosts: readonly SecretHost[];
  /** Where it was read, e.g. a file's path. */
  readonly source: string;
}
