import { describe, expect, test } from "vitest";
import { recalledSlots } from "#agent/link/recalled-slots";
import { slotBefore } from "#agent/prober/schedule/slots";
import type { KeptRuns, RunSpan } from "#agent/state/kept-runs";
import { epochMillis, type EpochMillis, millis } from "#base/units";
import { monitorWith } from "../../support/twins.ts";

describe("the slots that an agent knows of when it starts again", () => {
  const to = epochMillis(1_800_000_000_000);
  const minutely = monitorWith({ id: "minutely", periodicity: millis(60_000) });
  const hourly = monitorWith({ id: "hourly", periodicity: millis(3_600_000) });
  const monitors = [minutely, hourly];
  const none: ReadonlyMap<string, EpochMillis> = new Map();
  const ranFrom = (from: number, to: number, missed = none): RunSpan => ({
    from: epochMillis(from),
    to: epochMillis(to),
    missed,
  });
  const runs = (...spans: readonly RunSpan[]): KeptRuns => ({
    digest: "",
    spans,
    since: none,
    checked: none,
  });

  test("are the newest that it ran itself, and those that the service said where it ran none", () => {
    const said = epochMillis(to - 7_200_000);
    const newestSlots = new Map(monitors.map(({ id }) => [id, said]));
    const ran = runs(ranFrom(to - 600_000, to));
    const slots = recalledSlots({ monitors, newestSlots }, ran);
    const newest = slotBefore("minutely", millis(60_000), to);
    expect(slots).toEqual(
      new Map([
        ["minutely", newest],
        ["hourly", said],
      ]),
    );
  });

  test("leave out a slot that was missed at the end of a run, and what was run before a monitor came", () => {
    const slot = slotBefore("minutely", millis(60_000), to);
    const newestWith = (kept: KeptRuns): number | null =>
      recalledSlots({ monitors: [minutely], newestSlots: new Map() }, kept).get("minutely") ?? null;
    const missed = new Map([["minutely", slot]]);
    expect(newestWith(runs(ranFrom(to - 600_000, to, missed)))).toBe(slot - 60_000);
    const since = new Map([["minutely", epochMillis(to - 5)]]);
    expect(newestWith({ ...runs(ranFrom(to - 600_000, to)), since })).toBeNull();
  });

  test("are of an older run if the newest was too short to check a monitor", () => {
    const [older, newer] = [ranFrom(to - 7_200_000, to - 1_000), ranFrom(to - 5, to)];
    const slots = recalledSlots({ monitors: [hourly], newestSlots: new Map() }, runs(older, newer));
    expect(slots.get("hourly")).toBe(slotBefore("hourly", millis(3_600_000), older.to));
  });

  test("are what the service said if that is newer, or if nothing else is known", () => {
    const newestSlots = new Map([["minutely", to]]);
    expect(recalledSlots({ monitors, newestSlots }, null)).toEqual(newestSlots);
    const ran = runs(ranFrom(0, to - 600_000));
    expect(recalledSlots({ monitors: [minutely], newestSlots }, ran)).toEqual(newestSlots);
  });
});
