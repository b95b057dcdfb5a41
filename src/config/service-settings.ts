import type { Setting } from "#config/agent-settings";
import * as limits from "#limits/service-limits";

export type ServiceSettingName =
  | "PICKET_SERVICE_DATABASE"
  | "PICKET_SERVICE_LISTEN"
  | "PICKET_SERVICE_CONFIG"
  | "PICKET_SERVICE_CERT_FILE"
  | "PICKET_SERVICE_KEY_FILE"
  | "PICKET_SERVICE_ALLOW_HTTP"
  | "PICKET_SERVICE_SECRET_FILE"
  | "PICKET_SERVICE_NAME"
  | "PICKET_SERVICE_SLUG"
  | "PICKET_SERVICE_KEY_HEADERS"
  | "PICKET_SERVICE_CALLS_PER_SECOND"
  | "PICKET_SERVICE_PACK_AFTER"
  | "PICKET_SERVICE_PUBLIC_URL"
  | "PICKET_SERVICE_TRUSTED_PROXIES"
  | "PICKET_SERVICE_HEARTBEAT_URL"
  | "PICKET_SERVICE_HEARTBEAT_URL_FILE"
  | "PICKET_SERVICE_OIDC_ISSUER"
  | "PICKET_SERVICE_OIDC_CLIENT_ID"
  | "PICKET_SERVICE_OIDC_CLIENT_SECRET"
  | "PICKET_SERVICE_OIDC_CLIENT_SECRET_FILE"
  | "PICKET_SERVICE_OIDC_READ"
  | "PICKET_SERVICE_OIDC_RESPOND"
  | "PICKET_SERVICE_OIDC_WRITE"
  | "PICKET_SERVICE_OIDC_OWN"
  | "PICKET_SERVICE_OIDC_SCOPES"
  | "PICKET_SERVICE_OIDC_GROUPS_CLAIM"
  | "PICKET_SMTP_URL"
  | "PICKET_SMTP_URL_FILE"
  | "PICKET_SMTP_FROM"
  | "PICKET_SMTP_DKIM_DOMAIN"
  | "PICKET_SMTP_DKIM_SELECTOR"
  | "PICKET_SMTP_DKIM_KEY_FILE"
  | "PICKET_PHONE_MESSAGES_MAX"
  | "PICKET_TELEGRAM_BOT_TOKEN"
  | "PICKET_TELEGRAM_BOT_TOKEN_FILE"
  | "PICKET_TELEGRAM_URL"
  | "PICKET_TWILIO_ACCOUNT_SID"
  | "PICKET_TWILIO_API_KEY"
  | "PICKET_TWILIO_AUTH_TOKEN"
  | "PICKET_TWILIO_AUTH_TOKEN_FILE"
  | "PICKET_TWILIO_FROM"
  | "PICKET_TWILIO_URL"
  | "PICKET_WHATSAPP_PROVIDER"
  | "PICKET_WHATSAPP_FROM"
  | "PICKET_WHATSAPP_TEMPLATE"
  | "PICKET_WHATSAPP_LANGUAGE"
  | "PICKET_WHATSAPP_TOKEN"
  | "PICKET_WHATSAPP_TOKEN_FILE"
  | "PICKET_WHATSAPP_URL"
  | "PICKET_PAGERDUTY_URL"
  | "PICKET_NOTIFY_PROXY"
  | "PICKET_NOTIFY_ALLOW_HTTP"
  | "PICKET_CA_FILE"
  | "PICKET_CLIENT_CERT_FILE"
  | "PICKET_CLIENT_KEY_FILE"
  | "PICKET_NO_PROXY";

const text = (does: string): Setting => ({ kind: "text", fallback: null, does });
const secret = (does: string): Setting => ({ ...text(does), secret: true });
const file = (name: string): Setting => text(`a file that holds ${name}, instead of it`);
const people = (does: string): Setting => ({ kind: "people", fallback: "", does });
const url = (fallback: string, does: string): Setting => ({ kind: "url", fallback, does });

