import { randomUUID } from "node:crypto";
import type { Queue } from "#service/alerting/queue";
import type { LaneHealth } from "#service/alerting/attempts";
import type { Clock } from "#base/clock";
import * as limits from "#limits/alerts-limits";
import type { Logger } from "#base/log";
import type { Provider } from "#service/notify/channel";
import { Bell } from "#service/edge/bell";
import type { ChannelBook, OpenChannel } from "#service/alerts/channel-book";
import { withReturn } from "#service/alerts/away-again";
import { ChannelTrouble } from "#service/alerts/channel-trouble";
import { ChannelTurn } from "#service/alerts/channel-turn";
import type { LastAlive } from "#service/alerts/last-alive";
import { Parents } from "#service/alerts/parents";
import { Reminders } from "#service/alerts/reminders";
import type { ChannelLook, StopSignals, TurnRoom } from "#service/alerts/turn-room";
import type { Monitors } from "#service/monitors/monitors";
import type { Settlement } from "#service/store/alert-store";
import type { Store } from "#service/store/store";
import type { Nanos } from "#base/units";

export interface CourierOptions extends Omit<TurnRoom, "holder"> {
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

  /** Delivers until it is stopped; a failure is logged once and the look repeated. */
  async run(stops: StopSignals): Promise<void> {
    const { stopping } = stops;
    const bell = new Bell();
    using _ = this.#store.onChange((change) => {
      if (change === "states") bell.ring();
    });
    let failing = false;
    while (!stopping.aborted) {
      try {
        await this.#look(bell, stops);
        this.#lookedAt = this.#clock.monotonic();
        failing = false;
      } catch (error) {
        if (!failing)
          this.#log.error("could not look for messages to deliver", {
            "error.message": String(error),
          });
        failing = true;
      }
      await bell.wait(this.#clock, limits.courierLookEvery, stopping);
    }
    await Promise.all(this.#turns.values());
    // Where the store is gone, the last note is a few seconds old.
    await this.#options.alive.note().catch(() => {});
  }

  async #look(bell: Bell, stops: StopSignals): Promise<void> {
    await this.#options.alive.noteSeldom();
    await this.#reminders.look();
    const now = this.#clock.wall();
    const due = await this.#store.alerts.deliveries.due(now);
    const free = due.filter((channel) => !this.#turns.has(channel));
    for (const channel of free.slice(0, limits.channelTurnsMax - this.#turns.size)) {
      const turn = this.#turn(channel, stops)
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

  async #turn(id: number, stops: StopSignals): Promise<void> {
    try {
      const look = await this.#lookAt(id);
      if (look === null || stops.stopping.aborted) return;
      const room = { ...this.#options, holder: this.#holder };
      const turn = new ChannelTurn(room, look, (isFree) => this.#lookAt(id, isFree), stops);
      const { before, after } = await turn.run();
      await this.#heed(look.channel, before, after);
    } finally {
      await this.#store.alerts.deliveries.release(this.#holder, id);
    }
  }

  /**
   * Takes a channel, or keeps it, with what waits for it and is free; null when another has it, or it takes nothing any
   * more. What is not free is under way: its answer says what becomes of it.
   */
  async #lookAt(
    id: number,
    isFree: (queue: Pick<Queue, "incident">) => boolean = () => true,
  ): Promise<ChannelLook | null> {
    const { deliveries, silences } = this.#store.alerts;
    const claim = await deliveries.claim(this.#holder, id, limits.channelClaim);
    if (claim === null) return null;
    const waiting = await this.#parents.of(claim.queues.filter(isFree));
    const queues = await withReturn(this.#store, waiting, this.#clock.wall());
    const channel = await this.#book.open(id);
    if (channel !== null && !claim.lane.isDisabled)
      return { channel, claim, queues, silences: await silences.list(this.#clock.wall()) };
    await this.#drop(id, channel?.provider ?? "gone", queues);
    return null;
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
