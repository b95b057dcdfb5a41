import { expect, test } from "vitest";

import type { Incident } from "#service/alerting/incident";
import { epochMillis, hours, millis } from "#base/units";
import { notedIncident } from "../../../support/noted-incident.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

/** What the page of an open incident says of how it is now. */
async function standingOf(now: Pick<Incident, "flapping" | "noDataSince">): Promise<string> {
  const { database, clock, get } = await operatorScene({ days: 0 });
  await using store = await openStoreHere({ database, use: "command", onProgress: () => {} });
  const noted = notedIncident({ kind: "channel", id: 1 }, clock.wall());
  await store.alerts.incidents.note({ ...noted, incident: { ...noted.incident, ...now } });
  const page = await (await get("/incidents/1")).text();
  const lines = page.matchAll(/<p class="advice">(?<words>It goes.*?|No location.*?)<\/p>/gs);
  return [...lines]
    .map(({ groups }) => groups?.["words"] ?? "")
    .join(" ")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/\s+/g, " ");
}

const at = epochMillis(Date.parse("2026-11-22T11:50:00Z"));
const goesUpAndDown = "It goes up and down: 5 changes. Messages pause until it is steady.";

test("an incident that goes up and down says how it is now only while a location can say it", async () => {
  const up = { changes: 5, changedAt: at, isDown: false, downFor: millis(0) };
  expect(await standingOf({ flapping: up, noDataSince: null })).toBe(
    `${goesUpAndDown} It is up now, and closes at 22 Nov, 12:20:00 UTC if that stays so.`,
  );
  const down = { ...up, isDown: true };
  expect(await standingOf({ flapping: down, noDataSince: null })).toBe(
    `${goesUpAndDown} It is down now.`,
  );
  for (const flapping of [up, down])
    expect(await standingOf({ flapping, noDataSince: at })).toBe(
      `${goesUpAndDown} No location can say anything since 22 Nov, 11:50:00 UTC.`,
    );
});

test.each([
  [29, true, "No one was notified: when it opened, no channel was to be notified of it."],
  [30, false, "No one was notified: when it opened, no channel was to be notified of it."],
  [30, true, "Messages are kept for 30 d: who was notified when it opened is not known any more."],
])(
  "an incident of %i days without a message, over: %s, says why none is listed",
  async (days, isOver, words) => {
    const { database, clock, get } = await operatorScene({ days: 0 });
    await using store = await openStoreHere({ database, use: "command", onProgress: () => {} });
    const openedAt = epochMillis(clock.wall() - hours(24 * days));
    const noted = notedIncident({ kind: "channel", id: 1 }, openedAt);
    const ended = isOver ? ({ at: clock.wall(), because: "recovered" } as const) : null;
    await store.alerts.incidents.note({ ...noted, incident: { ...noted.incident, ended } });
    const page = await (await get("/incidents/1")).text();
    expect(page.replaceAll(/\s+/g, " ")).toContain(words);
  },
);
