import { expect, test } from "vitest";
import {
  accounts,
  configurations,
  notices,
  requestsOf,
  worsened,
} from "../../../support/notices.ts";
import { opsgenie } from "#service/notify/providers/opsgenie";

const scene = { configuration: configurations.opsgenie, accounts, now: notices.test.at };
const reply = (status: number, body: unknown, headers = {}) => ({
  status,
  headers,
  body: JSON.stringify(body),
});
const asked = (status: number, body: unknown) =>
  opsgenie.asking?.understand(reply(status, body), "r1", scene);

test("an alert is created by the monitor's alias, in the region of its account", () => {
  expect(requestsOf("opsgenie", notices["monitor.error"])).toMatchObject([
    {
      method: "POST",
      url: "https://api.eu.opsgenie.com/v2/alerts",
      headers: { authorization: "GenieKey secret-api-key" },
      json: {
        message: "Down: shop",
        alias: "picket-i1-monitor-4",
        priority: "P1",
        entity: "shop.internal",
        source: "Picket",
        tags: ["team=shop"],
      },
    },
  ]);
  expect(requestsOf("opsgenie", notices["monitor.degraded"])).toMatchObject([
    { json: { priority: "P3" } },
  ]);
  expect(requestsOf("opsgenie", notices["location.offline"])).toMatchObject([
    { json: { priority: "P2" } },
  ]);
});

test("a recovery closes by the alias, and says that it is one: otherwise nothing is closed", () => {
  expect(requestsOf("opsgenie", notices["monitor.recovered"])).toMatchObject([
    {
      method: "POST",
      url: "https://api.eu.opsgenie.com/v2/alerts/picket-i1-monitor-4/close?identifierType=alias",
      json: { source: "Picket", user: "Picket" },
    },
  ]);
});

test("a change sets the priority and adds a note", () => {
  expect(requestsOf("opsgenie", worsened)).toMatchObject([
    {
      method: "POST",
      url: expect.stringContaining("/picket-i1-monitor-4/notes?identifierType=alias"),
    },
    {
      method: "PUT",
      url: expect.stringContaining("/picket-i1-monitor-4/priority?identifierType=alias"),
      json: { priority: "P1" },
    },
  ]);
});

test("it takes everything, so it is asked after ten seconds what became of the request", () => {
  expect(opsgenie.understand(reply(202, { requestId: "r1" }), scene)).toEqual({
    is: "accepted",
    reference: null,
    receipt: "r1",
    askAfter: 10_000,
  });
  expect(opsgenie.asking?.request("r1", scene)).toMatchObject({
    method: "GET",
    url: "https://api.eu.opsgenie.com/v2/alerts/requests/r1",
  });
  expect(asked(200, { data: { success: true, status: "Created alert" } })).toMatchObject({
    is: "delivered",
  });
  expect(asked(200, { data: { success: false, status: "Alert does not exist" } })).toMatchObject({
    is: "delivered",
  });
  expect(asked(200, { data: { success: false, status: "Alert is invalid" } })).toMatchObject({
    is: "permanent",
  });
  expect(asked(404, {})).toMatchObject({ is: "again" });
});

test("its own wait is kept, and a wrong key fails the channel", () => {
  const headers = { "x-ratelimit-period-in-sec": "60", "x-ratelimit-state": "THROTTLED" };
  expect(opsgenie.understand(reply(429, {}, headers), scene)).toMatchObject({
    is: "again",
    after: 60_000,
  });
  expect(opsgenie.understand(reply(422, {}), scene)).toMatchObject({ is: "permanent" });
  expect(opsgenie.understand(reply(403, {}), scene)).toMatchObject({ is: "failing" });
});
