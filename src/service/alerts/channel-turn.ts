import type { LaneHealth } from "#service/alerting/attempts";
import {
  clusterOf,
  compose,
  type Letter,
  recentLetter,
  type RecentLetter,
} from "#service/alerting/letters";
import type { Plan } from "#service/alerting/distill";
import { causeKey } from "#service/alerting/snapshot";
import { noticeOf } from "#service/alerting/notices";
import type { Queue } from "#service/alerting/queue";
import * as limits from "#limits/alerts-limits";
import * as serviceLimits from "#limits/service-limits";
import { linklessText } from "#service/notify/message/linkless-text";
import { say } from "#service/notify/message/say";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import { delivered, stopped } from "#service/notify/outcomes";
import type { Delivery } from "#service/notify/provider";
import { ChannelLedger } from "#service/alerts/channel-ledger";
import { paceOf } from "#service/alerts/channel-pace";
import { withFigures } from "#service/alerts/figures-by-now";
import type { ChannelLook, StopSignals, TurnRoom } from "#service/alerts/turn-room";
import { sealedElsewhere } from "#service/channels/notification-channels";
import type { Claim, Incidents, Settlement } from "#service/store/alert-store";
import { after, between, type EpochMillis, millis } from "#base/units";

/** What waits by now, of what is free; null if the channel takes nothing any more. */
type LookAgain = (
  isFree: (queue: Pick<Queue, "incident">) => boolean,
) => Promise<ChannelLook | null>;

/** How the channel stands after a turn. */
interface TurnEnd {
  readonly before: LaneHealth;
  readonly after: LaneHealth;
}

/** Something that is under way at the provider. */
interface Errand {
  /** What it is about: nothing else about that starts meanwhile. */
  readonly subjects: readonly string[];
  readonly recent: readonly RecentLetter[];
  readonly done: Promise<void>;
}

/**
 * One replica's turn with one channel: what waits is composed, what may go is sent, and all of it is written down. Some
 * messages are under way side by side, each about another incident, so that one that hangs delays no other.
 */
export class ChannelTurn {
  readonly #room: TurnRoom;
  readonly #stops: StopSignals;
  readonly #lookAgain: LookAgain;
  readonly #ledger: ChannelLedger;
  readonly #underWay = new Set<Errand>();
  #look: ChannelLook;
  #isLost = false;
  #fault: { readonly error: unknown } | null = null;

  constructor(room: TurnRoom, first: ChannelLook, lookAgain: LookAgain, stops: StopSignals) {
    this.#room = room;
    this.#stops = stops;
    this.#look = first;
    this.#lookAgain = lookAgain;
    this.#ledger = new ChannelLedger(room, first.channel, first.claim);
  }

