import type { PersonId } from "#service/store/ids";
import type { EpochMillis } from "#base/units";
import type { PasskeyStore } from "#service/store/passkey-store";

/** Who may sign in to the operator's pages, and where they are signed in. */
export interface PeopleStore {
  readonly accounts: Accounts;
  readonly passkeys: PasskeyStore;
  readonly sessions: PageSessions;
  readonly keptForms: KeptForms;
}

/** What a person may do on the pages; each may do all that those before it may. */
export const roles = ["reader", "responder", "editor", "owner"] as const;
export type Role = (typeof roles)[number];

/** A person with an account of this service. */
export interface AccountRow {
  readonly id: PersonId;
  /** What everything says that the person did, so no two accounts get one that reads alike. */
  readonly name: string;
  /** In small letters; no two accounts have the same. */
  readonly email: string;
  readonly role: Role;
  /** Whose times the pages show; empty: that of the browser. */
  readonly timeZone: string;
  /** What the password is checked with; empty until the person has chosen one. */
  readonly password: string;
  /** The sealed secret of the app that shows codes; empty if there is none. */
  readonly sealed: string;
  /** How many passkeys the person has. */
  readonly passkeys: number;
  /** When the person first chose a password; null of one who has only been invited. */
  readonly joinedAt: EpochMillis | null;
  readonly disabledAt: EpochMillis | null;
  /** When the pages were last used with it, to some minutes; null of one with which no one has signed in. */
  readonly seenAt: EpochMillis | null;
  readonly createdAt: EpochMillis;
  /** Until when the link works with which the person chooses a password; null if there is none. */
  readonly linkUntil: EpochMillis | null;
}

/** A link with which a person chooses a password, once; it is known by its hash. */
export interface PasswordLink {
  readonly hash: string;
  readonly until: EpochMillis;
}

export interface NewAccount extends PasswordLink {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly at: EpochMillis;
}

export interface AccountChange {
  readonly name: string;
  readonly role: Role;
  readonly isDisabled: boolean;
  readonly at: EpochMillis;
}

/** What another account has already. */
export type TakenWord = "email taken" | "name taken";

/** What became of a change. An owner who has joined and is not disabled stays as one, unless there is another. */
export type AccountOutcome = "done" | "missing" | "last owner" | "name taken";

/** Each of these is one transaction, so two replicas never let one code or link count twice. */
export interface Accounts {
  add(made: NewAccount): Promise<PersonId | TakenWord>;
  /** All of them, in the order of their names. */
  list(): Promise<readonly AccountRow[]>;
  get(id: PersonId): Promise<AccountRow | null>;
  ofEmail(email: string): Promise<AccountRow | null>;
  /** Whose link this is that works at this instant. */
  ofLink(hash: string, at: EpochMillis): Promise<AccountRow | null>;
  /** A name that two accounts have already may stay. */
  change(id: PersonId, changed: AccountChange): Promise<AccountOutcome>;
  remove(id: PersonId): Promise<Exclude<AccountOutcome, "name taken">>;
  /** In place of the link before, and of the password: it opens nothing from now on. False if there is no account. */
  offerLink(id: PersonId, link: PasswordLink): Promise<boolean>;
  /**
   * In place of the link before; the password stays until the link is used. False of an account that is disabled, or that has no
   * password.
   */
  offerReset(id: PersonId, link: PasswordLink): Promise<boolean>;
  /** Uses up a link that works. Gives whose password it set, or null. */
  takeLink(hash: string, password: string, at: EpochMillis): Promise<PersonId | null>;
  /** In place of the password `before`, if that is still the one. A link that was offered ends. */
  setPassword(id: PersonId, before: string, password: string): Promise<boolean>;
  /** By which others know the person. */
  rename(id: PersonId, name: string): Promise<Exclude<AccountOutcome, "last owner">>;
  /** An IANA name, or empty. False if there is no account. */
  setTimeZone(id: PersonId, timeZone: string): Promise<boolean>;
  /** The second factor, whose code of `step` was shown already, and its recovery codes by their hashes. */
  putFactor(id: PersonId, sealed: string, step: number, codes: readonly string[]): Promise<void>;
  /** With the recovery codes, unless there is a passkey. */
  removeFactor(id: PersonId): Promise<void>;
  /** Whether the code of this step of time may count: each does once, and none before it counts later. */
  takeStep(id: PersonId, step: number): Promise<boolean>;
  /** Whether this recovery code was there; it counts once. */
  takeRecoveryCode(id: PersonId, hash: string): Promise<boolean>;
  recoveryCodesLeft(id: PersonId): Promise<number>;
}

