import { afterAll, beforeAll, expect, test } from "vitest";
import { monitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { noon, type OpenFresh, slotAfter, someLocation, someMonitor, someToken } from "./scene.ts";

/** What every engine keeps of the paths to the targets of monitors. */
export function pathsConform(open: OpenFresh): void {
  let store: Store;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store[Symbol.asyncDispose]());

  test("a path is kept for each monitor that the location runs, and a newer one replaces it", async () => {
    const { state, paths } = store;
    const [one, two, elsewhere] = [
      await state.monitors.create(someMonitor()),
      await state.monitors.create(someMonitor()),
      await state.monitors.create(someMonitor()),
    ];
    const office = await state.locations.create(
      someLocation({ monitors: [one, two] }),
      someToken(),
    );
    const lab = await state.locations.create(
      someLocation({ name: "lab", monitors: [one] }),
      someToken(),
    );
    const path = Uint8Array.of(1, 2, 3);
    const newer = Uint8Array.of(4);
    const monitors = [one, two, elsewhere, monitorId(9_999)];
    await paths.keep(office, [{ monitors, path }], noon);
    await paths.keep(lab, [{ monitors, path }], noon);
    await paths.keep(office, [{ monitors: [one], path: newer }], slotAfter(1));
    expect(await paths.of(one)).toEqual([
      { location: office, at: slotAfter(1), path: newer },
      { location: lab, at: noon, path },
    ]);
    expect(await paths.of(two)).toEqual([{ location: office, at: noon, path }]);
    expect(await paths.of(elsewhere)).toEqual([]);
  });
}
