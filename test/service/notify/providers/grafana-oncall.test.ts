import { expect, test } from "vitest";
import { notices, requestsOf, worsened } from "../../../support/notices.ts";

test("an alert is a formatted webhook that its alert_uid groups, and ok resolves", () => {
  expect(requestsOf("grafana_oncall", notices["monitor.error"])).toMatchObject([
    {
      method: "POST",
      url: "https://oncall.test/integrations/v1/formatted_webhook/secret/",
      json: {
        alert_uid: "picket-i1-monitor-4",
        title: "Down: shop",
        state: "alerting",
        link_to_upstream_details: "https://picket.test/monitors/4",
      },
    },
  ]);
  expect(requestsOf("grafana_oncall", worsened)).toMatchObject([
    { json: { alert_uid: "picket-i1-monitor-4", state: "alerting" } },
  ]);
  expect(requestsOf("grafana_oncall", notices["monitor.recovered"])).toMatchObject([
    { json: { alert_uid: "picket-i1-monitor-4", state: "ok" } },
  ]);
  expect(requestsOf("grafana_oncall", notices["location.online"])).toMatchObject([
    { json: { alert_uid: "picket-i1-location-1", state: "ok" } },
  ]);
});
