import type { Configuration } from "#service/notify/channel";
import type { Millis } from "#base/units";

/** What became of one attempt to deliver a message. The courier keeps the delivery, or ends it, by this alone. */
export type DeliveryOutcome =
  | DeliverySuccess
  | PendingDelivery
  | NoDelivery
  | DeliveryRetry
  | ChannelFault
  | DeliveryRefusal
  | ChannelEnd;

/** The provider has it. */
interface DeliverySuccess {
  readonly is: "delivered";
  /**
   * Names the message at the provider: kept with the incident's first delivery of this channel, and given to later ones,
   * so that they edit it, reply to it or stand in its thread. Null if the provider names none.
   */
  readonly reference: string | null;
  /** Set when the provider says that the channel lives elsewhere now: keep it in place of the old one. */
  readonly moved: Configuration | null;
}

/** The provider will look at it later: ask after that time what became of it, by `receipt`. */
interface PendingDelivery {
  readonly is: "accepted";
  readonly reference: string | null;
  readonly receipt: string;
  readonly askAfter: Millis;
}

/** This provider says nothing for such a notice, e.g. a pager for a reminder. */
interface NoDelivery {
  readonly is: "skipped";
  readonly why: string;
}

/** Nothing was delivered, and trying later may help. */
interface DeliveryRetry {
  readonly is: "again";
  /** What the provider asked for; null leaves it to the courier's own steps. */
  readonly after: Millis | null;
  readonly trouble: Trouble;
}

/** The channel takes no messages until a person does something, e.g. gives it another key: try rarely. */
interface ChannelFault {
  readonly is: "failing";
  readonly trouble: Trouble;
}

/** This delivery will never be taken: another attempt cannot help. */
interface DeliveryRefusal {
  readonly is: "permanent";
  readonly trouble: Trouble;
}

/** The channel is gone for good: nothing is to be sent to it any more. */
interface ChannelEnd {
  readonly is: "disabled";
  readonly trouble: Trouble;
}

/** Why something was not delivered. */
export interface Trouble {
  readonly code: TroubleCode;
  /** One plain sentence that names the next step; never holds a URL, a key or a token. */
  readonly message: string;
  /** The HTTP or SMTP status; null if no answer came. */
  readonly status: number | null;
}

/** The closed vocabulary of what stops a message. */
const troubleCodes = {
  unreachable: "the provider could not be reached",
  timed_out: "the provider did not answer in time",
  address_denied: "the provider's host leads to an address that must not be dialled",
  slow_down: "the provider asks for fewer messages",
  provider_failed: "the provider reports an internal error",
  not_understood: "the provider's answer was not understood",
  redirected: "the provider's URL is redirected, and redirects are not followed",
  message_refused: "the provider does not take this message",
  key_refused: "the provider does not take the key or the token",
  channel_gone: "the provider does not know the webhook, chat or address any more",
  recipient_refused: "the recipient cannot be reached, or does not want messages",
  not_configured: "the service lacks a setting that the provider needs",
  quota_used_up: "the month's quota is used up",
} as const;

export type TroubleCode = keyof typeof troubleCodes;
