import { expect, test } from "vitest";
import { notices, rendered, requestsOf, worsened } from "../../../support/notices.ts";

const key = {
  routing_key: "0123456789abcdef0123456789abcdef",
  dedup_key: "picket-i1-monitor-4",
};

test("an alert is a trigger with the monitor's key, which a resolve closes", () => {
  expect(requestsOf("pagerduty", notices["monitor.error"])).toMatchObject([
    {
      method: "POST",
      url: "https://events.pagerduty.com/v2/enqueue",
      json: {
        ...key,
        event_action: "trigger",
        client: "Picket",
        client_url: "https://picket.test/",
        links: [{ href: "https://picket.test/monitors/4", text: "Open the monitor" }, {}],
        payload: {
          summary: "Down: shop - The status code is 503, which does not count as success",
          source: "shop.internal",
          severity: "critical",
          timestamp: "2026-11-22T14:02:15.000Z",
          component: "shop",
          group: "office",
          class: "unexpected_status",
        },
      },
    },
  ]);
  expect(requestsOf("pagerduty", notices["monitor.recovered"]).map(({ json }) => json)).toEqual([
    { ...key, event_action: "resolve" },
  ]);
});

test.each([
  ["monitor.degraded", "warning", "picket-i1-monitor-4"],
  ["location.offline", "error", "picket-i1-location-1"],
] as const)("%s triggers with severity %s", (type, severity, dedup_key) => {
  expect(requestsOf("pagerduty", notices[type])).toMatchObject([
    { json: { event_action: "trigger", dedup_key, payload: { severity } } },
  ]);
});

test("a change triggers again with the same key and its new severity", () => {
  expect(requestsOf("pagerduty", worsened)).toMatchObject([
    { json: { ...key, event_action: "trigger", payload: { severity: "critical" } } },
  ]);
});

test("a deactivated monitor is resolved, a test opens and resolves, and a pager is not reminded", () => {
  const actions = (type: "monitor.closed" | "test" | "monitor.settled") =>
    requestsOf("pagerduty", notices[type]).map(({ json }) => Object(json).event_action);
  expect(actions("monitor.closed")).toEqual(["resolve"]);
  expect(actions("monitor.settled")).toEqual(["resolve"]);
  expect(actions("test")).toEqual(["trigger", "resolve"]);
  expect(rendered("pagerduty", notices["monitor.reminder"])).toMatchObject({ is: "nothing" });
  expect(rendered("pagerduty", notices.digest)).toMatchObject({ is: "nothing" });
});

test("no pager gets the link that acknowledges with one use", () => {
  for (const provider of ["pagerduty", "opsgenie", "grafana_oncall", "webhook"] as const)
    expect(JSON.stringify(requestsOf(provider, notices["monitor.error"]))).not.toContain("/ack/");
});
