/** The counts, times and latencies of a stretch of time. */
export function rollups(table: "hourly" | "daily"): string {
  return `CREATE TABLE ${table} (
    bucket INTEGER NOT NULL,
    monitor INTEGER NOT NULL,
    location INTEGER NOT NULL,
    success INTEGER NOT NULL,
    degraded INTEGER NOT NULL,
    error INTEGER NOT NULL,
    unknown INTEGER NOT NULL,
    known INTEGER NOT NULL,
    down INTEGER NOT NULL,
    latency_sum INTEGER NOT NULL,
    latency_max INTEGER NOT NULL,
    latencies BLOB NOT NULL,
    PRIMARY KEY (bucket, monitor, location)
  ) STRICT, WITHOUT ROWID;`;
}

/** The step since which the newest latency of a series has its part of a millisecond. */
export const seenMicros: string = `
  -- 0 if it is not known, or if a replica that does not know it wrote another latency next to it.
  ALTER TABLE series ADD COLUMN seen_micros INTEGER NOT NULL DEFAULT 0;
  `;

/** The step since which a series says for how long its newest result stands. */
export const standingResults: string = `
  -- Until when the newest result of the schedule counts; 0 if it says nothing of the target, or came before this step.
  ALTER TABLE series ADD COLUMN stands_until INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE series ADD COLUMN stands_down INTEGER NOT NULL DEFAULT 0;
  `;
