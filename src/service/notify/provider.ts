import type { Accounts } from "#service/notify/accounts";
import type { Channel, Configurations, Provider } from "#service/notify/channel";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import type { Notice } from "#service/notify/event";
import type { HttpReply, HttpRequest } from "#service/notify/provider-request";
import type { Mail } from "#service/notify/mail";
import type { ConfigurationReading, ChannelArguments } from "#service/notify/configuration-reading";
import type { EpochMillis, Millis } from "#base/units";

/** Every provider by its name: one without rules does not compile. */
export type ProviderTable = { readonly [P in Provider]: ProviderRules<P> };

/** What one provider needs: how a channel is configured, what is sent, and what its answer means. All of it is pure. */
export interface ProviderRules<P extends Provider> {
  /** Its own name, for people. */
  readonly label: string;
  /** The neutral word that the service's interface has for it. */
  readonly word: string;
  readonly manner: Manner;
  readonly pace: Pace;
  /** Channels with one key share the pace: one host and one credential. Never shown: it may hold a secret. */
  paceKey(configuration: Configurations[P]): string;
  /** Reads what a person configured; what is wrong names its field and quotes no secret. */
  read(given: ChannelArguments): ConfigurationReading<Configurations[P]>;
  /** What the service itself lacks, as a sentence; null if it lacks nothing. */
  lacks(accounts: Accounts): string | null;
  render(delivery: Delivery, scene: Scene<P>): Rendering;
  /** What an HTTP answer means. */
  understand(reply: HttpReply, scene: Scene<P>): ReplyMeaning<P>;
  /** For a provider that only says later what became of a message. */
  readonly asking: ReceiptQuery<P> | null;
}

/** What rendering and reading know in addition to the message. */
export interface Scene<P extends Provider> {
  readonly configuration: Configurations[P];
  readonly accounts: Accounts;
  /** The time of this attempt. */
  readonly now: EpochMillis;
}

export type Rendering =
  | { readonly is: "requests"; readonly requests: readonly HttpRequest[] }
  | { readonly is: "mail"; readonly mail: Mail }
  /** This provider says nothing for such a notice. */
  | { readonly is: "nothing"; readonly why: string };

/** An answer may also say that the channel lives elsewhere now: the message is to be sent there. */
export type ReplyMeaning<P extends Provider> =
  | DeliveryOutcome
  | { readonly is: "moved"; readonly configuration: Configurations[P] };

interface ReceiptQuery<P extends Provider> {
  request(receipt: string, scene: Scene<P>): HttpRequest;
  understand(reply: HttpReply, receipt: string, scene: Scene<P>): DeliveryOutcome;
}

/**
 * How a provider reaches people, which decides what it is used for: pagers and phones get no reminders, and nothing
 * about what is already over; pagers and webhooks get each event on its own, never a digest.
 */
export type Manner = "chat" | "pager" | "phone" | "mail" | "push" | "webhook";

/** So many messages at once, then one in each span. */
export interface Pace {
  readonly burst: number;
  readonly span: Millis;
}

/** One message to one channel. */
export interface Delivery {
  /** The same at every attempt, and at no other delivery: receivers leave out what they have by it. */
  readonly id: string;
  readonly notice: Notice;
  /** What the provider named the incident's first message of this channel; null for the first one. */
  readonly reference: string | null;
  /** The IANA name of the zone that times are written in. */
  readonly timeZone: string;
}

/** Whoever delivers: tries once, always resolves, and ends early when the signal aborts. */
export interface Sender {
  send(channel: Channel, delivery: Delivery, signal: AbortSignal): Promise<DeliveryOutcome>;
  /** What became of a delivery that was accepted. */
  ask(channel: Channel, receipt: string, signal: AbortSignal): Promise<DeliveryOutcome>;
}
