import { expect, test } from "vitest";
import { locationId, monitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { epochMillis } from "#base/units";
import { openStoreHere } from "../../support/open-store-here.ts";
import { operatorScene } from "../../support/operator-scene.ts";
import { someResult } from "../store/conformance/scene.ts";

test("a check on request is named without a space before the comma", async () => {
  const opened: Store[] = [];
  const { get, clock } = await operatorScene({
    opensStore: async (place) => {
      const store = await openStoreHere(place);
      opened.push(store);
      return store;
    },
  });
  const slot = epochMillis(clock.wall() - 1_000);
  const results = [someResult(monitorId(4), slot, { trigger: "api", status: "degraded" })];
  await opened[0]?.results.append({ location: locationId(1), storedAt: clock.wall(), results });
  const page = await (await get("/monitors/4")).text();
  expect(page.replaceAll(/<[^>]*>/g, "")).toMatch(/\bOffice, on request/);
});
