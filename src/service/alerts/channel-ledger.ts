import {
  type AttemptStart,
  fateOf,
  type LaneHealth,
  pauseAskedIn,
} from "#service/alerting/attempts";
import { type Letter, recentLetter, type RecentLetter } from "#service/alerting/letters";
import * as limits from "#limits/alerts-limits";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import type { OpenChannel } from "#service/alerts/channel-book";
import type { TurnRoom } from "#service/alerts/turn-room";
import type { Claim, DeliveryAttempt, Settlement } from "#service/store/alert-store";
import { between, epochMillis, type EpochMillis } from "#base/units";

/** What was tried, as far as the ledger needs it. */
interface TriedDelivery {
  readonly id: number;
  readonly attempts: number;
  readonly firstTriedAt: EpochMillis | null;
}

/** What a turn writes down of its channel, one after the other: nothing older replaces what is newer. */
export class ChannelLedger {
  readonly #room: TurnRoom;
  readonly #channel: Pick<OpenChannel, "id" | "provider">;
  #health: LaneHealth;
  #recent: readonly RecentLetter[];
  /** When each of what waits was first tried, also of what is held by now. */
  readonly #triedBefore: readonly EpochMillis[];
  /** Messages that the channel took in this turn. */
  #taken = 0;
  /** Until when an answer of this turn asked for a pause. */
  #askedUntil: EpochMillis = epochMillis(0);
  #written: Promise<unknown> = Promise.resolve();

  constructor(room: TurnRoom, channel: OpenChannel, { lane, recent, queues }: Claim) {
    this.#room = room;
    this.#channel = channel;
    this.#health = lane;
    this.#recent = recent;
    this.#triedBefore = queues
      .flatMap(({ waiting }) => waiting.map(({ firstTriedAt }) => firstTriedAt))
      .filter((at) => at !== null);
  }

  get health(): LaneHealth {
    return this.#health;
  }

  /** Messages of the last minutes, which later ones may join. */
  get recent(): readonly RecentLetter[] {
    return this.#recent;
  }

  /** What an attempt that begins now is to be compared with when it ends. */
  begins(): () => AttemptStart {
    const { failures, refusals } = this.#health;
    const taken = this.#taken;
    return () => ({
      failures,
      refusals,
      tookSince: this.#taken > taken,
      askedUntil: this.#askedUntil,
    });
  }

  took(letter: Letter): void {
    const at = this.#room.clock.wall();
    this.#taken += 1;
    this.#recent = [...this.#recent, recentLetter(letter, at)]
      .filter((one) => between(one.at, at) < limits.lettersRememberedFor)
      .slice(-limits.recentLettersMax);
  }

  /** Writes what became of an attempt, and gives where the channel lives now, if it moved. */
  async attempted(
    outcome: DeliveryOutcome,
    covers: readonly TriedDelivery[],
    start: AttemptStart,
  ): Promise<DeliveryAttempt["fate"]> {
    const now = this.#room.clock.wall();
    const first = covers.map(({ firstTriedAt }) => firstTriedAt ?? now);
    const lastTaken = this.#recent.at(-1)?.at ?? 0;
    const untaken = [...first, ...this.#triedBefore].filter((at) => at > lastTaken);
    const tried = {
      attempts: Math.max(0, ...covers.map(({ attempts }) => attempts)),
      // The newest of them is tried for a whole day: an end is not dropped because its alert is a day old.
      firstTriedAt: epochMillis(Math.min(now, Math.max(...first))),
      earliestTriedAt: epochMillis(Math.min(now, ...untaken)),
    };
    const { fate, lane } = fateOf(outcome, tried, this.#health, now, Math.random(), start);
    this.#health = lane;
    const asked = pauseAskedIn(outcome, now) ?? 0;
    this.#askedUntil = epochMillis(Math.max(this.#askedUntil, asked));
    const ids = covers.map(({ id }) => id);
    await this.settle({ attempted: [{ ids, triedAt: now, fate }] });
    return fate;
  }

  /** How the channel stands is written with every attempt. */
  settle(settlement: Pick<Partial<Settlement>, "attempted" | "held" | "dropped">): Promise<void> {
    const done = this.#written.then(() => this.#write(settlement));
    this.#written = done.catch(() => {});
    return done;
  }

  async #write(settlement: Partial<Settlement>): Promise<void> {
    const isAttempt = settlement.attempted !== undefined;
    const whole: Settlement = {
      channel: this.#channel.id,
      now: this.#room.clock.wall(),
      lane: isAttempt ? this.#health : null,
      recent: isAttempt ? this.#recent : null,
      attempted: [],
      dropped: [],
      held: [],
      ...settlement,
    };
    const isKept = await this.#room.store.alerts.deliveries.settle(this.#room.holder, whole);
    if (isKept) this.#room.counts.settled(this.#channel.provider, whole);
  }
}
