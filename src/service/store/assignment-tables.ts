/** The step that made room for what changed of each location's assignment. Released steps are never edited. */
export const assignmentTables: string = `
  -- From one revision of a location to the next, in order: an agent that knows an older one is sent what changed since.
  CREATE TABLE assignment_changes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    location INTEGER NOT NULL REFERENCES locations (id) ON DELETE CASCADE,
    -- The revision before; empty where the log of a location begins.
    revised TEXT NOT NULL,
    revision TEXT NOT NULL,
    -- 0: no monitor changed, but e.g. the name of the location.
    monitor INTEGER NOT NULL,
    -- Whether the location's agents ran it before.
    ran INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX assignment_changes_in_order ON assignment_changes (location, number);
  CREATE INDEX assignment_changes_by_revision ON assignment_changes (location, revision);
  INSERT INTO assignment_changes (location, revised, revision, monitor, ran)
    SELECT id, '', revision, 0, 0 FROM locations;
  `;

/** Which token an agent last called with, and the calls that were refused because theirs has ended. */
export const callsByToken: string = `
  ALTER TABLE location_tokens ADD COLUMN called_at INTEGER;
  -- Where there is one token, agents called with that.
  UPDATE location_tokens SET called_at = (SELECT last_seen_at FROM locations WHERE locations.id = location_tokens.location)
    WHERE NOT EXISTS (SELECT 1 FROM location_tokens AS other
      WHERE other.location = location_tokens.location AND other.hash <> location_tokens.hash);
  ALTER TABLE locations ADD COLUMN refused_at INTEGER;
  ALTER TABLE locations ADD COLUMN refused_token_end INTEGER;
`;

/** When, before such a call, an agent last called with a token that works. */
export const workingCalls: string = `
  ALTER TABLE locations ADD COLUMN working_call_at INTEGER;
`;
