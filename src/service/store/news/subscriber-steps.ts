/** The step that made room for subscribers. Released steps are never edited. */
export const subscriberTables: string = `
  CREATE TABLE page_subscribers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    page INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    way TEXT NOT NULL,
    mark TEXT NOT NULL,
    sealed TEXT NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL,
    locale TEXT NOT NULL,
    -- 1: all of the page, whatever is listed.
    is_whole INTEGER NOT NULL,
    asked_at INTEGER,
    accepted_at INTEGER,
    unsubscribed_at INTEGER,
    refusals INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (page, way, mark)
  ) STRICT;

  CREATE TABLE subscriber_components (
    subscriber INTEGER NOT NULL REFERENCES page_subscribers (id) ON DELETE CASCADE,
    component INTEGER NOT NULL REFERENCES page_components (id) ON DELETE CASCADE,
    PRIMARY KEY (subscriber, component)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX subscriber_components_by_component ON subscriber_components (component);

  -- Who asked for a mail to whom, so that none can have many sent; kept for a day.
  CREATE TABLE page_asks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    page INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    -- Empty where no mail was sent.
    mark TEXT NOT NULL,
    reader TEXT NOT NULL,
    at INTEGER NOT NULL,
    used_at INTEGER
  ) STRICT;
  CREATE INDEX page_asks_by_mark ON page_asks (mark, at);
  CREATE INDEX page_asks_by_reader ON page_asks (reader, at);
  CREATE INDEX page_asks_by_page ON page_asks (page, at);

  CREATE TABLE page_letters (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    page INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    subscriber INTEGER REFERENCES page_subscribers (id) ON DELETE CASCADE,
    report_update INTEGER REFERENCES report_updates (id) ON DELETE CASCADE,
    maintenance INTEGER REFERENCES maintenances (id) ON DELETE CASCADE,
    ask INTEGER REFERENCES page_asks (id) ON DELETE CASCADE,
    -- The recipient, where that is no subscriber.
    sealed TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    holder TEXT NOT NULL DEFAULT '',
    held_until INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX page_letters_due ON page_letters (due_at, id);
  CREATE INDEX page_letters_by_subscriber ON page_letters (subscriber, id);
  CREATE INDEX page_letters_by_page ON page_letters (page);
  CREATE INDEX page_letters_by_update ON page_letters (report_update);
  CREATE INDEX page_letters_by_maintenance ON page_letters (maintenance);
  CREATE INDEX page_letters_by_ask ON page_letters (ask);
  `;

/** The step that made room for subscribers with a webhook. */
export const webhookSubscribers: string = `
  ALTER TABLE page_subscribers ADD COLUMN trouble TEXT NOT NULL DEFAULT '';
  ALTER TABLE page_subscribers ADD COLUMN failing_since INTEGER;
  ALTER TABLE page_letters ADD COLUMN way TEXT NOT NULL DEFAULT 'email';
  CREATE INDEX page_letters_due_by_way ON page_letters (way, due_at, id);
  DROP INDEX page_letters_due;
  `;

/** The step that made a difference between those that their receivers ended and those who left. */
export const endedSubscribers: string = `
  ALTER TABLE page_subscribers ADD COLUMN ended_by_receiver INTEGER NOT NULL DEFAULT 0;
  `;

/** The step that makes a difference between readers who left and those whom an operator removed. */
export const leftSubscribers: string = `
  ALTER TABLE page_subscribers ADD COLUMN left_by_reader INTEGER NOT NULL DEFAULT 0;
  -- Who ended one of before is not known: it counts as its reader.
  UPDATE page_subscribers SET left_by_reader = 1 WHERE unsubscribed_at IS NOT NULL AND ended_by_receiver = 0;
  `;

/** The step that keeps when each subscriber was last sent news, and what came of it. */
export const sentSubscribers: string = `
  ALTER TABLE page_subscribers ADD COLUMN last_sent_at INTEGER;
  -- Empty: it was received.
  ALTER TABLE page_subscribers ADD COLUMN last_sent_trouble TEXT NOT NULL DEFAULT '';
  `;
