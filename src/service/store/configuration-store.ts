import type { MaintenanceRow, NewMaintenance } from "#service/store/maintenance-store";
import type { ComponentRow, GroupRow, NewStatusPage, PageContent } from "#service/store/page-store";
import type { ChannelChange, ChannelRow, NewChannel } from "#service/store/channel-store";
import type {
  LocationChange,
  LocationWithMonitors,
  MonitorRow,
  NewLocation,
  NewMonitor,
} from "#service/store/state-store";
import type { NewToken } from "#service/store/token-store";
import type { EpochMillis } from "#base/units";

/** Everything that files may say of a service, read and changed as a whole. */
export interface ConfigurationStore {
  estate(): Promise<Estate>;
  /** Makes all of it in one transaction. Null, and nothing made, where the estate is another than `revision` names. */
  change(
    revision: string,
    writes: ConfigurationWrites,
  ): Promise<ReadonlyMap<string, number> | null>;
  /** Notes that a person is about to change or delete an object of an owner by hand; of others nothing is noted. */
  touch(kind: ObjectKind, id: number, touch: Pick<Touch, "deed" | "at" | "by">): Promise<void>;
  /** The owner of an object; null if it is not there. */
  ownerOf(kind: ObjectKind, id: number): Promise<string | null>;
  /** False if it is not there, or is not the expected owner's: someone else took it meanwhile. */
  own(kind: ObjectKind, id: number, owner: string, expected: string): Promise<boolean>;
}

export const objectKinds = ["monitor", "location", "channel", "page", "maintenance"] as const;
/** What has an owner. What stands on a page belongs to the page's. */
export type ObjectKind = (typeof objectKinds)[number];

export interface Estate {
  /** A digest of all that a file may say of it. */
  readonly revision: string;
  readonly monitors: readonly MonitorRow[];
  readonly locations: readonly LocationWithMonitors[];
  readonly channels: readonly ChannelRow[];
  readonly pages: readonly PageContent[];
  readonly maintenances: readonly MaintenanceRow[];
  readonly touches: readonly Touch[];
}

/** What was done by hand to an object of an owner since its files were last applied. */
export interface Touch {
  readonly kind: ObjectKind;
  readonly id: number;
  readonly name: string;
  readonly owner: string;
  readonly deed: "changed" | "deleted";
  readonly at: EpochMillis;
  /** The key that did it. */
  readonly by: string;
}

/** An id, or the key of an object that is made in the same transaction. */
export type ObjectRef = number | string;

/** What is changed together, in this order; what is removed goes last. */
export interface ConfigurationWrites {
  readonly monitors: readonly (ObjectWrite<NewMonitor> & {
    readonly dependsOn: readonly ObjectRef[];
  })[];
  readonly newLocations: readonly NewLocationWrite[];
  readonly locations: readonly {
    readonly id: number;
    readonly to: Omit<LocationChange, "monitors">;
    readonly monitors: readonly ObjectRef[];
  }[];
  readonly newChannels: readonly (ChannelRefs & {
    readonly made: Omit<NewChannel, "monitors">;
  })[];
  readonly channels: readonly (ChannelRefs & {
    readonly id: number;
    readonly to: Omit<ChannelChange, "monitors" | "rules"> & {
      readonly rules: NewChannel["rules"];
    };
  })[];
  readonly pages: readonly PageWrite[];
  readonly maintenances: readonly (ObjectWrite<
    Omit<NewMaintenance, "monitors" | "locations" | "page" | "components">
  > &
    ChannelRefs & {
      readonly page: ObjectRef | null;
      readonly components: readonly ObjectRef[];
    })[];
  readonly removals: readonly {
    readonly kind: ObjectKind | "component" | "group";
    readonly id: number;
  }[];
  /** As a file says them: what was done to them by hand counts no more. */
  readonly settled: readonly { readonly kind: ObjectKind; readonly id: number }[];
}

/** Where `id` is null it is made, and known by its key. */
interface ObjectWrite<T> {
  readonly key: string;
  readonly id: number | null;
  readonly to: T;
}

/** A page with what is made or changed of it; `to` is null if only what stands on it is. */
export interface PageWrite extends ObjectWrite<NewStatusPage | null> {
  readonly at: EpochMillis;
  readonly groups: readonly (Pick<GroupRow, "name" | "defaultOpen"> & {
    readonly key: string;
    readonly id: number | null;
  })[];
  readonly components: readonly (Omit<
    ComponentRow,
    "id" | "page" | "monitor" | "group" | "createdAt" | "updatedAt"
  > & {
    readonly key: string;
    readonly id: number | null;
    readonly monitor: ObjectRef | null;
    readonly group: ObjectRef | null;
  })[];
}

interface ChannelRefs {
  readonly monitors: readonly ObjectRef[];
  readonly locations: readonly ObjectRef[];
}

export interface NewLocationWrite {
  readonly key: string;
  /** Names it where its token is sealed: that is made with it, before it has an id. */
  readonly uid: string;
  readonly made: Omit<NewLocation, "monitors">;
  readonly token: NewToken;
  readonly monitors: readonly ObjectRef[];
}

/** The step that made room for what is done by hand. Released steps are never edited. */
export const configurationTables: string = `
  CREATE TABLE touches (
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    owner TEXT NOT NULL,
    deed TEXT NOT NULL,
    at INTEGER NOT NULL,
    touched_by TEXT NOT NULL,
    PRIMARY KEY (kind, id)
  ) STRICT, WITHOUT ROWID;
  `;