  async run(): Promise<TurnEnd> {
    const before = this.#ledger.health;
    this.#ask();
    try {
      for (let look: ChannelLook | null = this.#look; look !== null; look = await this.#next()) {
        this.#look = look;
        await this.#sendAll(await this.#compose());
      }
    } finally {
      await this.#allDone();
    }
    if (this.#fault !== null) throw this.#fault.error;
    return { before, after: this.#ledger.health };
  }

  /** What waits by now, a second after the last look, while something is under way still; null ends the turn. */
  async #next(): Promise<ChannelLook | null> {
    while (this.#underWay.size > 0 && !this.#isOver) {
      await this.#pause();
      if (this.#underWay.size === 0 || !this.#mayBegin) continue;
      // Whatever ends while the store is asked, its answer may still have it as waiting.
      const busy = new Set([...this.#underWay].flatMap(({ subjects }) => subjects));
      return this.#lookAgain((queue) => !busy.has(subjectOf(queue)));
    }
    return null;
  }

  get #isOver(): boolean {
    return this.#stops.stopping.aborted || this.#isLost || this.#fault !== null;
  }

  get #mayBegin(): boolean {
    const { isDisabled, restUntil } = this.#ledger.health;
    return !this.#isOver && !isDisabled && restUntil <= this.#room.clock.wall();
  }

  async #compose(): Promise<readonly Letter[]> {
    const { channel, queues, silences } = this.#look;
    const now = this.#room.clock.wall();
    const { manner, rules } = channel;
    const recent = [...this.#ledger.recent, ...[...this.#underWay].flatMap((one) => one.recent)];
    const composition = compose(queues, { manner, rules, silences, recent }, now);
    const held = composition.held.flatMap(({ plan, reason, until }) =>
      plan.covers.map(({ id }) => ({ id, reason, dueAt: lookAgain(until, now) })),
    );
    const dropped = composition.dropped.map(({ delivery, reason }) => ({
      id: delivery.id,
      reason,
    }));
    if (held.length > 0 || dropped.length > 0) await this.#ledger.settle({ held, dropped });
    return composition.letters;
  }

  /** Begins them as places become free; after a second, what is left is looked at again. */
  async #sendAll(letters: readonly Letter[]): Promise<void> {
    const { clock } = this.#room;
    const causes = await this.#causes(letters);
    const began = clock.monotonic();
    for (const [index, letter] of letters.entries()) {
      while (this.#underWay.size >= this.#atOnce) await this.#oneDone();
      const isOld = index > 0 && clock.monotonic() - began > limits.courierLookEvery * 1e6;
      if (isOld || !this.#mayBegin) return;
      const waitsUntil = await this.#token(clock.wall());
      if (waitsUntil === null) this.#begin(letter, causes);
      else await this.#ledger.settle({ held: paced(letter, waitsUntil) });
    }
  }

  /** A channel that fails is tried by one message at a time. */
  get #atOnce(): number {
    return this.#ledger.health.failing === null ? limits.lettersAtOnce : 1;
  }

  /** The open incidents of the causes that the letters name. */
  async #causes(letters: readonly Letter[]): Promise<OpenCauses> {
    const named = letters.flatMap(causesIn).filter((one) => one !== "");
    if (named.length === 0) return new Map();
    return this.#room.store.alerts.incidents.causes([...new Set(named)]);
  }

  #begin(letter: Letter, causes: OpenCauses): void {
    const subjects = letter.plans.map(({ queue }) => subjectOf(queue));
    const recent = [recentLetter(letter, this.#room.clock.wall())];
    this.#undertake(() => this.#send(letter, causes), subjects, recent);
  }

  #undertake(
    act: () => Promise<void>,
    subjects: readonly string[],
    recent: readonly RecentLetter[],
  ): void {
    const ended = Promise.withResolvers<void>();
    const errand: Errand = { subjects, recent, done: ended.promise };
    this.#underWay.add(errand);
    const end = (): void => {
      this.#underWay.delete(errand);
      ended.resolve();
    };
    act().then(end, (error: unknown) => {
      this.#fault ??= { error };
      end();
    });
  }

  async #send(letter: Letter, causes: OpenCauses): Promise<void> {
    const { sender, replays, phones, holder, store, book } = this.#room;
    const { channel, manner, id } = this.#look.channel;
    const { claim } = this.#look;
    const { because } = letter;
    const filled = await replays.fill(letter.plans, this.#room.clock.wall());
    const plans = await withFigures(store, filled, this.#room.clock.wall());
    const covers = plans.flatMap((plan) => plan.covers);
    const delivery = this.#delivery({ plans, because }, claim, causes);
    const ids = covers.map((one) => one.id);
    if (this.#stops.stopping.aborted) return;
    const start = this.#ledger.begins();
    const said = linklessText(say(delivery.notice, delivery.timeZone));
    if (!(await store.alerts.deliveries.begin(holder, id, ids, said))) {
      this.#isLost = true;
      return;
    }
    const isPhone = manner === "phone";
    const refusal = isPhone ? await phones.refusal() : null;
    const { cutOff } = this.#stops;
    const outcome =
      refusal ?? (channel === null ? sealed : await sender.send(channel, delivery, cutOff));
    const isTaken = outcome.is === "delivered" || outcome.is === "accepted";
    if (isTaken) this.#ledger.took({ plans, because });
    if (isTaken && isPhone) await phones.used();
    const fate = await this.#ledger.attempted(outcome, covers, start());
    if (fate.is === "sent" && fate.moved !== null) await book.moved(id, fate.moved);
  }

  #delivery(letter: Letter, claim: Claim, causes: OpenCauses): Delivery {
    const { clock, service, stop, linksOf, installation } = this.#room;
    const { id: channel, name, rules } = this.#look.channel;
    const [first] = letter.plans.flatMap(({ covers }) => covers);
    const notice = noticeOf(letter, {
      now: clock.wall(),
      service,
      stop,
      channelFails: this.#ledger.health.failures > 0,
      channel: name,
      delay: rules.delay,
      remindsAfter: rules.reminder,
      links: linksOf(channel),
      openOf: (cause) => causes.get(cause) ?? [],
    });
    const reference = referenceOf(letter, claim);
    const id = `${installation}-${first?.id ?? 0}`;
    return { id, notice, reference, timeZone: rules.timeZone };
  }

  /** What the provider accepted and did not promise. */
  #ask(): void {
    const { channel } = this.#look.channel;
    const { clock, sender } = this.#room;
    const due = this.#look.claim.accepted.filter(({ askAt }) => askAt <= clock.wall());
    if (channel === null || due.length === 0) return;
    const askAll = async (): Promise<void> => {
      for (const { id, receipt } of due) {
        if (this.#stops.stopping.aborted) return;
        const start = this.#ledger.begins();
        const outcome = await sender.ask(channel, receipt, this.#stops.cutOff);
        // Not knowing what became of it is no reason to send it twice.
        const answer: DeliveryOutcome = outcome.is === "again" ? delivered() : outcome;
        await this.#ledger.attempted(answer, [{ id, attempts: 0, firstTriedAt: null }], start());
      }
    };
    this.#undertake(askAll, [], []);
  }

  async #token(now: EpochMillis): Promise<EpochMillis | null> {
    const { channel } = this.#look.channel;
    if (channel === null) return null;
    const { key, pace } = paceOf(channel);
    return this.#room.store.alerts.deliveries.token(key, pace, now);
  }

  #oneDone(): Promise<void> {
    return Promise.race([...this.#underWay].map(({ done }) => done));
  }

  async #allDone(): Promise<void> {
    await Promise.all([...this.#underWay].map(({ done }) => done));
  }

  /** Until all is done, a second has passed, or the service stops. */
  async #pause(): Promise<void> {
    const woken = new AbortController();
    const either = AbortSignal.any([this.#stops.stopping, woken.signal]);
    await Promise.race([this.#allDone(), this.#room.clock.sleep(limits.courierLookEvery, either)]);
    woken.abort();
  }
}

/** What was said before is a reminder's cluster, and has the cause of its failure as well. */
const causesIn = ({ plans, because }: Letter): readonly string[] => [
  ...plans.map(clusterOf),
  ...(because === "same-cause" ? plans.slice(0, 1).map(causeOf) : []),
];

const causeOf = ({ lead: { snapshot } }: Plan): string =>
  snapshot.of === "monitor" && snapshot.fails !== null ? causeKey(snapshot.fails) : "";

type OpenCauses = Awaited<ReturnType<Incidents["causes"]>>;

const subjectOf = ({ incident: { subject } }: Pick<Queue, "incident">): string =>
  `${subject.kind} ${subject.id}`;

/** What the provider called the first message of the one incident that a letter is about. */
function referenceOf({ plans: [plan, ...more] }: Letter, { references }: Claim): string | null {
  if (plan === undefined || more.length > 0) return null;
  return references.get(plan.queue.incident.number) || null;
}

const sealed = stopped("failing", "not_configured", sealedElsewhere, null);

const paced = ({ plans }: Letter, dueAt: EpochMillis): Settlement["held"] =>
  plans.flatMap(({ covers }) => covers.map(({ id }) => ({ id, reason: "pace", dueAt })));

/** What waits for something without an instant is looked at every few seconds, and nothing less often than hourly. */
function lookAgain(until: EpochMillis | null, now: EpochMillis): EpochMillis {
  if (until === null) return after(now, serviceLimits.judgeEvery);
  return after(now, millis(Math.min(between(now, until), limits.deliveryLookEvery)));
}
