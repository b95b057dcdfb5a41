import { expect, test } from "vitest";
import { reportsBegunMax } from "#limits/report-limits";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

test("if many ask for reports of other days at once, few are made at a time, and each has its own", async () => {
  const released = Promise.withResolvers<undefined>();
  const full = Promise.withResolvers<undefined>();
  let making = 0;
  let isHeld = true;
  const { get } = await operatorScene({
    opensStore: async (place) => {
      const store = await openStoreHere(place);
      const { incidents } = store.alerts;
      const turns: typeof incidents.turns = async (numbers) => {
        making += 1;
        if (making === reportsBegunMax) full.resolve(undefined);
        if (isHeld) await released.promise;
        return incidents.turns(numbers);
      };
      return { ...store, alerts: { ...store.alerts, incidents: { ...incidents, turns } } };
    },
  });
  const days = Array.from({ length: 3 * reportsBegunMax }, (_, index) => `2026-11-0${index + 1}`);
  const answers = Promise.all(
    days.map(async (day): Promise<{ readonly from: string }> => {
      const answer = await get(`/uptime.json?from=${day}&to=${day}`);
      return JSON.parse(await answer.text());
    }),
  );
  await full.promise;
  // Others are answered meanwhile, and no further report begins.
  for (let index = 0; index < 5; index += 1) expect((await get("/channels")).status).toBe(200);
  expect(making).toBe(reportsBegunMax);
  isHeld = false;
  released.resolve(undefined);
  expect((await answers).map(({ from }) => from.slice(0, 10))).toEqual(days);
  expect(making).toBe(days.length);
});
