import { fateOf, type LaneHealth } from "#alerting/attempts";
import type { Plan } from "#alerting/distill";
import {
  clusterOf,
  compose,
  type Letter,
  recentLetter,
  type RecentLetter,
} from "#alerting/letters";
import { noticeOf } from "#alerting/notices";
import type { Queue } from "#alerting/queue";
import type { Silence } from "#alerting/silence";
import type { Links, TimeSpan } from "#alerting/surroundings";
import type { Clock } from "#clock";
import * as limits from "#limits/alerts-limits";
import * as serviceLimits from "#limits/service-limits";
import type { DeliveryOutcome } from "#notify/delivery-outcome";
import type { ServiceName } from "#notify/event-facts";
import { stopped } from "#notify/outcomes";
import type { Notice } from "#notify/event";
import type { Delivery, Sender } from "#notify/provider";
import { paceOf } from "#service/alerts/channel-pace";
import type { ChannelBook, OpenChannel } from "#service/alerts/channel-book";
import type { DeliveryCounts } from "#service/alerts/delivery-counts";
import { sealedElsewhere } from "#service/channels/notification-channels";
import type { PhoneQuota } from "#service/alerts/phone-quota";
import type { Replays } from "#service/alerts/replays";
import type { DeliveryAttempt, Claim, Settlement } from "#store/alert-store";
import type { Store } from "#store/store";
import { after, between, epochMillis, type EpochMillis, millis } from "#units";

/** What a turn works with, beside the channel. */
export interface TurnRoom {
  readonly store: Store;
  readonly book: ChannelBook;
  readonly sender: Sender;
  readonly clock: Clock;
  readonly holder: string;
  readonly service: ServiceName;
  /** When the service last stood still. */
  readonly stop: TimeSpan | null;
  readonly installation: string;
  readonly links: Links;
  readonly replays: Replays;
  readonly silences: readonly Silence[];
  readonly counts: DeliveryCounts;
  readonly phones: PhoneQuota;
}

/** How the channel stands after a turn. */
interface TurnEnd {
  readonly before: LaneHealth;
  readonly after: LaneHealth;
}

/** One replica's turn with one channel: what waits is composed, what may go is sent, and all of it is written down. */
export class ChannelTurn {
  readonly #room: TurnRoom;
  readonly #channel: OpenChannel;
  readonly #recent: RecentLetter[];
  #lane: LaneHealth;

  constructor(room: TurnRoom, channel: OpenChannel, { lane, recent }: Claim) {
    this.#room = room;
    this.#channel = channel;
    this.#lane = lane;
    this.#recent = [...recent];
  }

  async run(claim: Claim, queues: readonly Queue[], signal: AbortSignal): Promise<TurnEnd> {
    const before = this.#lane;
    const { clock } = this.#room;
    const began = clock.monotonic();
    await this.#ask(claim, signal);
    const letters = await this.#compose(queues);
    const causes = await this.#causes(letters);
    for (const letter of letters) {
      const now = clock.wall();
      const isLate = clock.monotonic() - began > limits.turnMax * 1e6;
      // What is left is looked at in the next turn.
      if (signal.aborted || isLate || this.#lane.restUntil > now || this.#lane.isDisabled) break;
      const waitsUntil = await this.#token(now);
      if (waitsUntil !== null) {
        await this.#settle({ held: paced(letter, waitsUntil) });
        continue;
      }
      if (!(await this.#send(letter, claim, causes, signal))) break;
    }
    return { before, after: this.#lane };
  }

  async #compose(queues: readonly Queue[]): Promise<readonly Letter[]> {
    const { clock, silences } = this.#room;
    const now = clock.wall();
    const { manner, rules } = this.#channel;
    const composition = compose(queues, { manner, rules, silences, recent: this.#recent }, now);
    const held = composition.held.flatMap(({ plan, reason, until }) =>
      plan.covers.map(({ id }) => ({ id, reason, dueAt: lookAgain(until, now) })),
    );
    const dropped = composition.dropped.map(({ delivery, reason }) => ({
      id: delivery.id,
      reason,
    }));
    if (held.length > 0 || dropped.length > 0) await this.#settle({ held, dropped });
    return composition.letters;
  }

  /** How many open incidents have the causes that the letters name. */
  async #causes(letters: readonly Letter[]): Promise<ReadonlyMap<string, number>> {
    const named = letters.flatMap(({ plans }) => plans.map(clusterOf)).filter((one) => one !== "");
    if (named.length === 0) return new Map();
    return this.#room.store.alerts.incidents.causes([...new Set(named)]);
  }

  /** False when another replica has the channel by now. */
  async #send(
    { plans, because }: Letter,
    claim: Claim,
    causes: ReadonlyMap<string, number>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { sender, replays, phones, holder, store } = this.#room;
    const { channel, manner, id } = this.#channel;
    const notice = this.#notice({ plans: await replays.fill(plans), because }, causes);
    const covers = plans.flatMap((plan) => plan.covers);
    const ids = covers.map((one) => one.id);
    const delivery = this.#delivery(notice, ids, referenceOf(plans, claim));
    if (!(await store.alerts.deliveries.begin(holder, id, ids))) return false;
    const isPhone = manner === "phone";
    const refusal = isPhone ? await phones.refusal() : null;
    const outcome =
      refusal ?? (channel === null ? sealed : await sender.send(channel, delivery, signal));
    const isTaken = outcome.is === "delivered" || outcome.is === "accepted";
    if (isTaken) this.#note({ plans, because });
    if (isTaken && isPhone) await phones.used();
    await this.#settleAttempt(outcome, ids, covers);
    return true;
  }

  #notice(replayed: Letter, causes: ReadonlyMap<string, number>): Notice {
    const { clock, service, stop, links } = this.#room;
    return noticeOf(replayed, {
      now: clock.wall(),
      service,
      stop,
      channelFails: this.#lane.failures > 0,
      channel: this.#channel.name,
      remindsAfter: this.#channel.rules.reminder,
      links,
      countOf: (cause) => causes.get(cause) ?? 0,
    });
  }

  #delivery(notice: Notice, [first = 0]: readonly number[], reference: string | null): Delivery {
    const { timeZone } = this.#channel.rules;
    return { id: `${this.#room.installation}-${first}`, notice, reference, timeZone };
  }

  /** Messages of the last minutes decide what later ones join. */
  #note(letter: Letter): void {
    const at = this.#room.clock.wall();
    const kept = this.#recent.filter((one) => between(one.at, at) < limits.lettersRememberedFor);
    this.#recent.splice(0, this.#recent.length, ...kept, recentLetter(letter, at));
    this.#recent.splice(0, this.#recent.length - limits.recentLettersMax);
  }

