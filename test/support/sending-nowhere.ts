import type { Delivery, Sender } from "#service/notify/provider";

/** Takes every message, and has none leave this machine. */
export const sendingNowhere = (sent: Delivery[]): Sender & AsyncDisposable => {
  const delivered = { is: "delivered", reference: null, moved: null } as const;
  return {
    send: async (_channel, delivery) => {
      sent.push(delivery);
      return delivered;
    },
    ask: async () => delivered,
    [Symbol.asyncDispose]: async () => {},
  };
};
