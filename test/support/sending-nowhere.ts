import type { Channel } from "#service/notify/channel";
import type { Delivery, Sender } from "#service/notify/provider";

/** Takes every message, and has none leave this machine. `sentTo` gets the channel of each. */
export const sendingNowhere = (
  sent: Delivery[],
  sentTo: Channel[] = [],
): Sender & AsyncDisposable => {
  const delivered = { is: "delivered", reference: null, moved: null } as const;
  return {
    send: async (channel, delivery) => {
      sent.push(delivery);
      sentTo.push(channel);
      return delivered;
    },
    ask: async () => delivered,
    [Symbol.asyncDispose]: async () => {},
  };
};
