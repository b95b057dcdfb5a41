/** Results that are packed: a row for each series and hour. See packed-hour.ts. */
export const packedTables = `
  -- Written in the order of time, so the key has an index of its own. The hour is counted from the epoch.
  CREATE TABLE packed_results (
    monitor INTEGER NOT NULL,
    location INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    count INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (monitor, location, hour)
  ) STRICT;

  -- No hour that ends later has been packed. What comes with an older slot may be in a packed hour already.
  ALTER TABLE locations ADD COLUMN packed_until INTEGER NOT NULL DEFAULT 0;
`;

/** Which replicas read packed results: one of an older version does not say so. */
export const packingReplicas: string = `
  ALTER TABLE replicas ADD COLUMN packs INTEGER NOT NULL DEFAULT 0;
`;

/** Details that are packed: a row for each series and some hours. See packed-details.ts. */
export const packedDetailTables = `
  -- A span is eight hours, counted from the epoch.
  CREATE TABLE packed_details (
    monitor INTEGER NOT NULL,
    location INTEGER NOT NULL,
    span INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (monitor, location, span)
  ) STRICT;
`;

/** What a replica can read of what is packed; one of an older version says less. */
export const packsResults = 1;
export const packsDetails = 2;

export const replicaSessions = `
  -- By which a replica is seen to be there: a lock that its session has on the database. Null: it has none.
  ALTER TABLE replicas ADD COLUMN session INTEGER;
  `;
