import type { EpochMillis } from "#base/units";

/** What a person wrote about an incident while they worked on it. */
export interface IncidentComment {
  readonly at: EpochMillis;
  readonly author: string;
  readonly message: string;
}

/** Comments of incidents, for colleagues: no channel and no status page has them. */
export interface Comments {
  /** False if there is no such incident, or it has as many as it may have. */
  add(incident: number, comment: IncidentComment): Promise<boolean>;
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