/** A session of the pages, as people see it. */
export interface PageSession {
  /** The id in its cookie; no one makes a cookie of that. */
  readonly session: string;
  /** By what it was opened, e.g. `account 3`: the sessions of one person have the same. */
  readonly who: string;
  readonly name: string;
  readonly address: string;
  /** The browser in words. */
  readonly browser: string;
  readonly at: EpochMillis;
  readonly until: EpochMillis;
}
export interface PageSessionRow extends PageSession {
  readonly id: number;
  readonly startedAt: EpochMillis;
}

/** Whose a session is. */
export type SessionOwner = Pick<PageSession, "who" | "name">;

/** Whose sessions ended, and how many: those of one person. */
export interface EndedOnes extends SessionOwner {
  readonly count: number;
}

/** Sessions that have not ended. What was ended before its time is in `StateStore.endedSessions`. */
export interface PageSessions {
  /** It was used at `at`, from there. One that was ended stays so. */
  note(session: PageSession): Promise<void>;
  /** Those of `who`, or of all, that last beyond `at`: the last used first, and no more than `limit`. */
  list(who: string | null, at: EpochMillis, limit: number): Promise<readonly PageSessionRow[]>;
  /** Its entry of the audit log is written with it only if `isNoted`; otherwise the caller counts it. */
  end(id: number, isNoted: boolean): Promise<EndedOnes>;
  /** All of `who` but one. */
  endAll(who: string, except: string, isNoted: boolean): Promise<EndedOnes>;
  forget(before: EpochMillis): Promise<void>;
}

/** Sessions of people that were ended before their time. */
export interface EndedSessions {
  /** They signed out of it. Ending one again changes nothing; gives whether it had not ended. `isNoted` as above. */
  add(id: string, until: EpochMillis, owner: SessionOwner, isNoted: boolean): Promise<boolean>;
  has(id: string): Promise<boolean>;
  /** Those whose time was over before. */
  forget(before: EpochMillis): Promise<void>;
}

/** A form that came when its session had ended: sealed, for whoever sent it, and for a short time. */
export interface KeptForm {
  readonly id: string;
  readonly who: string;
  readonly sealed: string;
  readonly until: EpochMillis;
}

export interface KeptForms {
  /** The oldest of the same person go, beyond `ofOneMax`. False if there are too many of all people. */
  keep(form: KeptForm, ofOneMax: number, allMax: number): Promise<boolean>;
  get(id: string, who: string, at: EpochMillis): Promise<KeptForm | null>;
  /** Whether it was there. */
  remove(id: string, who: string): Promise<boolean>;
  forget(before: EpochMillis): Promise<void>;
}

export const peopleTables = `
  CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    password TEXT NOT NULL,
    -- The secret of the second factor, and the newest step of time whose code has counted.
    sealed TEXT NOT NULL,
    step INTEGER NOT NULL,
    joined_at INTEGER,
    disabled_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    -- The link with which a password is chosen; empty if there is none.
    link_hash TEXT NOT NULL,
    link_until INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX accounts_by_link ON accounts (link_hash) WHERE link_hash <> '';

  CREATE TABLE recovery_codes (
    account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    PRIMARY KEY (account, hash)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE page_sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL UNIQUE,
    who TEXT NOT NULL,
    name TEXT NOT NULL,
    address TEXT NOT NULL,
    browser TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    until INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX page_sessions_by_who ON page_sessions (who);

  CREATE TABLE kept_forms (
    id TEXT PRIMARY KEY,
    who TEXT NOT NULL,
    sealed TEXT NOT NULL,
    until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX kept_forms_by_who ON kept_forms (who);
  `;

export const accountUses = `
  -- When it was last used: a session says that only until it ends.
  ALTER TABLE accounts ADD COLUMN seen_at INTEGER;
  UPDATE accounts SET seen_at =
    (SELECT MAX(page_sessions.seen_at) FROM page_sessions WHERE page_sessions.who = 'account ' || accounts.id);
  `;

export const accountZones = `
  -- The zone whose times a person sees; empty: that of their browser.
  ALTER TABLE accounts ADD COLUMN time_zone TEXT NOT NULL DEFAULT '';
  `;
