import { createHash, randomUUID } from "node:crypto";
import type { Clock } from "#base/clock";
import * as limits from "#limits/alerts-limits";
import type { Channel, ChannelOf } from "#service/notify/channel";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import type { ServiceName } from "#service/notify/event-facts";
import type { Delivery, Sender } from "#service/notify/provider";
import { TestPace } from "#service/channels/test-pace";
import type { ChannelTest, Deliveries } from "#service/store/alert-store";
import type { ChannelId } from "#service/store/ids";
import type { Millis } from "#base/units";

interface WrittenTest {
  readonly channel: Channel;
  readonly delivery: Delivery;
}

/** Where what became of a test is kept. */
type TestRecord = Pick<Deliveries, "tested">;

/** What a test goes to; null: its data cannot be opened. */
interface TestedChannel {
  readonly channel: Channel | null;
  readonly timeZone: string;
}

/** A channel that is there, and its data; null if that cannot be opened. */
interface KeptChannel {
  readonly id: ChannelId;
  readonly opened: Channel | null;
  /** The zone of the times in its messages. */
  readonly timeZone: string;
}

/** What a form says of a channel; `said` is equal for equal data. */
interface DraftChannel {
  readonly channel: Channel;
  readonly timeZone: string;
  readonly said: string;
}

/** A mail by a server that may not be kept yet; `said` is equal for equal servers. */
interface MailServerTest {
  readonly channel: ChannelOf<"email">;
  readonly timeZone: string;
  readonly by: { readonly sender: Sender; readonly said: string };
}

/** The last test of a form, until its channel is made. */
interface DraftTest extends ChannelTest {
  readonly digest: string;
}

/** Sends messages that say they are a test, at a pace: their caller has our address send to theirs. */
export class TestMessages {
  readonly #sender: Sender;
  readonly service: ServiceName;
  readonly #clock: Clock;
  readonly #record: TestRecord;
  readonly #pace: TestPace;
  readonly #drafts = new Map<string, DraftTest>();

  constructor(sender: Sender, service: ServiceName, clock: Clock, record: TestRecord) {
    this.#sender = sender;
    this.service = service;
    this.#clock = clock;
    this.#record = record;
    this.#pace = new TestPace(clock);
  }

  /** How long a person waits who would send a test of this channel again; 0: not at all. */
  waitFor(channel: Channel | null, keyId: string): Millis {
    return this.#pace.waitFor(keyId, channel === null ? "" : goalOf(channel));
  }

  /** The same for a channel that is there, which keeps what became of it. */
  async sendKept(
    { id, opened, timeZone }: KeptChannel,
    keyId: string,
    signal: AbortSignal,
  ): Promise<string | null> {
    const trouble = await this.send({ channel: opened, timeZone }, keyId, signal);
    await this.#record.tested(id, { at: this.#clock.wall(), trouble: trouble ?? "" });
    return trouble;
  }

  /** The same for one that is not made yet: `made` keeps what became of it. */
  async sendDraft(
    { channel, timeZone, said }: DraftChannel,
    keyId: string,
    signal: AbortSignal,
  ): Promise<string | null> {
    const trouble = await this.send({ channel, timeZone }, keyId, signal);
    this.#drafts.delete(keyId);
    this.#drafts.set(keyId, {
      digest: digestOf(said),
      at: this.#clock.wall(),
      trouble: trouble ?? "",
    });
    const [oldest] = this.#drafts.keys();
    if (this.#drafts.size > limits.draftTestsMax && oldest !== undefined)
      this.#drafts.delete(oldest);
    return trouble;
  }

  /** A channel was made of what a form says: if that was tested last, on this replica, the channel keeps the test. */
  async made(id: ChannelId, said: string, keyId: string): Promise<void> {
    const draft = this.#drafts.get(keyId);
    if (draft === undefined || draft.digest !== digestOf(said)) return;
    this.#drafts.delete(keyId);
    await this.#record.tested(id, { at: draft.at, trouble: draft.trouble });
  }

  /** Why it was not delivered, as a sentence; null when it was. */
  async send(
    { channel, timeZone }: TestedChannel,
    keyId: string,
    signal: AbortSignal,
  ): Promise<string | null> {
    if (channel === null) return "the channel's data cannot be opened: give it its data again";
    const delivery = this.#deliveryTo(channel, timeZone);
    return this.sendWritten({ channel, delivery }, keyId, signal);
  }

  /** The same for a mail that says that the mail server is tested, by the sender that is given. */
  async sendByMailServer(
    { channel, timeZone, by }: MailServerTest,
    keyId: string,
    signal: AbortSignal,
  ): Promise<string | null> {
    const delivery = this.#deliveryTo(channel, timeZone);
    const notice = { ...delivery.notice, isOfMailServer: true } as const;
    const goal = digestOf(`${goalOf(channel)} ${by.said}`);
    return this.#sendTo(goal, { channel, delivery: { ...delivery, notice } }, keyId, signal, by);
  }

  #deliveryTo({ name }: Pick<Channel, "name">, timeZone: string) {
    const at = this.#clock.wall();
    return {
      id: `test_${randomUUID()}`,
      notice: { type: "test", at, service: this.service, late: null, channel: name } as const,
      reference: null,
      timeZone,
    };
  }

  /** The same with a message that says what it is by itself. */
  async sendWritten(
    { channel, delivery }: WrittenTest,
    keyId: string,
    signal: AbortSignal,
  ): Promise<string | null> {
    const by = { sender: this.#sender };
    return this.#sendTo(goalOf(channel), { channel, delivery }, keyId, signal, by);
  }

  async #sendTo(
    goal: string,
    { channel, delivery }: WrittenTest,
    keyId: string,
    signal: AbortSignal,
    { sender }: Pick<MailServerTest["by"], "sender">,
  ): Promise<string | null> {
    this.#pace.enter(keyId, goal);
    const outcome = await sender.send(channel, delivery, signal);
    const trouble = troubleOf(await this.#settled(channel, outcome, signal));
    if (trouble !== null) this.#pace.failed(keyId, goal);
    return trouble;
  }

  /** What a provider says later is asked once, if that is soon. */
  async #settled(
    channel: Channel,
    outcome: DeliveryOutcome,
    signal: AbortSignal,
  ): Promise<DeliveryOutcome> {
    if (outcome.is !== "accepted" || outcome.askAfter > limits.testReceiptWithin) return outcome;
    await this.#clock.sleep(outcome.askAfter, signal);
    return this.#sender.ask(channel, outcome.receipt, signal);
  }
}

/** Equal for what is sent to one address in one way; a secret of ours by which it is signed changes nothing of that. */
function goalOf({ provider, configuration }: Channel): string {
  const { signingSecrets: _ours, ...written } = { signingSecrets: [], ...configuration };
  return digestOf(JSON.stringify([provider, written]));
}

/** What a form says has secrets, which are not kept. */
const digestOf = (said: string): string => createHash("sha256").update(said).digest("hex");

function troubleOf(outcome: DeliveryOutcome): string | null {
  switch (outcome.is) {
    case "delivered":
    case "accepted":
      return null;
    case "skipped":
      return outcome.why;
    case "again":
    case "failing":
    case "permanent":
    case "disabled":
      return outcome.trouble.message;
  }
}