  async #settleAttempt(
    outcome: DeliveryOutcome,
    ids: readonly number[],
    covers: readonly { readonly attempts: number; readonly firstTriedAt: EpochMillis | null }[],
  ): Promise<void> {
    const now = this.#room.clock.wall();
    const first = covers.map(({ firstTriedAt }) => firstTriedAt).filter((at) => at !== null);
    const tried = {
      attempts: Math.max(...covers.map(({ attempts }) => attempts)),
      firstTriedAt: epochMillis(Math.min(now, ...first)),
    };
    const { fate, lane } = fateOf(outcome, tried, this.#lane, now, Math.random());
    this.#lane = lane;
    const attempted: readonly DeliveryAttempt[] = [{ ids, triedAt: now, fate }];
    await this.#settle({ attempted, lane, recent: this.#recent });
    if (fate.is === "sent" && fate.moved !== null)
      await this.#room.book.moved(this.#channel.id, fate.moved);
  }

  /** What the provider accepted and did not promise. */
  async #ask({ accepted }: Claim, signal: AbortSignal): Promise<void> {
    const { channel } = this.#channel;
    if (channel === null) return;
    for (const { id, receipt, askAt } of accepted) {
      const now = this.#room.clock.wall();
      if (askAt > now) continue;
      const outcome = await this.#room.sender.ask(channel, receipt, signal);
      const tried = { attempts: 0, firstTriedAt: now };
      // Not knowing what became of it is no reason to send it twice.
      const answer: DeliveryOutcome = outcome.is === "again" ? delivered : outcome;
      const { fate, lane } = fateOf(answer, tried, this.#lane, now, Math.random());
      this.#lane = lane;
      await this.#settle({ attempted: [{ ids: [id], triedAt: now, fate }], lane });
    }
  }

  async #token(now: EpochMillis): Promise<EpochMillis | null> {
    const { channel } = this.#channel;
    if (channel === null) return null;
    const { key, pace } = paceOf(channel);
    return this.#room.store.alerts.deliveries.token(key, pace, now);
  }

  async #settle(settlement: Partial<Settlement>): Promise<void> {
    const whole = {
      channel: this.#channel.id,
      now: this.#room.clock.wall(),
      lane: null,
      recent: null,
      attempted: [],
      dropped: [],
      held: [],
      ...settlement,
    };
    const isKept = await this.#room.store.alerts.deliveries.settle(this.#room.holder, whole);
    if (isKept) this.#room.counts.settled(this.#channel.provider, whole);
  }
}

/** What the provider called the first message of the one incident that a letter is about. */
function referenceOf([plan, ...more]: readonly Plan[], { references }: Claim): string | null {
  if (plan === undefined || more.length > 0) return null;
  return references.get(plan.queue.incident.number) || null;
}

const sealed = stopped("failing", "not_configured", sealedElsewhere, null);
const delivered = { is: "delivered", reference: null, moved: null } as const;

const paced = ({ plans }: Letter, dueAt: EpochMillis): Settlement["held"] =>
  plans.flatMap(({ covers }) => covers.map(({ id }) => ({ id, reason: "pace", dueAt })));

/** What waits for something without an instant is looked at every few seconds, and nothing less often than hourly. */
function lookAgain(until: EpochMillis | null, now: EpochMillis): EpochMillis {
  if (until === null) return after(now, serviceLimits.judgeEvery);
  return after(now, millis(Math.min(between(now, until), limits.deliveryLookEvery)));
}
