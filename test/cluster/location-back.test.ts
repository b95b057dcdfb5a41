import { expect, test } from "vitest";
import type { Plan } from "#service/alerting/distill";
import { Replays } from "#service/alerts/replays";
import { Monitors } from "#service/monitors/monitors";
import { systemClock } from "#base/clock";
import { queue } from "../service/alerting/waiting.ts";
import {
  assigned,
  failing,
  noon,
  openQuietly,
  slotAfter,
  someResult,
} from "../service/store/conformance/scene.ts";
import { citusPrograms, startCitus } from "./citus-cluster.ts";

const programs = citusPrograms();

/** A location was away for ten slots, and is back. */
function back(location: number): Plan {
  const waiting = queue({ monitor: location, events: [["closed", 0]] });
  const [lead] = waiting.waiting;
  if (lead === undefined) throw new Error("nothing waits");
  const ended = { at: slotAfter(10), because: "recovered" } as const;
  return {
    queue: { ...waiting, incident: { ...waiting.incident, startedAt: noon, ended } },
    lead: {
      ...lead,
      snapshot: {
        of: "location",
        location: {
          id: String(location),
          name: "office",
          labels: {},
          monitorCount: 40,
          monitorNames: [],
        },
        lastHeardAt: noon,
        stoppedAsAsked: false,
        replay: null,
      },
    },
    covers: [lead],
    occasion: { is: "ended", announced: true },
  };
}

test.skipIf(programs === null)(
  "on a cluster of Citus, what is said of a location that is back waits for no worker that is away: it says no numbers",
  async () => {
    await using cluster = await startCitus(programs ?? "");
    await using store = await openQuietly(await cluster.fresh());
    const { location, monitors } = await assigned(store, 40);
    const storedAt = slotAfter(10);
    for (const slot of [1, 2]) {
      const results = monitors.map((one) => someResult(one, slotAfter(slot), failing));
      await store.results.append({ location, storedAt, results });
    }
    const replays = new Replays(store, new Monitors(store, systemClock));
    const said = async () => {
      const letter = { plans: [back(location)] };
      const [plan] = await replays.fill(letter.plans, slotAfter(11));
      return plan?.lead.snapshot;
    };
    expect(await said()).toMatchObject({ replay: { replayed: 80, missed: 320 } });
    await cluster.killWorker();
    const { unread } = await store.results.seen(monitors);
    const read = monitors.length - unread.size;
    expect([unread.size > 5, read > 5]).toEqual([true, true]);
    expect(await said()).toMatchObject({ replay: null });
  },
);
