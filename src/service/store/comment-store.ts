import type { EpochMillis } from "#base/units";

/** What a person wrote about an incident while they worked on it. */
export interface NewComment {
  readonly at: EpochMillis;
  readonly author: string;
  /** By what its author signed in, e.g. `account 3`, which no one else has; empty: from before this was kept. */
  readonly who: string;
  readonly message: string;
}

export interface IncidentComment extends NewComment {
  readonly id: number;
  /** Null: it is as it was written. */
  readonly editedAt: EpochMillis | null;
  /** How often it was edited. */
  readonly edits: number;
}

/** Comments of incidents, for colleagues: no channel and no status page has them. */
export interface Comments {
  /** False if there is no such incident, or it has as many as it may have. */
  add(incident: number, comment: NewComment): Promise<boolean>;
  /** False if there is no such comment; the same text again is no edit. */
  edit(incident: number, id: number, message: string, at: EpochMillis): Promise<boolean>;
  /** Gives what it was; null if there is no such comment. */
  remove(incident: number, id: number): Promise<IncidentComment | null>;
  /** One that was removed is there again. False if its incident is gone, or has as many as it may have. */
  putBack(incident: number, comment: IncidentComment): Promise<boolean>;
  /** The oldest first. */
  of(incident: number): Promise<readonly IncidentComment[]>;
}

/** The step that made room for comments, and for the text of each message that was tried. */
export const commentTables: string = `
  CREATE TABLE incident_comments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    incident INTEGER NOT NULL REFERENCES incidents (number) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    author TEXT NOT NULL,
    message TEXT NOT NULL
  ) STRICT;
  CREATE INDEX incident_comments_by_incident ON incident_comments (incident, id);

  -- What the message said, without its links; only of the first of those that one message covers.
  ALTER TABLE deliveries ADD COLUMN said TEXT NOT NULL DEFAULT '';
  `;

/** The step that made room for who may edit a comment, and for its edits. */
export const commentAuthors: string = `
  ALTER TABLE incident_comments ADD COLUMN who TEXT NOT NULL DEFAULT '';
  ALTER TABLE incident_comments ADD COLUMN edited_at INTEGER;
  ALTER TABLE incident_comments ADD COLUMN edits INTEGER NOT NULL DEFAULT 0;
  `;
