import type { ChannelRules } from "#service/alerting/channel-rules";
import type { Provider } from "#service/notify/channel";
import type { ChannelId, MonitorId } from "#service/store/ids";
import type { Ownership, Page } from "#service/store/state-store";
import type { EpochMillis } from "#base/units";

/** Where messages go. What is secret about a channel is sealed before it comes here. */
export interface Channels {
  create(made: NewChannel): Promise<ChannelId>;
  /**
   * The same, and in the same transaction it is notified of the open incidents that it selects: the newest event of each that says
   * how it stands. What is acknowledged is left out.
   */
  createAnnouncing(made: NewChannel): Promise<AnnouncedChannel>;
  /** What is null stays as it is; false when there is none. */
  update(id: ChannelId, changed: ChannelChange): Promise<boolean>;
  delete(id: ChannelId): Promise<boolean>;
  get(id: ChannelId): Promise<ChannelRow | null>;
  list(page: Page): Promise<readonly ChannelRow[]>;
  count(): Promise<number>;
  /** The channels of each of these monitors that has any, with those of all monitors. */
  ofMonitors(
    monitors: readonly MonitorId[],
  ): Promise<ReadonlyMap<MonitorId, readonly ChannelHead[]>>;
  /** A channel without its list of monitors, which may be long. */
  head(id: ChannelId): Promise<ChannelHead | null>;
  /** All channels, without their lists of monitors, which may be long. */
  heads(): Promise<readonly ChannelHead[]>;
  /** The monitors in the lists of these channels: of a channel of all monitors, those that were named besides. */
  listed(channels: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, readonly MonitorId[]>>;
}

export interface AnnouncedChannel {
  readonly id: ChannelId;
  /** Of how many open incidents it is notified at once. */
  readonly announced: number;
  /** Of how many more it is notified when a silence of them ends. */
  readonly silenced: number;
}

export interface ChannelSecret {
  /** The configuration as JSON, sealed. */
  readonly sealed: string;
  /** Shows whether two configurations are the same, and neither of them. */
  readonly fingerprint: string;
}

/** A channel without its list of monitors. */
export interface ChannelHead extends Ownership, ChannelSecret {
  readonly id: ChannelId;
  /** Names the channel where its secret is sealed: it is made with it, before it has an id. */
  readonly uid: string;
  readonly name: string;
  readonly provider: Provider;
  readonly rules: ChannelRules;
  readonly createdAt: EpochMillis;
  readonly updatedAt: EpochMillis;
}

export interface ChannelRow extends ChannelHead {
  /** Of a channel of all monitors, those that there are. */
  readonly monitors: readonly MonitorId[];
}

export interface NewChannel extends Ownership, ChannelSecret {
  readonly uid: string;
  readonly name: string;
  readonly provider: Provider;
  readonly rules: ChannelRules;
  readonly monitors: readonly MonitorId[];
  readonly at: EpochMillis;
}

export interface ChannelChange {
  readonly name: string | null;
  readonly secret: ChannelSecret | null;
  readonly rules: ChannelRules | null;
  readonly monitors: readonly MonitorId[] | null;
  readonly ownership: Ownership | null;
  readonly at: EpochMillis;
}

/** The step that made room for channels. Released steps are never edited. */
export const channelTables: string = `
  CREATE TABLE channels (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    provider TEXT NOT NULL,
    -- The configuration as JSON, sealed.
    sealed TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    -- JSON.
    rules TEXT NOT NULL,
    owner TEXT NOT NULL,
    labels TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE channel_monitors (
    channel INTEGER NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
    monitor INTEGER NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
    PRIMARY KEY (channel, monitor)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX channel_monitors_by_monitor ON channel_monitors (monitor);
  `;

/** The step that keeps the last test of a channel; the trouble is empty if the provider accepted it. */
export const channelTests: string = `
  ALTER TABLE lanes ADD COLUMN tested_at INTEGER;
  ALTER TABLE lanes ADD COLUMN test_trouble TEXT NOT NULL DEFAULT '';
  `;
