import type { CancelledWork } from "#service/store/trash/cancelled-work";
import type { EpochMillis } from "#base/units";

/** What was deleted and can be put back for a while: whole, with its id, its links and its results. */
export interface Trash {
  /** What would go with an object: its results and what refers to it. Null if it is not there. */
  belongings(kind: StatedKind, id: number): Promise<Belongings | null>;
  /** Null if it was not deleted since, or is purged. */
  get(kind: TrashKind, id: number, since: EpochMillis): Promise<TrashRow | null>;
  /** What this actor, as an entry has it, deleted since: the newest first, among the newest that anyone deleted. */
  recent(by: string, since: EpochMillis, limit: number): Promise<readonly RecentDeletion[]>;
  /**
   * Puts it back as it was, if it was deleted since. What it belonged to may be gone, or have no place for it, and then
   * that link is gone, too.
   */
  restore(kind: StatedKind, id: number, since: EpochMillis): Promise<RestoreOutcome>;
  /** Purges a portion of what was deleted before; true if there may be more. Results go later, in portions. */
  purge(before: EpochMillis): Promise<boolean>;
}

export const trashKinds = [
  "monitor",
  "location",
  "channel",
  "page",
  "report",
  "maintenance",
  "component",
  "group",
  "template",
  "subscriber",
  "update",
  "workUpdate",
] as const;
export type TrashKind = (typeof trashKinds)[number];

/**
 * What the log of changes has the states of. Of a subscriber it has what happened: `Subscribers.restore` puts one back. An update
 * is a part of its report or of its planned work, and `StatusReports.putBack` or `MaintenanceUpdates.putBack` puts it there.
 */
export type StatedKind = Exclude<TrashKind, "subscriber" | UpdateKind>;

/** What was said of a report, and of planned work. */
export type UpdateKind = Extract<TrashKind, "update" | "workUpdate">;
export const isUpdate = (kind: string): kind is UpdateKind =>
  kind === "update" || kind === "workUpdate";

/** What belongs to a status page: the log of changes has it as a part of the page. */
export const partKinds: readonly ["component", "group", "template"] = [
  "component",
  "group",
  "template",
];
export type PartKind = (typeof partKinds)[number];
export const isPart = (kind: string): kind is PartKind => partKinds.some((one) => one === kind);

/**
 * There: it was put back already. Gone: it is purged, was never there, or what it belonged to is not. Taken: another object has its name meanwhile.
 * Owned: the files that own it deleted it, or own the page of a part, and only they bring it back. Full: the page of a
 * part or of a subscriber, or the report of an update, has as many as it may have. Again: the same address subscribed anew meanwhile. Partly: a monitor is back without a component of a page that is full or of files.
 */
export type RestoreOutcome =
  | "restored"
  | "partly"
  | "there"
  | "gone"
  | "taken"
  | "owned"
  | "full"
  | "again";

export interface RecentDeletion {
  readonly kind: TrashKind;
  readonly id: number;
  readonly name: string;
  readonly deletedAt: EpochMillis;
  /** What subscribers are sent once it cannot be put back any more; null: nothing. */
  readonly cancelled: CancelledWork | null;
  /** The status page that a part was on; null of what is no part. */
  readonly page: number | null;
}

export interface TrashRow extends RecentDeletion {
  /** Who deleted it, in words. */
  readonly by: string;
  /** Whose files owned and deleted it, or own the page of a part; empty if there are none. */
  readonly owner: string;
}

/** How much there is of what goes with an object; 0 where it has none of that. */
export interface Belongings {
  readonly name: string;
  readonly owner: string;
  readonly results: number;
  readonly incidents: number;
  readonly locations: number;
  readonly channels: number;
  readonly monitors: number;
  readonly pages: number;
  readonly components: number;
  readonly reports: number;
  readonly updates: number;
  /** Those who get news. */
  readonly subscribers: number;
  /** Those who have not confirmed that they want them. */
  readonly unconfirmed: number;
}

/** The step that made room for it. Released steps are never edited. */
export const trashTables: string = `
  CREATE TABLE trash (
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    deleted_at INTEGER NOT NULL,
    deleted_by TEXT NOT NULL,
    -- Its rows in every table, as JSON. What was sealed is sealed here too.
    kept TEXT NOT NULL,
    PRIMARY KEY (kind, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX trash_by_age ON trash (deleted_at);
  `;

/** The step that keeps what subscribers are sent of planned work once it cannot be put back any more. */
export const cancelledWorks: string = `
  -- As JSON; empty: nothing.
  ALTER TABLE trash ADD COLUMN cancelled TEXT NOT NULL DEFAULT '';
  `;
