import type { Channel } from "#service/notify/channel";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import type { Delivery, Sender } from "#service/notify/provider";

const delivered = { is: "delivered", reference: null, moved: null } as const;

/** Takes every message, and has none leave this machine. `sentTo` gets the channel of each; `outcome` says what becomes of it. */
export const sendingNowhere = (
  sent: Delivery[],
  sentTo: Channel[] = [],
  outcome: () => DeliveryOutcome = () => delivered,
): Sender & AsyncDisposable => ({
  send: async (channel, delivery) => {
    sent.push(delivery);
    sentTo.push(channel);
    return outcome();
  },
  ask: async () => delivered,
  [Symbol.asyncDispose]: async () => {},
});
