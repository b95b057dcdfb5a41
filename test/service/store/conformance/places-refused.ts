import { expect, test } from "vitest";
import { monitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { someChannel } from "./channels.ts";
import { someLocation, someMonitor, someToken } from "./scene.ts";

/** A fresh store, and what makes its database refuse every row that says where a monitor runs or who is notified of it. */
interface RefusingStore {
  readonly store: Store;
  readonly refuse: (table: "assignments" | "channel_monitors") => Promise<void>;
}

/** A monitor and its places are written together: what the second half refuses, the first half takes back. */
export function placesRefused(open: () => Promise<RefusingStore>): void {
  for (const table of ["assignments", "channel_monitors"] as const)
    test(`a monitor is neither made nor changed if its ${table} cannot be written`, async () => {
      const { store, refuse } = await open();
      await using _closed = store;
      const { state, alerts, audit } = store;
      const places = {
        locations: [await state.locations.create(someLocation(), someToken())],
        channels: [await alerts.channels.create(someChannel())],
      };
      const id = await state.monitors.create(someMonitor());
      const before = await audit.version({ kind: "monitor", id: String(id) });
      await refuse(table);
      const refusal = /the test refuses it/;
      const renamed = someMonitor({ owner: "files" });
      await expect(state.monitors.create(someMonitor(), places)).rejects.toThrow(refusal);
      await expect(state.monitors.update(id, renamed, places)).rejects.toThrow(refusal);
      expect(await state.monitors.count()).toBe(1);
      expect(await state.monitors.get(monitorId(id))).toMatchObject({ owner: "", locations: [] });
      expect((await alerts.channels.get(places.channels[0]!))?.monitors).toEqual([]);
      expect(await audit.version({ kind: "monitor", id: String(id) })).toBe(before);
    });
}
