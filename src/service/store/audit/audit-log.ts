import type { ActorKind } from "#service/store/audit/actor";
import type { AuditedKind, Subject } from "#service/store/audit/audited";
import type { FieldChange } from "#service/store/audit/field-change";
import type { SessionDeed, SessionEvent } from "#service/store/audit/session-event";
import type { EpochMillis } from "#base/units";

/** Who changed what and when, of every object, and who signed in. An entry is written in the transaction of its change. */
export interface AuditLog {
  /** The newest first. */
  list(asked: AuditQuery): Promise<readonly AuditEntry[]>;
  /** The lines after a number, oldest first, as they are exported; with the number of the last. */
  lines(after: number, since: EpochMillis, limit: number): Promise<AuditLines>;
  /** How far the log is, and the hashes of at most so many entries after a number; for 0 none. */
  proof(after: number, limit: number): Promise<AuditProof>;
  /** The oldest and the newest number; 0 if there is none. */
  range(): Promise<{ readonly oldest: number; readonly newest: number }>;
  /**
   * The names of these objects by `kind id`, as the log has them last: also of those that are gone. Of parts of status
   * pages that are gone only some are looked for, in the newest entries of their pages.
   */
  names(asked: readonly NamedSubject[]): Promise<ReadonlyMap<string, string>>;
  /** The number of an object's newest entry; 0 if there is none. */
  version(subject: Subject): Promise<number>;
  /** Writes down who signed in, or could not. */
  note(event: SessionEvent): Promise<void>;
  /** Forgets a portion of what is older, and of what is more than may be kept; true if there may be more. */
  forget(before: EpochMillis): Promise<boolean>;
}

/** `undone` is a change that takes an earlier one back, by its Undo; what was deleted is `restored`. */
export type AuditDeed = "made" | "changed" | "undone" | "deleted" | "restored" | SessionDeed;

export interface AuditEntry {
  readonly number: number;
  readonly at: EpochMillis;
  readonly who: { readonly kind: ActorKind; readonly name: string; readonly from: string };
  readonly deed: AuditDeed;
  readonly subject: Subject;
  /** What the object is called after it; of one that is deleted, before. */
  readonly name: string;
  readonly fields: readonly FieldChange[];
}

/** What an entry may name by its number: an object, or a part of a status page. */
export type NamedSubject = Subject | NamedPart;

export interface NamedPart {
  readonly kind: "component" | "group";
  readonly id: string;
  /** Whose entries are searched if the part is gone; null: none. */
  readonly page: string | null;
}

export interface AuditQuery {
  /** Entries before this number; null begins with the newest. */
  readonly before: number | null;
  /** Entries after this number. */
  readonly after: number;
  readonly kind: AuditedKind | null;
  /** Null: of all of its kind. */
  readonly id: string | null;
  /** Whether those of its subscribers are among those of a status page; they are not if it is not said. */
  readonly withSubscribers?: boolean;
  /** A part of the actor's kind and name, in any letters; empty: all. */
  readonly who: string;
  /** A part of the object's name, in any letters; empty: all. */
  readonly name: string;
  readonly since: EpochMillis;
  /** Entries before this instant; null: up to now. */
  readonly until: EpochMillis | null;
  readonly limit: number;
}

export interface AuditLines {
  readonly lines: readonly string[];
  /** Null if these are the last. */
  readonly next: number | null;
}

/** That the log continues from an entry, without what is in it. */
export interface AuditProof {
  /** The newest entry, or the last one of the hashes if there are more. */
  readonly number: number;
  /** The head of the chain there; empty if nothing was recorded since services keep it. */
  readonly chain: string;
  readonly hashes: readonly string[];
}

/** The step that made room for the log. Released steps are never edited. */
export const auditTables: string = `
  CREATE TABLE audit_entries (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    name TEXT NOT NULL,
    actor TEXT NOT NULL,
    -- The line as it is exported, without its hash: JSON. The hash is of these bytes, which name the hash before.
    line TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_entries_by_subject ON audit_entries (kind, subject, number);

  -- One row: the newest number and hash, and the salt of digests, which is never shown.
  CREATE TABLE audit_head (
    one INTEGER PRIMARY KEY,
    number INTEGER NOT NULL,
    hash TEXT NOT NULL,
    salt TEXT NOT NULL
  ) STRICT;
  `;

/** The head of the chain of hashes at each entry, which agents keep. Entries from before it have none. */
export const auditChain: string = `
  ALTER TABLE audit_entries ADD COLUMN chain TEXT NOT NULL DEFAULT '';
  ALTER TABLE audit_head ADD COLUMN chain TEXT NOT NULL DEFAULT '';
  `;
