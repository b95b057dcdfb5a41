import { expect, test } from "vitest";
import { epochMillis } from "#base/units";
import { previewView } from "#service/operator/channels/channel-preview";
import type { Provider } from "#service/notify/channel";

const at = epochMillis(Date.parse("2026-11-22T12:00:00Z"));
const shown = (provider: Provider, reminder: string): string =>
  previewView(
    provider,
    { name: "Picket", url: null },
    at,
    new URLSearchParams({ time_zone: "UTC", reminder }),
    null,
  ).text.replaceAll(/\s+/g, " ");

test("a preview says how often a message is repeated as the form does, and nothing if it is never", () => {
  expect(shown("slack", "")).not.toContain("Repeated");
  expect(shown("slack", "2 h")).toContain("every 2 h, until it is acknowledged");
});
