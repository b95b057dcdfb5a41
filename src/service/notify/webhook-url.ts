import type { WebhookUrl } from "#service/notify/channel";
import { ConfigurationReader } from "#service/notify/configuration-reading";
import type { ProviderRules } from "#service/notify/provider";

/** What a provider's URLs look like, for whoever gives another one. */
interface UrlLooks {
  readonly example: string;
  /** The addresses that people copy instead: host and path of a page of the provider's. */
  readonly page?: RegExp;
}

/** What providers have in common that need one URL, which is the secret, and that answer at once. */
export const byWebhookUrl = ({
  example,
  page,
}: UrlLooks): Pick<ProviderRules<"slack">, "paceKey" | "read" | "lacks"> & {
  readonly asking: null;
} => ({
  paceKey: ({ webhookUrl }: WebhookUrl) => webhookUrl,
  read(given) {
    const reader = new ConfigurationReader(given);
    const webhookUrl = reader.url("webhook_url", example);
    const { hostname = "", pathname = "" } = URL.parse(webhookUrl) ?? {};
    if (page?.test(`${hostname}${pathname}`) === true)
      reader.mistake(
        "webhook_url",
        `leads to a page, and takes no message: give one like ${example}`,
      );
    return reader.finish({ webhookUrl });
  },
  lacks: () => null,
  asking: null,
});
