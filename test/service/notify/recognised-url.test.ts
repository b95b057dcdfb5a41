import { expect, test } from "vitest";
import { recognisedUrl } from "#service/notify/recognised-url";

test.each([
  ["https://discord.com/api/webhooks/1/x", "discord"],
  ["https://canary.discord.com/api/webhooks/1/x?thread_id=7", "discord"],
  ["https://hooks.slack.com/services/T/B/x", "slack"],
  ["https://chat.googleapis.com/v1/spaces/A/messages?key=k&token=t", "google_chat"],
  ["https://prod-1.westeurope.logic.azure.com:443/workflows/x", "ms_teams"],
  ["https://oncall.example.com/integrations/v1/formatted_webhook/x/", "grafana_oncall"],
] as const)("%s is %s", (webhook_url, provider) => {
  expect(recognisedUrl(webhook_url)).toMatchObject({
    provider,
    given: { webhook_url },
  });
});

test("what is not an encoding stays, and its provider says what is wrong with it", () => {
  expect(recognisedUrl("mailto:%zz")).toEqual({ provider: "email", given: { email: "%zz" } });
  expect(recognisedUrl("https://%zz@ntfy.sh/t")).toMatchObject({ given: { token: "%zz" } });
});

test("a topic at ntfy, also at a server of one's own with a token", () => {
  expect(recognisedUrl("https://ntfy.sh/shop-3f9a2c")).toEqual({
    provider: "ntfy",
    given: { topic: "shop-3f9a2c", server_url: "https://ntfy.sh/", token: "" },
  });
  expect(recognisedUrl("ntfy://tk_1@push.example.com:8443/ops")).toEqual({
    provider: "ntfy",
    given: { topic: "ops", server_url: "https://push.example.com:8443/", token: "tk_1" },
  });
});

test("an address of mail, and every other URL as a webhook", () => {
  expect(recognisedUrl("mailto:ops@example.com")).toEqual({
    provider: "email",
    given: { email: "ops@example.com" },
  });
  expect(recognisedUrl("http://127.0.0.1:9000/in")).toEqual({
    provider: "webhook",
    given: { endpoint: "http://127.0.0.1:9000/in" },
  });
  for (const text of ["", "hooks.slack.com", "ftp://x/", "javascript:alert(1)", "ntfy:ops"])
    expect(recognisedUrl(text)).toBeNull();
});

test("a host that only looks like a provider's is a webhook", () => {
  expect(recognisedUrl("https://hooks.slack.com.evil.test/x")).toMatchObject({
    provider: "webhook",
  });
  expect(recognisedUrl("https://evil.test/discord.com/api/webhooks/1")).toMatchObject({
    provider: "webhook",
  });
});
