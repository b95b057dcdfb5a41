/** The step that made room for status pages. Released steps are never edited. */
export const tables: string = `
  CREATE TABLE pages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    slug TEXT NOT NULL UNIQUE,
    domain TEXT NOT NULL,
    -- JSON: it is read and written whole.
    definition TEXT NOT NULL,
    sealed TEXT NOT NULL,
    owner TEXT NOT NULL,
    labels TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX pages_by_domain ON pages (domain) WHERE domain <> '';

  CREATE TABLE page_groups (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    page INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    default_open INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX page_groups_by_page ON page_groups (page);

  CREATE TABLE page_components (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    page INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    -- Null of a static one.
    monitor INTEGER REFERENCES monitors (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    place INTEGER NOT NULL,
    page_group INTEGER REFERENCES page_groups (id) ON DELETE SET NULL,
    group_place INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX page_components_by_page ON page_components (page);
  CREATE INDEX page_components_by_monitor ON page_components (monitor);
  CREATE INDEX page_components_by_group ON page_components (page_group);

  CREATE TABLE reports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    page INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    status TEXT NOT NULL,
    title TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    -- The date of its newest update.
    newest_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX reports_by_page ON reports (page, newest_at);

  CREATE TABLE report_components (
    report INTEGER NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
    component INTEGER NOT NULL REFERENCES page_components (id) ON DELETE CASCADE,
    PRIMARY KEY (report, component)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX report_components_by_component ON report_components (component);

  CREATE TABLE report_updates (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    report INTEGER NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
    status TEXT NOT NULL,
    at INTEGER NOT NULL,
    message TEXT NOT NULL,
    -- JSON.
    impacts TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX report_updates_by_report ON report_updates (report, at);
  `;

/** The step that keeps which updates were sent to subscribers: their letters go as they are sent. */
export const announcedUpdates: string = `
  ALTER TABLE report_updates ADD COLUMN announced INTEGER NOT NULL DEFAULT 0;
  `;

/** The step that keeps by which domain a page was reached: links lead to it from then on. Those of before lead to it already. */
export const reachedDomains: string = `
  ALTER TABLE pages ADD COLUMN reached_by TEXT NOT NULL DEFAULT '';
  UPDATE pages SET reached_by = domain;
  `;

/** The step that keeps names in addresses, and domains, that pages had before: what was sent out leads to the page still. */
export const formerAddresses: string = `
  CREATE TABLE page_former_addresses (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    page INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    left_at INTEGER NOT NULL,
    PRIMARY KEY (kind, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX page_former_addresses_by_page ON page_former_addresses (page);
  `;

/** The step that keeps icons which are files. As text, since what is deleted is kept as JSON. */
export const pageIconTables: string = `
  CREATE TABLE page_icons (
    page INTEGER PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    picture TEXT NOT NULL
  ) STRICT;
  `;

/** The step that keeps what subscribers are sent of planned work by itself, and what each letter about it said. */
export const saidWork: string = `
  ALTER TABLE maintenances ADD COLUMN reminds INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE maintenances ADD COLUMN says_times INTEGER NOT NULL DEFAULT 0;
  -- JSON; empty for reports, and for news that were announced before.
  ALTER TABLE news_tallies ADD COLUMN said TEXT NOT NULL DEFAULT '';
  `;
