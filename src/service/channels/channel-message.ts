import { toJson } from "@bufbuild/protobuf";
import {
  type NotificationData,
  NotificationDataSchema,
} from "#contract/openstatus/notification/v1/notification_pb";
import { openUrl } from "#check/target";
import type { Channel, ChannelOf, Configuration, Provider } from "#service/notify/channel";
import type { ConfigurationReading, ChannelArguments } from "#service/notify/configuration-reading";
import { rulesOf } from "#service/notify/provider-table";
import { notificationData } from "#service/notify/notification-message";

/* Channels as the calls have them: providers by number, configurations as a oneof whose cases are the providers'. */

/** The arguments of a channel by the names of the interface, and whose they are; null for an empty oneof. */
export function givenIn(
  data: NotificationData | undefined,
): { readonly word: string; readonly given: ChannelArguments } | null {
  if (data === undefined) return null;
  const json = toJson(NotificationDataSchema, data, { useProtoFieldName: true });
  const [entry] = Object.entries(Object(json));
  if (entry === undefined) return null;
  const [word, value] = entry;
  const { region, ...given }: { region?: string } = Object(value);
  return {
    word,
    given: region === undefined ? given : { ...given, region: regionWords.get(region) },
  };
}

const regionWords: ReadonlyMap<string, string> = new Map([
  ["OPSGENIE_REGION_US", "us"],
  ["OPSGENIE_REGION_EU", "eu"],
]);

/** A configuration as a message; without `secrets`, what lets its holder post or read is empty. */
export function dataMessage(channel: Channel, secrets: boolean): NotificationData {
  const shown = Object.entries(channel.configuration).map(([name, value]: [string, unknown]) => [
    name,
    secrets ? value : hidden(name, value),
  ]);
  return notificationData(channel.provider, Object.fromEntries(shown));
}

/** A channel whose secret cannot be read still says what it is. */
export const emptyData = (provider: Provider): NotificationData => notificationData(provider, {});

/** Addresses of people and names of topics are no secrets; URLs of webhooks, keys, tokens and header values are. */
function hidden(name: string, value: unknown): unknown {
  if (name === "headers" && Array.isArray(value))
    return value.map(({ key }: { key: string }) => ({ key, value: "" }));
  if (name === "signingSecrets") return [];
  if (name === "serverUrl") return openUrl(String(value));
  return shownToAll.has(name) ? value : "";
}

const shownToAll: ReadonlySet<string> = new Set([
  "email",
  "phoneNumber",
  "chatId",
  "topic",
  "region",
]);

/** A provider's rules, for arguments that are not checked yet. */
export const configurationIn = (
  provider: Provider,
  given: ChannelArguments,
): ConfigurationReading<Configuration> => rulesOf(provider).read(given);

/** What was sealed was let pass by the provider's rules before. */
export function channelWith(
  id: string,
  name: string,
  provider: Provider,
  configuration: Configuration,
): Channel {
  const channel: ChannelOf<Provider> = { id, name, provider, configuration };
  if (isChannel(channel)) return channel;
  throw new TypeError(`a channel of ${provider} has the configuration of another provider`);
}

/** Whether the fields are those of the provider. */
function isChannel(channel: ChannelOf<Provider>): channel is Channel {
  const { configuration } = channel;
  return Object.keys(configuration).some((name) => fieldOf[channel.provider] === name);
}

const fieldOf: { readonly [P in Provider]: string } = {
  discord: "webhookUrl",
  email: "email",
  google_chat: "webhookUrl",
  grafana_oncall: "webhookUrl",
  ntfy: "topic",
  pagerduty: "integrationKey",
  opsgenie: "apiKey",
  slack: "webhookUrl",
  sms: "phoneNumber",
  telegram: "chatId",
  webhook: "endpoint",
  whatsapp: "phoneNumber",
  ms_teams: "webhookUrl",
};
