import { randomUUID } from "node:crypto";
import type { Queue } from "#alerting/queue";
import type { LaneHealth } from "#alerting/attempts";
import type { Clock } from "#clock";
import * as limits from "#limits/alerts-limits";
import type { Logger } from "#log";
import type { Provider } from "#notify/channel";
import { Bell } from "#service/agents/bell";
import type { ChannelBook, OpenChannel } from "#service/alerts/channel-book";
import { ChannelTrouble } from "#service/alerts/channel-trouble";
import { ChannelTurn, type TurnRoom } from "#service/alerts/channel-turn";
import type { LastAlive } from "#service/alerts/last-alive";
import { Parents } from "#service/alerts/parents";
import { Reminders } from "#service/alerts/reminders";
import type { Monitors } from "#service/monitors";
import type { Claim, Settlement } from "#store/alert-store";
import type { Store } from "#store/store";
import type { Nanos } from "#units";

export interface CourierOptions extends Omit<TurnRoom, "holder" | "silences"> {
  readonly log: Logger;
  readonly monitors: Monitors;
  readonly alive: LastAlive;
}

/** Sends what waits in the outbox. Replicas share the channels: each is one replica's at a time. */
export class Courier {
  readonly #options: CourierOptions;
  readonly #store: Store;
  readonly #book: ChannelBook;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #holder: string = randomUUID();
  readonly #trouble: ChannelTrouble;
  readonly #reminders: Reminders;
  readonly #parents: Parents;
  /** Turns that have not ended, by channel: one slow provider delays no other. */
  readonly #turns = new Map<number, Promise<void>>();
  #lookedAt: Nanos | null = null;

  constructor(options: CourierOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#book = options.book;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#trouble = new ChannelTrouble(options.store, options.book, options.clock);
    this.#reminders = new Reminders(options.store, options.book, options.clock);
    this.#parents = new Parents(options.store, options.monitors, options.clock);
  }

  /** When it last looked at the outbox and that came to an end; null before the first time. */
  get lookedAt(): Nanos | null {
    return this.#lookedAt;
  }

  /** Delivers until `signal` aborts; a failure is logged once and the look repeated. */
  async run(signal: AbortSignal): Promise<void> {
    const bell = new Bell();
    using _ = this.#store.onChange((change) => {
      if (change === "states") bell.ring();
    });
    let failing = false;
    while (!signal.aborted) {
      try {
        await this.#look(bell, signal);
        this.#lookedAt = this.#clock.monotonic();
        failing = false;
      } catch (error) {
        if (!failing)
          this.#log.error("could not look for messages to deliver", {
            "error.message": String(error),
          });
        failing = true;
      }
      await bell.wait(this.#clock, limits.courierLookEvery, signal);
    }
    await Promise.all(this.#turns.values());
    // Where the store is gone, the last note is a few seconds old.
    await this.#options.alive.note().catch(() => {});
  }

  async #look(bell: Bell, signal: AbortSignal): Promise<void> {
    await this.#options.alive.noteSeldom();
    await this.#reminders.look();
    const now = this.#clock.wall();
    const due = await this.#store.alerts.deliveries.due(now);
    const free = due.filter((channel) => !this.#turns.has(channel));
    for (const channel of free.slice(0, limits.channelTurnsMax - this.#turns.size)) {
      const turn = this.#turn(channel, signal)
        .catch((error: unknown) =>
          this.#log.error("could not deliver to a channel", {
            "channel.id": channel,
            "error.message": String(error),
          }),
        )
        .finally(() => {
          this.#turns.delete(channel);
          bell.ring();
        });
      this.#turns.set(channel, turn);
    }
  }

  async #turn(id: number, signal: AbortSignal): Promise<void> {
    const { deliveries } = this.#store.alerts;
    const claim = await deliveries.claim(this.#holder, id, limits.channelClaim);
    if (claim === null) return;
    try {
      const queues = await this.#parents.of(claim.queues);
      const channel = await this.#book.open(id);
      if (channel === null) await this.#drop(id, "gone", queues);
      else if (claim.lane.isDisabled) await this.#drop(id, channel.provider, queues);
      else await this.#deliver(channel, claim, queues, signal);
    } finally {
      await deliveries.release(this.#holder, id);
    }
  }

  async #deliver(
    channel: OpenChannel,
    claim: Claim,
    queues: readonly Queue[],
    signal: AbortSignal,
  ): Promise<void> {
    const silences = await this.#store.alerts.silences.list(this.#clock.wall());
    const room = { ...this.#options, holder: this.#holder, silences };
    const { before, after: lane } = await new ChannelTurn(room, channel, claim).run(
      claim,
      queues,
      signal,
    );
    await this.#heed(channel, before, lane);
  }

  /** A channel that begins or ceases to fail is an event for the others. */
  async #heed(channel: OpenChannel, before: LaneHealth, lane: LaneHealth): Promise<void> {
    if (before.failing === null && lane.failing !== null)
      await this.#trouble.began(channel, lane.failing);
    if (before.failing !== null && lane.failing === null) await this.#trouble.ended(channel);
  }

  async #drop(
    channel: number,
    provider: Provider | "gone",
    queues: readonly Queue[],
  ): Promise<void> {
    const all = queues.flatMap(({ waiting }) => waiting);
    const settlement: Settlement = {
      channel,
      now: this.#clock.wall(),
      lane: null,
      recent: null,
      attempted: [],
      held: [],
      dropped: all.map(({ id }) => ({ id, reason: "channel_gone" })),
    };
    const isKept = await this.#store.alerts.deliveries.settle(this.#holder, settlement);
    if (isKept) this.#options.counts.settled(provider, settlement);
  }
}
