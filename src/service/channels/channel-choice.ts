import type {
  NotificationData,
  NotificationProvider,
} from "#contract/openstatus/notification/v1/notification_pb";
import { type Provider, providers } from "#service/notify/channel";
import type { ChannelArguments } from "#service/notify/configuration-reading";
import { givenIn } from "#service/channels/channel-message";
import { invalidData } from "#service/channels/channel-fault";
import { because, Refusal } from "#service/edge/call-refusal";
import { wireProviders } from "#service/notify/notification-providers";

/** What a message says of a channel's provider and of its fields. */
export interface ChannelChoice {
  readonly provider: Provider;
  readonly given: ChannelArguments;
}

/** The oneof's case must be the provider's. */
export function configuredIn(
  wireProvider: NotificationProvider,
  data: NotificationData | undefined,
): ChannelChoice {
  const provider = providers.find((one) => wireProviders[one] === wireProvider);
  if (provider === undefined)
    throw new Refusal(
      "invalid_argument",
      "provider is required",
      because("PROVIDER_NOT_SUPPORTED", { provider: String(wireProvider) }),
    );
  const configured = givenIn(data);
  if (configured === null) throw invalidData("data", `is required: give the fields of ${provider}`);
  if (configured.word !== provider)
    throw invalidData("data", `is of ${configured.word}, and provider is ${provider}`);
  return { provider, given: configured.given };
}
