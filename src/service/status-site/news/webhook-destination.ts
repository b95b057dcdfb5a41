import { deniedHost } from "#service/notify/denied-address";
import type { Configuration, Provider, WebhookEndpoint } from "#service/notify/channel";
import type { ChannelArguments } from "#service/notify/configuration-reading";
import { recognisedUrl } from "#service/notify/recognised-url";
import { violation } from "#service/edge/call-refusal";
import { configurationIn } from "#service/channels/channel-message";
import { newSigningSecret } from "#service/channels/new-signing-secret";

/** Where a subscriber's news go: the kind of the URL says in which form. Secret as a whole. */
export interface WebhookDestination {
  readonly provider: Provider;
  readonly configuration: Configuration;
}

/** What a URL and headers mean, or a refusal that begins with the names of their fields. */
export function webhookDestination(
  url: string,
  headers: WebhookEndpoint["headers"],
  field = "webhook_channel.",
): WebhookDestination {
  const known = recognisedUrl(url);
  if (known === null || !takesNews.has(known.provider))
    throw violation({ field: `${field}webhook_url`, message: wanted });
  const denied = deniedHost(new URL(url));
  if (denied !== null)
    throw violation({
      field: `${field}webhook_url`,
      message: `leads to ${denied}, which gets no message: correct it`,
    });
  const { provider, given } = known;
  if (provider !== "webhook" && headers.length > 0)
    throw violation({
      field: `${field}headers`,
      message: "are only for other webhooks: a chat accepts none",
    });
  const all: ChannelArguments = provider === "webhook" ? { ...given, headers } : given;
  const read = configurationIn(provider, all);
  if (read.ok) return { provider, configuration: read.configuration };
  const [first = { field: "webhook_url", message: wanted }, ...more] = read.mistakes.map((one) => ({
    field: `${field}${one.field === "endpoint" ? "webhook_url" : one.field}`,
    message: one.message,
  }));
  throw violation(first, ...more);
}

/** Chats and programs; a pager is called by the service's alerts alone. */
const takesNews: ReadonlySet<Provider> = new Set([
  "slack",
  "discord",
  "google_chat",
  "ms_teams",
  "webhook",
]);
const wanted =
  "must be an https or http URL: a webhook of Slack, Discord, Google Chat or Microsoft Teams, or one of your own program";

export function urlOf(configuration: Configuration): string {
  if ("endpoint" in configuration) return configuration.endpoint;
  return "webhookUrl" in configuration ? configuration.webhookUrl : "";
}

/** What may be shown to whoever may not use the URL. */
export const hostOf = ({ configuration }: WebhookDestination): string =>
  URL.parse(urlOf(configuration))?.host ?? "";

/** The last characters of its path or query, by which two of one host differ for people; empty if that is too short to hide the rest. */
export function endingOf({ configuration }: WebhookDestination): string {
  const { pathname = "", search = "" } = URL.parse(urlOf(configuration)) ?? {};
  const secret = `${pathname}${search}`;
  return secret.length < shownEnding * 4 ? "" : secret.slice(-shownEnding);
}
const shownEnding = 4;

/** With a secret by which its receiver knows our messages; one that is there stays. */
export function signed(
  configuration: Configuration,
  before: Configuration | undefined,
): Configuration {
  if (!("signingSecrets" in configuration)) return configuration;
  const kept = before !== undefined && "signingSecrets" in before ? before.signingSecrets : [];
  return { ...configuration, signingSecrets: kept.length > 0 ? kept : [newSigningSecret()] };
}

/** Headers and signing secret as JSON, by the names of the public contract; null if there is none. */
export function channelConfig({ configuration }: WebhookDestination): string | null {
  if (!("signingSecrets" in configuration)) return null;
  const { headers } = configuration;
  return JSON.stringify({ headers, secret: newestSecret({ configuration }) });
}

/** By which its receiver knows our messages; empty of a chat. */
export const newestSecret = ({
  configuration,
}: Pick<WebhookDestination, "configuration">): string =>
  "signingSecrets" in configuration ? (configuration.signingSecrets[0] ?? "") : "";
