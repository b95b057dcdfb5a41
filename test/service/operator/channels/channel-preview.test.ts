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
  for (const refused of ["1 s", "1.5 min 1 ms", "400 h"])
    expect(shown("slack", refused)).not.toContain("Repeated");
  expect(shown("slack", "2 h")).toContain("every 2 h, until it is acknowledged");
});

test("the example of a webhook says that a test posts another type", () => {
  const said =
    "A test message has the type <code>test</code> instead of <code>monitor.error</code>.";
  expect(shown("webhook", "")).toContain(said);
  expect(shown("slack", "")).not.toContain(said);
});

test("the long example of a webhook is closed until a person asks for it, and that of a chat is open", () => {
  const service = { name: "Picket", url: null };
  const posted = (typed: string): string =>
    previewView("webhook", service, at, new URLSearchParams(typed), null).text;
  expect(posted("")).toMatch(
    /<details id="posted" +>\s*<summary>An example of a failure, as JSON</,
  );
  expect(posted("preview=yes")).toMatch(/<details id="posted" +open>/);
  expect(shown("slack", "")).not.toContain("<details");
});
