import * as alertSteps from "#service/store/alert-tables";
import { assignmentTables, callsByToken, workingCalls } from "#service/store/assignment-tables";
import { pathTables } from "#service/store/path-store";
import { commentAuthors, commentTables } from "#service/store/comment-store";
import { auditChain, auditTables } from "#service/store/audit/audit-log";
import { channelTables, channelTests } from "#service/store/channel-store";
import { movedEndsOfWork } from "#service/store/moved-ends";
import { newsTallyTables, talliedWays } from "#service/store/news/news-tally";
import * as pageSteps from "#service/store/page-steps";
import * as subscriberSteps from "#service/store/news/subscriber-steps";
import { maintenanceUpdateTables } from "#service/store/maintenance-update-store";
import { configurationTables } from "#service/store/configuration-store";
import { rollups, seenMicros, standingResults } from "#service/store/rollup-tables";
import { passkeyTables } from "#service/store/passkey-store";
import { accountUses, accountZones, peopleTables } from "#service/store/people-store";
import {
  packedDetailTables,
  packedTables,
  packingReplicas,
  replicaSessions,
} from "#service/store/packing/packed-tables";
import { cancelledWorks, trashTables } from "#service/store/trash/trash-store";
import { templateTables } from "#service/store/templates/template-store";

/**
 * How a database came to its shape: each step is run once, in order, in a transaction. A step that was released is
 * never edited; the next change is a new step. They are written in SQLite's words, and translated.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  -- The definition is one JSON text: it is read and written whole, and its rules stand in code.
  CREATE TABLE monitors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL,
    kind TEXT NOT NULL,
    active INTEGER NOT NULL,
    definition TEXT NOT NULL,
    owner TEXT NOT NULL,
    labels TEXT NOT NULL,
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX monitors_by_uid ON monitors (uid) WHERE uid <> '';

  CREATE TABLE locations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL,
    name TEXT NOT NULL,
    metadata TEXT NOT NULL,
    owner TEXT NOT NULL,
    labels TEXT NOT NULL,
    revision TEXT NOT NULL,
    instances_version INTEGER NOT NULL,
    last_seen_at INTEGER,
    last_seen_by TEXT NOT NULL,
    stopped_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX locations_by_uid ON locations (uid) WHERE uid <> '';

  CREATE TABLE location_tokens (
    hash TEXT PRIMARY KEY,
    location INTEGER NOT NULL REFERENCES locations (id) ON DELETE CASCADE,
    sealed TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    -- Null until another token takes its place.
    valid_until INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX location_tokens_by_location ON location_tokens (location);

  CREATE TABLE assignments (
    location INTEGER NOT NULL REFERENCES locations (id) ON DELETE CASCADE,
    monitor INTEGER NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
    PRIMARY KEY (location, monitor)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX assignments_by_monitor ON assignments (monitor);

  CREATE TABLE instances (
    location INTEGER NOT NULL REFERENCES locations (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    last_seen_at INTEGER NOT NULL,
    has_left INTEGER NOT NULL,
    revision TEXT NOT NULL,
    wanted INTEGER NOT NULL,
    settled INTEGER NOT NULL,
    steady_from INTEGER,
    placement TEXT NOT NULL,
    -- JSON; empty until the first heartbeat.
    report TEXT NOT NULL,
    PRIMARY KEY (location, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE api_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    scope TEXT NOT NULL,
    prefix TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER,
    revoked_at INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX api_keys_by_uid ON api_keys (uid) WHERE uid <> '';

  CREATE TABLE states (
    monitor INTEGER PRIMARY KEY REFERENCES monitors (id) ON DELETE CASCADE,
    status TEXT NOT NULL,
    since INTEGER NOT NULL,
    -- When silence has the judge look again; null: never.
    judge_at INTEGER,
    memory TEXT NOT NULL
  ) STRICT;
  CREATE INDEX states_by_judge_at ON states (judge_at);

  CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    held_until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE replicas (holder TEXT PRIMARY KEY, seen_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  -- One monitor at one location. It has no reference to either: it goes once its results have gone, in portions.
  CREATE TABLE series (
    monitor INTEGER NOT NULL,
    location INTEGER NOT NULL,
    -- Of what was not asked for; 0 where there is none.
    newest_slot INTEGER NOT NULL,
    -- Of the newest result that says something of the target.
    seen_slot INTEGER,
    seen_status INTEGER NOT NULL,
    seen_since INTEGER NOT NULL,
    seen_started INTEGER NOT NULL,
    seen_latency INTEGER NOT NULL,
    success INTEGER NOT NULL,
    degraded INTEGER NOT NULL,
    error INTEGER NOT NULL,
    -- Results that are there still.
    kept INTEGER NOT NULL,
    PRIMARY KEY (monitor, location)
  ) STRICT, WITHOUT ROWID;

  -- Monitors and locations that are deleted, and whose results are still being forgotten.
  CREATE TABLE removals (
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
  ) STRICT, WITHOUT ROWID;

  -- Failures, as "code phase", by a number: a result has only that.
  CREATE TABLE failures (id INTEGER PRIMARY KEY AUTOINCREMENT, word TEXT NOT NULL UNIQUE) STRICT;

  -- 'started' and 'stored' are counted from the slot, because small numbers take little room.
  CREATE TABLE results (
    monitor INTEGER NOT NULL,
    location INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    status INTEGER NOT NULL,
    latency INTEGER NOT NULL,
    started INTEGER NOT NULL,
    status_code INTEGER NOT NULL,
    failure INTEGER NOT NULL,
    stored INTEGER NOT NULL,
    phases BLOB NOT NULL,
    attempts INTEGER NOT NULL,
    asked INTEGER NOT NULL,
    PRIMARY KEY (monitor, location, slot)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE result_details (
    monitor INTEGER NOT NULL,
    location INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    message TEXT NOT NULL,
    payload BLOB NOT NULL,
    PRIMARY KEY (monitor, location, slot)
  ) STRICT, WITHOUT ROWID;

  -- The bucket leads the key: what is written now lies together, and so does what is forgotten.
  ${rollups("hourly")}
  ${rollups("daily")}
  `,
  alertSteps.alertTables,
  channelTables,
  `
  -- Counts up whenever a monitor becomes due for the judge.
  ALTER TABLE states ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- The newest slot of which nothing was learned, because the location itself was broken.
  ALTER TABLE series ADD COLUMN blind_slot INTEGER;

  -- Slots in a row of which nothing was learned: from 'slot' to 'last_slot', and why.
  CREATE TABLE gaps (
    monitor INTEGER NOT NULL,
    location INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    last_slot INTEGER NOT NULL,
    slots INTEGER NOT NULL,
    cause TEXT NOT NULL,
    sentence TEXT NOT NULL,
    PRIMARY KEY (monitor, location, slot)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Attempts of which it is not known whether the provider took the message.
  ALTER TABLE deliveries ADD COLUMN in_doubt INTEGER NOT NULL DEFAULT 0;
  -- Whether channels that ask for maintenance hear of its windows.
  ALTER TABLE maintenances ADD COLUMN notify INTEGER NOT NULL DEFAULT 1;
  `,
  `
  -- It says that its own place is broken.
  ALTER TABLE instances ADD COLUMN impaired INTEGER NOT NULL DEFAULT 0;
  `,
  pageSteps.tables,
  configurationTables,
  `
  -- Refusals of the recipient in a row.
  ALTER TABLE lanes ADD COLUMN refusals INTEGER NOT NULL DEFAULT 0;
  `,
  subscriberSteps.subscriberTables,
  subscriberSteps.webhookSubscribers,
  `
  -- Sessions of people that were ended before their time: their cookies hold until then.
  CREATE TABLE ended_sessions (id TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  commentTables,
  peopleTables,
  auditTables,
  trashTables,
  maintenanceUpdateTables,
  `
  -- Of the newest certificate that a check saw.
  ALTER TABLE series ADD COLUMN certificate_begin INTEGER;
  ALTER TABLE series ADD COLUMN certificate_end INTEGER;
  `,
  auditChain,
  assignmentTables,
  pathTables,
  passkeyTables,
  packedTables,
  packingReplicas,
  packedDetailTables,
  // Lists of a large service ask for what is not well: a few of many.
  "CREATE INDEX states_not_active ON states (monitor) WHERE status <> 'active';",
  alertSteps.authorOfEvents,
  channelTests,
  replicaSessions,
  accountZones,
  alertSteps.earlierPlans,
  standingResults,
  movedEndsOfWork,
  pageSteps.announcedUpdates,
  newsTallyTables,
  seenMicros,
  callsByToken,
  pageSteps.pageIconTables,
  accountUses,
  subscriberSteps.endedSubscribers,
  workingCalls,
  subscriberSteps.sentSubscribers,
  cancelledWorks,
  pageSteps.reachedDomains,
  pageSteps.saidWork,
  alertSteps.acknowledgedSeverity,
  talliedWays,
  pageSteps.formerAddresses,
  commentAuthors,
  subscriberSteps.leftSubscribers,
  templateTables,
];
