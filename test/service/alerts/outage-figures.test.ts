import { expect, test } from "vitest";
import { seconds } from "#base/units";
import { cookieOf } from "../../support/signed-in.ts";
import { alertedOffice } from "./alerted-office.ts";

test("a recovery has the figures of the incident's page: what was slow or not seen is not called down", async () => {
  const office = await alertedOffice();
  await office.channel("ops");
  await office.beat();
  for (const status of ["error", "error", "degraded", "degraded", null, null, "success"] as const) {
    if (status !== null) await office.report(status);
    await office.pass(30);
  }
  await office.report("success");
  await office.pass(30);
  const over = office.mailbox.notices("ops").at(-1);
  expect(over).toMatchObject({
    type: "monitor.recovered",
    lasted: {
      inTrouble: 2 * seconds(30),
      slow: 2 * seconds(30),
      unknown: 2 * seconds(30),
      failedChecks: 2,
      slowChecks: 2,
    },
  });
  const { url } = office.service;
  const signedIn = await fetch(`${url}/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { accept: "text/html" },
    body: new URLSearchParams({ secret: office.key }),
  });
  const headers = { cookie: cookieOf(signedIn) };
  const document = await (await fetch(`${url}/incidents/1.json`, { headers })).json();
  const page = await (await fetch(`${url}/incidents/1`, { headers })).text();
  expect(page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")).toContain(
    "Down for 1 min of 3 min, slow for 1 min, not known for 1 min",
  );
  expect(document).toMatchObject({
    down_ms: 60_000,
    slow_ms: 60_000,
    unknown_ms: 60_000,
    failed_checks: 2,
    slow_checks: 2,
  });
});
