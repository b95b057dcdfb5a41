/**
 * Where messages go: one place at one provider, with what a person configured for it. The configuration is secret as a
 * whole: keys, tokens and URLs that let whoever has them post.
 */
export type Channel = { readonly [P in Provider]: ChannelOf<P> }[Provider];

export interface ChannelOf<P extends Provider> {
  readonly id: string;
  /** What a person calls it. */
  readonly name: string;
  readonly provider: P;
  readonly configuration: Configurations[P];
}

/** In the order of the contract's numbers. */
export const providers = [
  "discord",
  "email",
  "google_chat",
  "grafana_oncall",
  "ntfy",
  "pagerduty",
  "opsgenie",
  "slack",
  "sms",
  "telegram",
  "webhook",
  "whatsapp",
  "ms_teams",
] as const;
export type Provider = (typeof providers)[number];

export interface Configurations {
  readonly discord: WebhookUrl;
  readonly email: { readonly email: string };
  readonly google_chat: WebhookUrl;
  readonly grafana_oncall: WebhookUrl;
  readonly ntfy: NtfyTopic;
  readonly pagerduty: { readonly integrationKey: string };
  readonly opsgenie: { readonly apiKey: string; readonly region: "us" | "eu" };
  readonly slack: WebhookUrl;
  readonly sms: PhoneNumber;
  readonly telegram: { readonly chatId: string };
  readonly webhook: WebhookEndpoint;
  readonly whatsapp: PhoneNumber;
  readonly ms_teams: WebhookUrl;
}
export type Configuration = Configurations[Provider];

export interface WebhookUrl {
  readonly webhookUrl: string;
}

interface PhoneNumber {
  /** + and up to 15 digits, as a person wrote it: with spaces, hyphens, dots or brackets between them. */
  readonly phoneNumber: string;
}

interface NtfyTopic {
  readonly topic: string;
  /** Empty: the public one. */
  readonly serverUrl: string;
  /** Empty if the topic needs none. */
  readonly token: string;
}

export interface WebhookEndpoint {
  readonly endpoint: string;
  readonly headers: readonly { readonly key: string; readonly value: string }[];
  /** whsec_ and base64. The first signs; a second one signs too while a rotation lasts. */
  readonly signingSecrets: readonly string[];
}
