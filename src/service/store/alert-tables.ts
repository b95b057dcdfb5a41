/** The step that made room for incidents, deliveries, silences and maintenance. Released steps are never edited. */
export const alertTables: string = `
  -- The newest statuses that say something of the target, newest first, a letter each.
  ALTER TABLE series ADD COLUMN recent TEXT NOT NULL DEFAULT '';

  -- Monitors, locations and channels may go; what happened to them stays.
  CREATE TABLE incidents (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    subject INTEGER NOT NULL,
    name TEXT NOT NULL,
    -- Location, code and phase that it fails by; empty where there is none.
    cause TEXT NOT NULL,
    severity TEXT NOT NULL,
    opened_at INTEGER NOT NULL,
    ended_at INTEGER,
    acknowledged_at INTEGER,
    acknowledged_by TEXT NOT NULL,
    -- The rest of it, as JSON.
    memory TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX incidents_open ON incidents (kind, subject) WHERE ended_at IS NULL;
  CREATE INDEX incidents_by_subject ON incidents (kind, subject, number);

  CREATE TABLE incident_events (
    incident INTEGER NOT NULL REFERENCES incidents (number) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL,
    at INTEGER NOT NULL,
    -- What was known, as JSON.
    snapshot TEXT NOT NULL,
    PRIMARY KEY (incident, number)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    channel INTEGER NOT NULL,
    incident INTEGER NOT NULL REFERENCES incidents (number) ON DELETE CASCADE,
    event INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    -- When it is looked at again.
    due_at INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting',
    -- Why it was dropped, or why it waits.
    reason TEXT NOT NULL DEFAULT '',
    -- What the provider said last.
    message TEXT NOT NULL DEFAULT '',
    attempts INTEGER NOT NULL DEFAULT 0,
    first_tried_at INTEGER,
    retry_at INTEGER,
    settled_at INTEGER,
    -- The delivery whose id the message had, and how many it covered.
    letter INTEGER NOT NULL DEFAULT 0,
    together INTEGER NOT NULL DEFAULT 0,
    reference TEXT NOT NULL DEFAULT '',
    receipt TEXT NOT NULL DEFAULT '',
    UNIQUE (channel, incident, event)
  ) STRICT;
  CREATE INDEX deliveries_due ON deliveries (due_at, channel) WHERE state IN ('waiting', 'accepted');
  CREATE INDEX deliveries_waiting ON deliveries (channel, id) WHERE state IN ('waiting', 'accepted');
  CREATE INDEX deliveries_by_incident ON deliveries (incident, channel);
  CREATE INDEX deliveries_by_age ON deliveries (created_at);

  -- How each channel stands with its provider, and the replica that sends to it now.
  CREATE TABLE lanes (
    channel INTEGER PRIMARY KEY,
    holder TEXT NOT NULL,
    held_until INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    rest_until INTEGER NOT NULL,
    failing_since INTEGER,
    failing_message TEXT NOT NULL,
    is_disabled INTEGER NOT NULL,
    -- Messages of the last minutes, as JSON.
    recent TEXT NOT NULL
  ) STRICT;
  -- Token buckets: when each would be full again.
  CREATE TABLE paces (key TEXT PRIMARY KEY, full_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE silences (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    monitors TEXT NOT NULL,
    locations TEXT NOT NULL,
    labels TEXT NOT NULL,
    begins_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    reason TEXT NOT NULL,
    made_by TEXT NOT NULL
  ) STRICT;
  CREATE INDEX silences_by_end ON silences (ends_at);

  CREATE TABLE maintenances (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    message TEXT NOT NULL,
    begins_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    recurrence TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    -- Text ids of a page and its components.
    page TEXT NOT NULL,
    components TEXT NOT NULL,
    monitors TEXT NOT NULL,
    locations TEXT NOT NULL,
    owner TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  `;

/** The step since which an event says who did it. Released steps are never edited. */
export const authorOfEvents: string = `
  ALTER TABLE incident_events ADD COLUMN author TEXT NOT NULL DEFAULT '';
`;

/** The step since which an acknowledgement says how bad it was then; one of before it is not known, so it ends when it is worse. */
export const acknowledgedSeverity: string = `
  ALTER TABLE incidents ADD COLUMN acknowledged_severity TEXT NOT NULL DEFAULT 'degraded';
`;

/** The step that made room for what was planned before. Work of before then counts as it always did: from its beginning. */
export const earlierPlans: string = `
  -- Since when its times and components are as they are; 0 if that is not known.
  ALTER TABLE maintenances ADD COLUMN planned_at INTEGER NOT NULL DEFAULT 0;
  -- JSON: what they were before, and for how long.
  ALTER TABLE maintenances ADD COLUMN earlier_plans TEXT NOT NULL DEFAULT '[]';
  `;