/** Every variable that the service understands; the documentation is made from this table. */
export const serviceSettings: { readonly [N in ServiceSettingName]: Setting } = {
  PICKET_SERVICE_DATABASE: text("the SQLite file, or postgres://… for PostgreSQL"),
  PICKET_SERVICE_LISTEN: {
    kind: "text",
    fallback: "127.0.0.1:8787",
    does: "the address that it listens on, HOST:PORT",
  },
  PICKET_SERVICE_CONFIG: text(
    "a file or folder of configuration that the service applies at its start and at each change",
  ),
  PICKET_SERVICE_CERT_FILE: text("a PEM certificate, with its chain, to speak TLS with"),
  PICKET_SERVICE_KEY_FILE: text("its PEM key, without passphrase"),
  PICKET_SERVICE_ALLOW_HTTP: {
    kind: "switch",
    fallback: "off",
    does: "allows plain http on an address that other machines reach",
  },
  PICKET_SERVICE_SECRET_FILE: text(
    "the file with the key that encrypts secrets in the database; every replica needs the same (default: in the database's folder)",
  ),
  PICKET_SERVICE_NAME: {
    kind: "text",
    fallback: "Picket",
    does: "what the service calls itself in messages and in whoami",
  },
  PICKET_SERVICE_SLUG: { kind: "text", fallback: "picket", does: "its short name in whoami" },
  PICKET_SERVICE_KEY_HEADERS: text("further headers that carry an API key, e.g. x-acme-key"),
  PICKET_SERVICE_CALLS_PER_SECOND: {
    kind: "count",
    fallback: String(limits.keyCallsPerSecondDefault),
    does: "the most calls of one API key in a second; more calls wait",
  },
  PICKET_SERVICE_PACK_AFTER: {
    kind: "duration",
    fallback: `${limits.packAfterDefault / 3_600_000}h`,
    does: "how old results are when they are packed, so that they take less of the disk",
  },
  PICKET_SERVICE_PUBLIC_URL: {
    kind: "url",
    fallback: null,
    does: "the service's address as people open it: messages link to it",
  },
  PICKET_SERVICE_TRUSTED_PROXIES: text(
    "addresses of your reverse proxies, whose X-Forwarded-For says whose request it is, e.g. 10.0.0.0/8",
  ),
  PICKET_SERVICE_HEARTBEAT_URL: {
    kind: "fetched_url",
    fallback: null,
    does: "a URL that is fetched every minute while the service works, for a watcher elsewhere",
    secret: true,
  },
  PICKET_SERVICE_HEARTBEAT_URL_FILE: file("PICKET_SERVICE_HEARTBEAT_URL"),
  PICKET_SERVICE_OIDC_ISSUER: {
    kind: "issuer",
    fallback: null,
    does: "the identity provider (OpenID Connect) with which people may sign in to the pages",
  },
  PICKET_SERVICE_OIDC_CLIENT_ID: text("the client that the provider knows the service as"),
  PICKET_SERVICE_OIDC_CLIENT_SECRET: secret("its secret; a public client has none"),
  PICKET_SERVICE_OIDC_CLIENT_SECRET_FILE: file("PICKET_SERVICE_OIDC_CLIENT_SECRET"),
  PICKET_SERVICE_OIDC_READ: people("who may see the pages"),
  PICKET_SERVICE_OIDC_RESPOND: people("who may also acknowledge, silence, comment and report"),
  PICKET_SERVICE_OIDC_WRITE: people("who may also change everything but people and keys"),
  PICKET_SERVICE_OIDC_OWN: people("who may also manage people, keys and sessions"),
  PICKET_SERVICE_OIDC_SCOPES: {
    kind: "text",
    fallback: "openid email profile",
    does: "the scopes that are asked for; some providers need groups as well",
  },
  PICKET_SERVICE_OIDC_GROUPS_CLAIM: {
    kind: "text",
    fallback: "groups",
    does: "the claim in which the provider says the groups of a person",
  },
  PICKET_SMTP_URL: {
    kind: "smtp",
    fallback: null,
    does: "the mail server, in place of the one in Settings → Mail; a server elsewhere must offer TLS",
    secret: true,
  },
  PICKET_SMTP_URL_FILE: file("PICKET_SMTP_URL"),
  PICKET_SMTP_FROM: text("the sender of mails, e.g. Picket <picket@example.com>"),
  PICKET_SMTP_DKIM_DOMAIN: text("the domain that signs mails by DKIM, e.g. example.com"),
  PICKET_SMTP_DKIM_SELECTOR: text("the selector of its key: the name before ._domainkey"),
  PICKET_SMTP_DKIM_KEY_FILE: text("a file with its private key, as PEM"),
  PICKET_PHONE_MESSAGES_MAX: {
    kind: "count",
    fallback: "1000",
    does: "the most messages by SMS and WhatsApp in a month (UTC); when they are used up, other channels report it",
  },
  PICKET_TELEGRAM_BOT_TOKEN: secret("the token of the bot that writes to Telegram chats"),
  PICKET_TELEGRAM_BOT_TOKEN_FILE: file("PICKET_TELEGRAM_BOT_TOKEN"),
  PICKET_TELEGRAM_URL: url("https://api.telegram.org", "the Bot API, for your own server"),
  PICKET_TWILIO_ACCOUNT_SID: text("the account at Twilio for SMS, and for WhatsApp by Twilio"),
  PICKET_TWILIO_API_KEY: text("the SID of an API key; without it the account's own token is used"),
  PICKET_TWILIO_AUTH_TOKEN: secret("the account's token, or the API key's secret"),
  PICKET_TWILIO_AUTH_TOKEN_FILE: file("PICKET_TWILIO_AUTH_TOKEN"),
  PICKET_TWILIO_FROM: text("the sender of SMS: a number, or a messaging service (MG…)"),
  PICKET_TWILIO_URL: url("https://api.twilio.com", "Twilio's API"),
  PICKET_WHATSAPP_PROVIDER: {
    kind: "whatsapp",
    fallback: null,
    does: "who carries WhatsApp messages",
  },
  PICKET_WHATSAPP_FROM: text("the sender: a number with Twilio, a phone number id with Meta"),
  PICKET_WHATSAPP_TEMPLATE: text(
    "the approved template: a content SID (HX…) with Twilio, a name with Meta",
  ),
  PICKET_WHATSAPP_LANGUAGE: {
    kind: "text",
    fallback: "en",
    does: "the template's language with Meta",
  },
  PICKET_WHATSAPP_TOKEN: secret("the access token with Meta"),
  PICKET_WHATSAPP_TOKEN_FILE: file("PICKET_WHATSAPP_TOKEN"),
  PICKET_WHATSAPP_URL: url("https://graph.facebook.com/v23.0", "Meta's API with its version"),
  PICKET_PAGERDUTY_URL: url(
    "https://events.pagerduty.com",
    "PagerDuty's events API; https://events.eu.pagerduty.com for accounts in the EU",
  ),
  PICKET_NOTIFY_PROXY: {
    kind: "proxy",
    fallback: null,
    does: "an HTTP proxy for notifications and for the identity provider",
    secret: true,
  },
  PICKET_NO_PROXY: {
    kind: "exceptions",
    fallback: "",
    does: "hosts that are reached without it",
  },
  PICKET_NOTIFY_ALLOW_HTTP: {
    kind: "switch",
    fallback: "off",
    does: "allows notifications by plain http to hosts that are not private",
  },
  PICKET_CA_FILE: text("CA certificates to trust in addition to the system's (PEM)"),
  PICKET_CLIENT_CERT_FILE: text("a client certificate for providers that ask for one, as PEM"),
  PICKET_CLIENT_KEY_FILE: text("its key"),
};
