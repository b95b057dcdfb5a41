import type { EpochMillis } from "#base/units";
import type { LocationId, MonitorId } from "#service/store/ids";

/** A path that a location's agent sent: the bytes of its message, without the monitors. */
export interface SentPath {
  readonly monitors: readonly MonitorId[];
  readonly path: Uint8Array;
}

/** A monitor's path from one location, as it was sent last. */
export interface StoredPath {
  readonly location: LocationId;
  /** When the service received it. */
  readonly at: EpochMillis;
  readonly path: Uint8Array;
}

/** The paths to the targets of monitors, as their agents know them. */
export interface Paths {
  /** Of monitors that the location does not run, nothing is kept. */
  keep(location: LocationId, sent: readonly SentPath[], at: EpochMillis): Promise<void>;
  of(monitor: MonitorId): Promise<readonly StoredPath[]>;
}

/** The step that made room for paths. Released steps are never edited. */
export const pathTables: string = `
  CREATE TABLE monitor_paths (
    monitor INTEGER NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
    location INTEGER NOT NULL REFERENCES locations (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    -- A KnownPath of proto/private_location, with its changes.
    path BLOB NOT NULL,
    PRIMARY KEY (monitor, location)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX monitor_paths_by_location ON monitor_paths (location);
  `;
