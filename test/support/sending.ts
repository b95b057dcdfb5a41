import { systemClock } from "#base/clock";
import type { Channel, ChannelOf, Configurations, Provider } from "#service/notify/channel";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import type { Notice } from "#service/notify/event";
import { openSender, type SenderOptions } from "#service/notify/sender";
import { accounts, delivery, notices } from "./notices.ts";

export const direct: SenderOptions = {
  accounts,
  clock: systemClock,
  userAgent: "picket/test",
  proxying: { proxy: null, exceptions: [] },
  secureContext: undefined,
  httpAllowed: false,
};

export const channelOf = <P extends Provider>(
  provider: P,
  configuration: Configurations[P],
): ChannelOf<P> => ({ id: "5", name: "ops", provider, configuration });

export const webhookAt = (endpoint: string): Channel =>
  channelOf("webhook", { endpoint, headers: [], signingSecrets: [] });

export interface Trying {
  readonly notice?: Notice;
  readonly reference?: string | null;
  readonly options?: Partial<SenderOptions>;
  readonly signal?: AbortSignal;
}

/** Sends one message and gives what became of it. */
export async function tried(
  channel: Channel,
  {
    notice = notices["monitor.error"],
    reference = null,
    options = {},
    signal = new AbortController().signal,
  }: Trying = {},
): Promise<DeliveryOutcome> {
  await using sender = openSender({ ...direct, ...options });
  return await sender.send(channel, delivery(notice, reference), signal);
}
