import { expect, test } from "vitest";
import { shownFigures } from "#service/alerts/outage-figures";
import { epochMillis, hours, minutes, seconds } from "#base/units";
import { assigned, failing, noon, openQuietly, someResult } from "../store/conformance/scene.ts";
import { notedIncident } from "../../support/noted-incident.ts";
import { temporaryFolder } from "../../support/running-service.ts";
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

test("of an incident with very many checks its page has how long it was down alone: it looks every ten seconds", async () => {
  await using store = await openQuietly(`${temporaryFolder()}/picket.db`);
  const { monitors, append } = await assigned(store);
  const id = monitors[0]!;
  await append(...[0, 1, 2].map((count) => someResult(id, noon + count * minutes(1), failing)));
  const noted = notedIncident({ kind: "monitor", id }, epochMillis(noon + 40));
  const incident = { ...noted.incident, number: 1 };
  const figures = (length: number) =>
    shownFigures(store, incident, epochMillis(noon + length), minutes(1));
  expect(await figures(minutes(3))).toMatchObject({ failedChecks: 3, slowChecks: 0 });
  const long = await figures(hours(24 * 15));
  expect(long).toEqual({
    downFor: expect.any(Number),
    slowFor: null,
    unknownFor: null,
    failedChecks: null,
    slowChecks: null,
  });
});
