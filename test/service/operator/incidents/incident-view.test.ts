import { expect, test } from "vitest";

import type { Incident } from "#service/alerting/incident";
import { epochMillis, hours, minutes } from "#base/units";
import { notedIncident } from "../../../support/noted-incident.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

type Now = Pick<Incident, "flapping" | "noDataSince">;

/** A page of the service that has one open incident. */
async function pageWith(now: Now, path: string): Promise<string> {
  const { database, clock, get } = await operatorScene({ days: 0 });
  await using store = await openStoreHere({ database, use: "command", onProgress: () => {} });
  const noted = notedIncident({ kind: "channel", id: 1 }, clock.wall());
  await store.alerts.incidents.note({ ...noted, incident: { ...noted.incident, ...now } });
  return await (await get(path)).text();
}

/** What the page of an open incident says of how it is now. */
async function standingOf(now: Now): Promise<string> {
  const page = await pageWith(now, "/incidents/1");
  const lines = page.matchAll(/<p class="advice">(?<words>Flapping.*?|No location.*?)<\/p>/gs);
  return [...lines]
    .map(({ groups }) => groups?.["words"] ?? "")
    .join(" ")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/\s+/g, " ");
}

const at = epochMillis(Date.parse("2026-11-22T11:50:00Z"));
const goesUpAndDown = "Flapping: messages pause until it is steady.";

test("an incident that goes up and down says how it is now only while a location can say it", async () => {
  const up = { changes: 5, changedAt: at, isDown: false };
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

test.each(["/incidents/1", "/incidents"])(
  "%s marks an incident that goes up and down by how it is now, if a location can say it",
  async (path) => {
    const markOf = async (now: Now) =>
      /<span class="mark (?<look>\w+)"\s*>.*?(?<word>[A-Z]\w+)<\/span\s*>/s
        .exec((await pageWith(now, path)).split("<h1")[1] ?? "")
        ?.slice(1);
    const up = { changes: 5, changedAt: at, isDown: false };
    expect(await markOf({ flapping: up, noDataSince: null })).toEqual(["degraded", "Flapping"]);
    const down = { ...up, isDown: true };
    expect(await markOf({ flapping: down, noDataSince: null })).toEqual(["error", "Flapping"]);
    expect(await markOf({ flapping: up, noDataSince: at })).toEqual(["error", "Failing"]);
  },
);

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

test("an incident that was well in between says how often it was in trouble, how long in all, and why it is one", async () => {
  const { database, clock, get } = await operatorScene({ days: 0 });
  await using store = await openStoreHere({ database, use: "command", onProgress: () => {} });
  const at = (count: number) => epochMillis(clock.wall() - minutes(30 - count));
  const noted = notedIncident({ kind: "monitor", id: 1 }, at(0));
  const well = [
    { from: at(2), to: at(5) },
    { from: at(6), to: at(7) },
  ];
  const ended = { at: at(9), because: "recovered" } as const;
  const incident = { ...noted.incident, startedAt: at(0), well, ended, worst: "degraded" } as const;
  await store.alerts.incidents.note({ ...noted, incident });
  const words = async (path: string) =>
    (await (await get(path)).text())
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll("\u00a0", " ")
      .replaceAll(/\s+/g, " ");
  const page = await words("/incidents/1");
  expect(page).toContain("Incident 1, it recovered after 9 min, degraded 3 times");
  expect(page).toContain("Degraded for 5 min of 9 min");
  expect(page).toContain(
    "It was degraded 3 times, and well in between. Within 10 min after its end an incident opens again, and no new one does.",
  );
  expect(await words("/incidents")).toMatch(
    /lasted 9 min, 5 min degraded .* Incident 1 .* degraded 3 times/,
  );
});
