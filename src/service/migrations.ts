/**
 * How a database came to its shape: each step is run once, in order, in a transaction of its own. A step that was
 * released is never edited; the next change is a new step.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL CHECK (scope IN ('read', 'write')),
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
  ) STRICT;

  CREATE TABLE private_locations (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    metadata TEXT NOT NULL,
    -- Changes whenever the agent would see something else.
    revision TEXT NOT NULL,
    last_seen_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE location_tokens (
    hash TEXT PRIMARY KEY,
    location_id TEXT NOT NULL REFERENCES private_locations (id) ON DELETE CASCADE,
    -- Null until another token takes its place.
    valid_until INTEGER
  ) STRICT;

  -- The definition is one JSON text: it is read and written whole, and its rules stand in code.
  CREATE TABLE monitors (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('http', 'tcp', 'dns')),
    definition TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE location_monitors (
    location_id TEXT NOT NULL REFERENCES private_locations (id) ON DELETE CASCADE,
    monitor_id TEXT NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
    PRIMARY KEY (location_id, monitor_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX location_monitors_by_monitor ON location_monitors (monitor_id);

  CREATE TABLE results (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    location_id TEXT NOT NULL REFERENCES private_locations (id) ON DELETE CASCADE,
    monitor_id TEXT NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
    slot INTEGER NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('success', 'degraded', 'error')),
    message TEXT NOT NULL,
    latency INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    status_code INTEGER NOT NULL,
    failure_code TEXT NOT NULL,
    failure_phase TEXT NOT NULL,
    -- The whole BatchResult as it came, for what has no column.
    payload BLOB NOT NULL,
    stored_at INTEGER NOT NULL,
    UNIQUE (location_id, monitor_id, slot)
  ) STRICT;
  CREATE INDEX results_by_monitor ON results (monitor_id, sequence);
  CREATE INDEX results_by_age ON results (stored_at);

  -- The newest result of each monitor at each location that says something of the target.
  CREATE TABLE monitor_states (
    location_id TEXT NOT NULL REFERENCES private_locations (id) ON DELETE CASCADE,
    monitor_id TEXT NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
    slot INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('success', 'degraded', 'error')),
    PRIMARY KEY (location_id, monitor_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX monitor_states_by_monitor ON monitor_states (monitor_id);

  CREATE TABLE instances (
    location_id TEXT NOT NULL REFERENCES private_locations (id) ON DELETE CASCADE,
    instance_id TEXT NOT NULL,
    hostname TEXT NOT NULL,
    node TEXT NOT NULL,
    version TEXT NOT NULL,
    results_waiting INTEGER NOT NULL,
    missed_slots INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    PRIMARY KEY (location_id, instance_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- How many results are kept, so that a summary does not read them all. The triggers see every way in and out, the
  -- cascades of a deleted monitor or location included.
  CREATE TABLE result_counts (
    location_id TEXT NOT NULL,
    monitor_id TEXT NOT NULL,
    status TEXT NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (monitor_id, location_id, status)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO result_counts
    SELECT location_id, monitor_id, status, COUNT(*) FROM results GROUP BY monitor_id, location_id, status;

  CREATE TRIGGER result_counted AFTER INSERT ON results BEGIN
    INSERT INTO result_counts VALUES (NEW.location_id, NEW.monitor_id, NEW.status, 1)
      ON CONFLICT DO UPDATE SET total = total + 1;
  END;
  CREATE TRIGGER result_forgotten AFTER DELETE ON results BEGIN
    UPDATE result_counts SET total = total - 1
      WHERE monitor_id = OLD.monitor_id AND location_id = OLD.location_id AND status = OLD.status;
    DELETE FROM result_counts
      WHERE monitor_id = OLD.monitor_id AND location_id = OLD.location_id AND status = OLD.status AND total = 0;
  END;
  `,
  `
  -- What an agent tells of itself beside the rest, and how the monitors of its location are placed on it.
  ALTER TABLE instances ADD COLUMN labels TEXT NOT NULL DEFAULT '{}';
  ALTER TABLE instances ADD COLUMN monitor_count INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE instances ADD COLUMN placement TEXT NOT NULL DEFAULT 'everywhere' CHECK (placement IN ('share', 'everywhere'));
  ALTER TABLE instances ADD COLUMN has_left INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE instances ADD COLUMN revision TEXT NOT NULL DEFAULT '';
  ALTER TABLE instances ADD COLUMN wanted INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE instances ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE instances ADD COLUMN steady_from INTEGER;
  `,
  `
  -- What an agent could not deliver.
  ALTER TABLE instances ADD COLUMN results_given_up INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE instances ADD COLUMN results_rejected INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- What the judge last said of each monitor and location, and when silence has it look again (null: never).
  ALTER TABLE monitors ADD COLUMN status TEXT NOT NULL DEFAULT 'unknown';
  ALTER TABLE monitors ADD COLUMN status_since INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE monitors ADD COLUMN judge_at INTEGER DEFAULT 0;
  CREATE INDEX monitors_by_judge_at ON monitors (judge_at);
  ALTER TABLE monitor_states ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
  UPDATE monitor_states SET since = slot;
  ALTER TABLE private_locations ADD COLUMN status TEXT NOT NULL DEFAULT 'unknown';
  ALTER TABLE private_locations ADD COLUMN last_seen_by TEXT NOT NULL DEFAULT 'heartbeat' CHECK (last_seen_by IN ('heartbeat', 'call'));
  ALTER TABLE private_locations ADD COLUMN stopped_at INTEGER;
  `,
  `
  -- Ids that are made from now on are integers, counted for each kind of thing; none is used twice.
  CREATE TABLE id_counters (kind TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT;
  -- A copy of a token that the service can read again; empty for those that were made before.
  ALTER TABLE location_tokens ADD COLUMN sealed TEXT NOT NULL DEFAULT '';
  ALTER TABLE results ADD COLUMN trigger TEXT NOT NULL DEFAULT 'cron' CHECK (trigger IN ('cron', 'api'));
  `,
  `
  -- Locations that are gone while their results still go, some at a time. No id is used twice.
  CREATE TABLE deleted_locations (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  `,
];
