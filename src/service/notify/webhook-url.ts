import type { WebhookUrl } from "#service/notify/channel";
import { ConfigurationReader } from "#service/notify/configuration-reading";
import type { ProviderRules } from "#service/notify/provider";

/** What providers have in common that need one URL, which is the secret, and that answer at once. */
export const byWebhookUrl: Pick<ProviderRules<"slack">, "paceKey" | "read" | "lacks"> & {
  readonly asking: null;
} = {
  paceKey: ({ webhookUrl }: WebhookUrl) => webhookUrl,
  read(given) {
    const reader = new ConfigurationReader(given);
    return reader.finish({ webhookUrl: reader.url("webhook_url") });
  },
  lacks: () => null,
  asking: null,
};
