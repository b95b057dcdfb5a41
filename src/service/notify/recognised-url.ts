import { percentDecoded } from "#base/text";
import type { Provider } from "#service/notify/channel";
import type { ChannelArguments } from "#service/notify/configuration-reading";

/** A channel as one URL says it. */
export interface UrlChannel {
  readonly provider: Provider;
  readonly given: ChannelArguments;
}

/**
 * The channel that a URL means, by its host: one of the webhook kinds, a topic at ntfy, an address of mail; every other URL
 * of http is a webhook. Null for what is no such URL. The URL itself stays as it is written.
 */
export function recognisedUrl(text: string): UrlChannel | null {
  const url = URL.parse(text);
  if (url === null) return null;
  if (url.protocol === "mailto:")
    return { provider: "email", given: { email: percentDecoded(url.pathname) } };
  if (url.protocol === "ntfy:" && url.hostname !== "") return ntfyAt(url, `https://${url.host}/`);
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  const known = hosts.find(([pattern]) => pattern.test(`${url.hostname}${url.pathname}`));
  const provider = known?.[1] ?? "webhook";
  switch (provider) {
    case "ntfy":
      return ntfyAt(url, `${url.origin}/`);
    case "webhook":
      return { provider, given: { endpoint: text } };
    default:
      return { provider, given: { webhook_url: text } };
  }
}

/** What follows the host's slash is the topic; user-info may hold the token. */
const ntfyAt = (url: URL, serverUrl: string): UrlChannel => ({
  provider: "ntfy",
  given: {
    topic: url.pathname.replaceAll("/", ""),
    server_url: serverUrl,
    token: percentDecoded(url.password || url.username),
  },
});

/** Host and path as the providers hand them out. */
const hosts: readonly (readonly [RegExp, Provider])[] = [
  [/^(\w+\.)?discord(app)?\.com\/api\/webhooks\//, "discord"],
  [/^hooks\.slack(-gov)?\.com\//, "slack"],
  [/^chat\.googleapis\.com\//, "google_chat"],
  [/\.(logic\.azure\.com|powerplatform\.com|webhook\.office\.com)\//, "ms_teams"],
  [/\/integrations\/v1\/formatted_webhook\//, "grafana_oncall"],
  [/^ntfy\.sh\//, "ntfy"],
];
