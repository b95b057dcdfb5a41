import { expect, test } from "vitest";
import type { Provider } from "#service/notify/channel";
import { rulesOf } from "#service/notify/provider-table";

const mistakeOf = (provider: Provider, url: string): string => {
  const read = rulesOf(provider).read({ webhook_url: url });
  return read.ok ? "" : read.mistakes.map(({ message }) => message).join();
};

test.each<[Provider, string, string]>([
  ["slack", "https://acme.slack.com/archives/C0123", "hooks.slack.com/services/"],
  ["discord", "https://discord.com/channels/1/2", "discord.com/api/webhooks/"],
  ["google_chat", "https://mail.google.com/chat/u/0/#chat/space/x", "chat.googleapis.com/v1/"],
  ["ms_teams", "https://teams.microsoft.com/l/channel/19", "logic.azure.com/workflows/"],
])("a page of %s is refused as the URL of its webhook, with an example", (provider, url, like) => {
  expect(mistakeOf(provider, url)).toContain(
    "leads to a page, and takes no message: give one like",
  );
  expect(mistakeOf(provider, url)).toContain(like);
  expect(mistakeOf(provider, "hooks")).toContain(like);
});

test.each<[Provider, string]>([
  ["slack", "https://hooks.slack.com/services/T0/B0/x"],
  ["slack", "https://mattermost.example.com/hooks/x"],
  ["discord", "https://discord.com/api/webhooks/1/x"],
  ["google_chat", "https://chat.googleapis.com/v1/spaces/x/messages?key=x&token=x"],
  ["ms_teams", "https://prod-1.westus.logic.azure.com/workflows/x"],
])("a webhook's URL of %s is taken: %s", (provider, url) => {
  expect(mistakeOf(provider, url)).toBe("");
});
