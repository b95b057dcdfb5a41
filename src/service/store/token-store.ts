import type { LocationId } from "#service/store/ids";
import type { EpochMillis } from "#base/units";

/** The tokens of locations. One that ended is kept for some time, without its copy. */
export interface Tokens {
  /** The revision of the location of each of these tokens that works at this instant, by the token's hash. */
  revisionsOf(hashes: readonly string[], at: EpochMillis): Promise<ReadonlyMap<string, string>>;
  /** The sealed copies of the tokens that work, newest first; empty if there is no copy. */
  tokens(id: LocationId, at: EpochMillis): Promise<readonly StoredToken[]>;
  /** Adds a token; those before it work until `oldUntil`. False when `tokensMax` others work still. */
  rotate(
    id: LocationId,
    token: NewToken,
    oldUntil: EpochMillis,
    tokensMax: number,
  ): Promise<boolean>;
  /** Ends at once the tokens before the newest, whose overlap has not passed; gives how many those were. */
  endOldTokens(id: LocationId, at: EpochMillis): Promise<number>;
  /** Keeps no copy of tokens that ended before `now`, and nothing of those that ended before `before`. */
  forgetTokens(now: EpochMillis, before: EpochMillis): Promise<void>;
}
export interface RefusedCall {
  readonly at: EpochMillis;
  readonly tokenEndedAt: EpochMillis;
}
/** The same as it was noted. */
export interface NotedRefusal extends RefusedCall {
  /** When, before it, an agent last called with a token that works; null: none had. */
  readonly workingCallAt: EpochMillis | null;
}
/** The token that a call of an agent came with. */
export interface CallingToken {
  readonly hash: string;
  /** When an agent last called with it; null: none has. */
  readonly calledAt: EpochMillis | null;
  /** Null while no other has taken its place. */
  readonly validUntil: EpochMillis | null;
}
/** A token is authenticated by its hash; the sealed copy is for people with a write key. */
export interface NewToken {
  readonly hash: string;
  readonly sealed: string;
  readonly at: EpochMillis;
}
export interface StoredToken {
  readonly hash: string;
  readonly sealed: string;
  readonly createdAt: EpochMillis;
  /** Null until another takes its place. */
  readonly validUntil: EpochMillis | null;
  /** When an agent last called with it; null: none has. */
  readonly calledAt: EpochMillis | null;
}
