import type { EpochMillis } from "#base/units";
import type { PersonId } from "#service/store/ids";

/** A passkey of a person, as an authenticator has made it for one host. */
export interface PasskeyRow extends MadePasskey {
  readonly id: number;
  readonly account: PersonId;
  readonly usedAt: EpochMillis | null;
}

interface MadePasskey {
  readonly name: string;
  /** Its id at the authenticator; no two passkeys have the same. In base64url, as the key. */
  readonly credential: string;
  /** What its signatures are checked with (COSE): no secret. */
  readonly publicKey: string;
  /** The host whose pages may use it. */
  readonly host: string;
  readonly counter: number;
  /** The ways to it that a browser knows, e.g. `usb`. */
  readonly transports: readonly string[];
  readonly at: EpochMillis;
}

/** A challenge that was answered: it counts once. */
export interface AnsweredChallenge {
  readonly challenge: string;
  readonly until: EpochMillis;
  readonly at: EpochMillis;
}

export interface NewPasskey extends MadePasskey, AnsweredChallenge {}

interface PasskeyUse extends AnsweredChallenge {
  /** The count that the authenticator signed; 0 of one that does not count. */
  readonly counter: number;
}

/** Each of these is one transaction, so two replicas never let one challenge count twice. */
export interface PasskeyStore {
  /** In the order in which they were added. */
  list(account: PersonId): Promise<readonly PasskeyRow[]>;
  ofCredential(credential: string): Promise<PasskeyRow | null>;
  /** How many there are of each host, of all people. */
  countByHost(): Promise<ReadonlyMap<string, number>>;
  /** The recovery codes, by their hashes, are kept if the person has none. */
  add(
    account: PersonId,
    made: NewPasskey,
    codes: readonly string[],
    max: number,
  ): Promise<PasskeyOutcome>;
  /** With the recovery codes, if no second factor is left. Whether it was there. */
  remove(account: PersonId, id: number): Promise<boolean>;
  /** Whether the answer may count: the challenge is new, and so is the count, of an authenticator that counts. */
  use(id: number, answered: PasskeyUse): Promise<boolean>;
}

/** What became of a passkey that was added. */
export type PasskeyOutcome =
  | "added"
  | "added with codes"
  | "answered before"
  | "known"
  | "same name"
  | "too many";

export const passkeyTables = `
  CREATE TABLE passkeys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    credential TEXT NOT NULL UNIQUE,
    public_key TEXT NOT NULL,
    host TEXT NOT NULL,
    counter INTEGER NOT NULL,
    transports TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER,
    UNIQUE (account, name)
  ) STRICT;

  -- Challenges that were answered, until they are too old to be answered again.
  CREATE TABLE passkey_challenges (challenge TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `;
