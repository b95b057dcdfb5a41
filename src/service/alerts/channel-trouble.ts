import type { LaneHealth } from "#service/alerting/attempts";
import type { Incident } from "#service/alerting/incident";
import { newIncident } from "#service/alerting/incident-machine";
import type { ChannelSnapshot } from "#service/alerting/snapshot";
import type { Clock } from "#base/clock";
import { rulesOf } from "#service/notify/provider-table";
import type { ChannelBook, OpenChannel } from "#service/alerts/channel-book";
import type { Store } from "#service/store/store";

/** Says once, on the other channels of the same monitors, that a channel takes no messages. */
export class ChannelTrouble {
  readonly #store: Store;
  readonly #book: ChannelBook;
  readonly #clock: Clock;

  constructor(store: Store, book: ChannelBook, clock: Clock) {
    this.#store = store;
    this.#book = book;
    this.#clock = clock;
  }

  async began(
    channel: OpenChannel,
    { since, message }: NonNullable<LaneHealth["failing"]>,
  ): Promise<void> {
    const now = this.#clock.wall();
    const others = await this.#others(channel.id);
    const incident = newIncident({ kind: "channel", id: channel.id }, "error", since, now);
    await this.#store.alerts.incidents.note({
      incident,
      name: channel.name,
      cause: "",
      at: now,
      snapshot: snapshotOf(channel, message),
      events: [{ kind: "opened", to: { are: "channels", channels: others } }],
    });
  }

  /** It takes messages again: that is no message, but another failure is. */
  async ended(channel: OpenChannel): Promise<void> {
    const [last] = await this.#store.alerts.incidents.newest("channel", [channel.id]);
    if (last === undefined || last.ended !== null) return;
    const now = this.#clock.wall();
    const incident: Incident = { ...last, ended: { at: now, because: "recovered" } };
    await this.#store.alerts.incidents.note({
      incident,
      name: channel.name,
      cause: "",
      at: now,
      snapshot: snapshotOf(channel, ""),
      events: [{ kind: "closed", to: { are: "channels", channels: [] } }],
    });
  }

  async #others(channel: number): Promise<readonly number[]> {
    const monitors = await this.#book.monitorsOf(channel);
    const all = [...(await this.#book.ofMonitors(monitors)).values()].flat();
    return [...new Set(all.map(({ id }) => id))].filter((id) => id !== channel);
  }
}

const snapshotOf = ({ id, name, provider }: OpenChannel, message: string): ChannelSnapshot => ({
  of: "channel",
  channel: { id: String(id), name, provider: rulesOf(provider).label },
  message,
});
