import type { Provider } from "#service/notify/channel";
import type { ChannelArguments } from "#service/notify/configuration-reading";
import { numberEnd, openHost } from "#service/operator/channels/channel-name";

/**
 * Where the messages of a channel arrive, as far as it is no secret: an address, the end of a number, or a host. The path of
 * a URL lets whoever has it post, and whoever knows a topic reads what is sent to it. Empty if there is nothing but a key, or
 * if the channel's data cannot be opened.
 */
export function destinationOf(provider: Provider, saved: ChannelArguments): string {
  switch (provider) {
    case "email":
      return textOf(saved["email"]);
    case "sms":
    case "whatsapp":
      return numberEnd(textOf(saved["phone_number"]));
    case "telegram":
      return chatOf(textOf(saved["chat_id"]));
    case "ntfy":
      return openHost(saved["server_url"]);
    case "opsgenie":
      return textOf(saved["region"]).toUpperCase();
    case "webhook":
      return openHost(saved["endpoint"]);
    case "discord":
    case "google_chat":
    case "grafana_oncall":
    case "ms_teams":
    case "slack":
      return openHost(saved["webhook_url"]);
    case "pagerduty":
      return "";
  }
}

const chatOf = (id: string): string => (id === "" || id.startsWith("@") ? id : `chat ${id}`);

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
