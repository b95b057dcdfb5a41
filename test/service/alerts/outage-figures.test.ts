import { expect, test } from "vitest";
import { shownFigures } from "#service/alerts/outage-figures";
import { epochMillis, hours, minutes, seconds } from "#base/units";
import {
  assigned,
  failing,
  noon,
  openQuietly,
  period,
  slotAfter,
  someResult,
} from "../store/conformance/scene.ts";
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

const downAlone = { slowFor: null, unknownFor: null, failedChecks: null, slowChecks: null };

test("of an incident with very many checks, or whose checks are no longer kept, its page has how long it was down alone", async () => {
  await using store = await openQuietly(`${temporaryFolder()}/picket.db`);
  const { monitors, append } = await assigned(store, 2);
  const [id, other] = [monitors[0]!, monitors[1]!];
  await append(...[0, 1, 2].map((count) => someResult(id, slotAfter(count), failing)));
  const begun = epochMillis(noon + 40);
  const figures = (monitor: number, length: number, ended: number | null = null) => {
    const noted = notedIncident({ kind: "monitor", id: monitor }, begun).incident;
    const at = epochMillis(noon + (ended ?? 0));
    const end = ended === null ? null : ({ at, because: "recovered" } as const);
    const incident = { ...noted, number: 1, ended: end };
    return shownFigures(store, incident, epochMillis(noon + length), period);
  };
  const [down, over, days] = [seconds(90), minutes(10), hours(24)];
  expect(await figures(id, down)).toMatchObject({ failedChecks: 3, slowChecks: 0 });
  expect(await figures(id, 8 * days)).toEqual({ ...downAlone, downFor: down });
  const whole = { failedChecks: 3, unknownFor: over - down };
  expect(await figures(id, days, over)).toMatchObject(whole);
  expect(await figures(id, 15 * days, over)).toEqual({ ...downAlone, downFor: down });
  expect(await figures(other, days, over)).toEqual({ ...downAlone, downFor: null });
});
