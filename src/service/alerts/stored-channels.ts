import { rulesOf } from "#service/notify/provider-table";
import type { Configuration } from "#service/notify/channel";
import type { AlertChannel, ChannelBook, OpenChannel } from "#service/alerts/channel-book";
import type { NotificationChannels } from "#service/channels/notification-channels";
import type { ChannelHead } from "#service/store/channel-store";
import { channelId, monitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";

/** The channels of the store, as alerts need them. */
export class StoredChannels implements ChannelBook {
  readonly #rows: Store["alerts"]["channels"];
  readonly #channels: NotificationChannels;

  constructor({ alerts }: Store, channels: NotificationChannels) {
    this.#rows = alerts.channels;
    this.#channels = channels;
  }

  async ofMonitors(
    monitors: readonly number[],
  ): Promise<ReadonlyMap<number, readonly AlertChannel[]>> {
    const found = await this.#rows.ofMonitors(monitors.map(monitorId));
    return new Map([...found].map(([monitor, rows]) => [monitor, rows.map(shown)]));
  }

  async naming(location: number): Promise<readonly AlertChannel[]> {
    return (await this.#rows.heads())
      .filter(({ rules }) => rules.locations.includes(location))
      .map(shown);
  }

  async monitorsOf(channel: number): Promise<readonly number[]> {
    return (await this.#rows.get(channelId(channel)))?.monitors ?? [];
  }

  async open(channel: number): Promise<OpenChannel | null> {
    const row = await this.#rows.head(channelId(channel));
    if (row === null) return null;
    return { ...shown(row), provider: row.provider, channel: this.#channels.opened(row) };
  }

  moved(channel: number, configuration: Configuration): Promise<void> {
    return this.#channels.moved(channel, configuration);
  }
}

const shown = ({ id, name, provider, rules }: ChannelHead): AlertChannel => ({
  id,
  name,
  manner: rulesOf(provider).manner,
  rules,
});
