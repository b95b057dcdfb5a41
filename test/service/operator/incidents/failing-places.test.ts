import { expect, test } from "vitest";
import { failingPlaces } from "#service/operator/incidents/failing-places";
import type { StoryEvent } from "#service/store/alert-store";
import { alertedOffice, type Office } from "../../alerts/alerted-office.ts";
import { reading } from "../../../support/reading-pages.ts";

/** A second location of the office's monitor. */
async function labOf({ service, clock, monitors }: Office) {
  const wanted = { name: "Lab", monitorIds: monitors, metadata: {} };
  const { token } = await service.admin.createPrivateLocation(wanted);
  const agent = service.agent(token);
  const [monitorId = ""] = monitors;
  return async (requestStatus: "success" | "error") => {
    await agent.heartbeat({ instanceId: "b", hostname: "probe-2", monitorCount: 1n });
    const timestamp = BigInt(Math.floor(clock.wall() / 1_000) * 1_000);
    const value = { monitorId, requestStatus, timestamp, cronTimestamp: timestamp };
    await agent.ingestBatch({ instanceId: "b", results: [{ result: { case: "tcp", value } }] });
  };
}

/** As an older version kept it. */
function withoutFailed(event: StoryEvent): StoryEvent {
  if (event.snapshot.of !== "monitor") return event;
  const { failedAt: _, ...snapshot } = event.snapshot;
  return { ...event, snapshot };
}

test("an incident whose results are gone is where its end says that it failed, and without that where it failed first", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  const lab = await labOf(office);
  await office.beat();
  for (const [here, there] of ["x.", "xx", "..", "..", ".."]) {
    await office.report(here === "x" ? "error" : "success");
    await lab(there === "x" ? "error" : "success");
    await office.pass(30);
  }
  await office.until(async () => (await read("/incidents")).includes("No open incident"));
  const said = "connection_refused while connecting at Lab and office ";
  expect(await read("/incidents")).toContain(said);
  expect(await read("/incidents/1")).toContain(said);
  const now = office.clock.wall();
  const all = { details: now, results: now, hours: now, days: now };
  while (await office.store.results.forget(all));
  const page = await read("/incidents/1");
  expect(page).toContain("No result of this time is kept");
  expect(page).toContain(said);
  const story = await office.store.alerts.incidents.story(1);
  const events = story?.events.map(withoutFailed) ?? [];
  const incident = story?.incident;
  if (incident === undefined) throw new Error("there is no incident");
  const picture = { at: now, detail: "whole", labels: [], texts: null } as const;
  const known = {
    ...picture,
    monitors: [],
    locations: [],
    planned: { silences: [], maintenances: [] },
  };
  expect(failingPlaces({ incident, events, turns: [] }, null, known)).toBe(", first at office");
});
