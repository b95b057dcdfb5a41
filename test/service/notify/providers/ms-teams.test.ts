import { expect, test } from "vitest";
import { accounts, configurations, notices, requestsOf, shop } from "../../../support/notices.ts";
import { msTeams } from "#service/notify/providers/ms-teams";

const scene = { configuration: configurations.ms_teams, accounts, now: notices.test.at };
const reply = (status: number) => msTeams.understand({ status, headers: {}, body: "" }, scene);

test("an alert is an adaptive card", () => {
  const [alert] = requestsOf("ms_teams", notices["monitor.error"]);
  expect(alert).toMatchObject({
    method: "POST",
    url: "https://teams.test/workflows/secret",
    json: {
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          contentUrl: null,
          content: {
            type: "AdaptiveCard",
            version: "1.4",
            body: [
              { type: "Container", style: "attention", items: [{ text: "Down: shop" }, {}] },
              { type: "FactSet" },
              { type: "TextBlock", text: "Runbook: https://wiki.internal/shop" },
            ],
            actions: [
              {
                type: "Action.OpenUrl",
                title: "Open the monitor",
                url: "https://picket.test/monitors/4",
              },
              { title: "Open the incident" },
              { title: "Acknowledge" },
            ],
            msteams: { width: "Full" },
          },
        },
      ],
    },
  });
});

test.each([
  ["monitor.degraded", "warning"],
  ["monitor.recovered", "good"],
  ["monitor.reminder", "emphasis"],
] as const)("%s has the style %s", (type, style) => {
  const [request] = requestsOf("ms_teams", notices[type]);
  expect(JSON.stringify(request?.json)).toContain(`"style":"${style}"`);
});

test("a name makes no link, and a card stays below 28 KB", () => {
  const monitor = { ...shop, name: "[shop](https://evil.test)" };
  const [request] = requestsOf("ms_teams", { ...notices["monitor.error"], monitor });
  expect(JSON.stringify(request?.json)).toContain(String.raw`\\[shop\\](`);
});

test("accepted with nothing in it is delivered; without its flow the channel fails", () => {
  expect(reply(202)).toMatchObject({ is: "delivered" });
  expect(reply(404)).toMatchObject({ is: "failing", trouble: { code: "channel_gone" } });
  expect(reply(401)).toMatchObject({ is: "failing" });
});
