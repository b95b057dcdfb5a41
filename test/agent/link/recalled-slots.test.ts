import { describe, expect, test } from "vitest";
import { recalledSlots } from "#agent/link/recalled-slots";
import { slotBefore } from "#agent/prober/schedule/slots";
import { epochMillis, millis } from "#base/units";
import { monitorWith } from "../../support/twins.ts";

describe("the slots that an agent knows of when it starts again", () => {
  const to = epochMillis(1_800_000_000_000);
  const minutely = monitorWith({ id: "minutely", periodicity: millis(60_000) });
  const hourly = monitorWith({ id: "hourly", periodicity: millis(3_600_000) });
  const monitors = [minutely, hourly];

  test("are the newest that it ran itself, and those that the service said where it ran none", () => {
    const said = epochMillis(to - 7_200_000);
    const newestSlots = new Map(monitors.map(({ id }) => [id, said]));
    const ran = { from: epochMillis(to - 600_000), to };
    const slots = recalledSlots({ monitors, newestSlots }, ran);
    const newest = slotBefore("minutely", millis(60_000), epochMillis(to - 500));
    expect(slots).toEqual(
      new Map([
        ["minutely", newest],
        ["hourly", said],
      ]),
    );
  });

  test("leave out a slot whose check may not have begun before the end", () => {
    const slot = slotBefore("minutely", millis(60_000), to);
    const ran = { from: epochMillis(to - 600_000), to: epochMillis(slot + 100) };
    const slots = recalledSlots({ monitors: [minutely], newestSlots: new Map() }, ran);
    expect(slots.get("minutely")).toBe(slot - 60_000);
  });

  test("are what the service said if that is newer, or if nothing else is known", () => {
    const newestSlots = new Map([["minutely", to]]);
    expect(recalledSlots({ monitors, newestSlots }, null)).toEqual(newestSlots);
    const ran = { from: epochMillis(0), to: epochMillis(to - 600_000) };
    expect(recalledSlots({ monitors: [minutely], newestSlots }, ran)).toEqual(newestSlots);
  });
});
