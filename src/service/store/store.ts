import type { Paths } from "#service/store/path-store";
import type { AlertStore } from "#service/store/alert-store";
import type { PeopleStore } from "#service/store/people-store";
import type { AuditLog } from "#service/store/audit/audit-log";
import type { PageStore } from "#service/store/page-store";
import type { ConfigurationStore } from "#service/store/configuration-store";
import type { ResultStore } from "#service/store/result-store";
import type { StateStore } from "#service/store/state-store";
import type { ReaderStore } from "#service/store/subscriber-store";
import type { Trash } from "#service/store/trash/trash-store";
import type { StoreFault } from "#service/store/store-fault";

/**
 * Where the service keeps everything: results and state, on an engine that the caller does not know. Every call may
 * reject with a StoreFault, and nothing it acknowledges is lost by a kill or a power cut.
 */
export interface Store extends AsyncDisposable {
  readonly engine: "sqlite" | "postgres";
  readonly results: ResultStore;
  readonly state: StateStore;
  readonly alerts: AlertStore;
  readonly pages: PageStore;
  readonly readers: ReaderStore;
  readonly people: PeopleStore;
  readonly configuration: ConfigurationStore;
  /** Who changed what and when. */
  readonly audit: AuditLog;
  /** What was deleted and can be put back for a while. */
  readonly trash: Trash;
  readonly paths: Paths;
  /** `listener` gets changes by every replica, after they are durable; many at once are one. */
  onChange(listener: ChangeListener): Disposable;
  /** Null while the store takes and gives what it should; else what stands in the way. */
  health(): Promise<StoreFault | null>;
  /** How many servers of a cluster could not be reached when they were last tried: what they have cannot be read. */
  readonly serversAway: number;
  /** Writes a whole copy to a new file while everything works on. SQLite only; PostgreSQL has tools for it. */
  backup(file: string): Promise<void>;
}

/**
 * What has changed: any object that the log of changes has, what agents are given, who may call, what was seen, what the
 * judge says, which incidents are open, what status pages hold, or what waits for their subscribers.
 */
export const changes = [
  "objects",
  "assignments",
  "credentials",
  "results",
  "states",
  "incidents",
  "pages",
  "letters",
] as const;
export type Change = (typeof changes)[number];
/** A change that is not certain may have been made by another replica while this one could not hear it. */
export type ChangeListener = (change: Change, isCertain: boolean) => void;
