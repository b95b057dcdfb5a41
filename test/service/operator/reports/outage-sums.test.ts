import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Incident } from "#service/alerting/incident";
import { newIncident } from "#service/alerting/incident-machine";
import * as limits from "#limits/report-limits";
import { incidentsToRead, longestOutages } from "#service/operator/reports/report-outages";
import { type MonitorId, monitorId } from "#service/store/ids";
import type { NewResult } from "#service/store/result-store";
import { after, epochMillis, type EpochMillis, minutes } from "#base/units";
import {
  at,
  failing,
  openQuietly,
  someLocation,
  someMonitor,
  someResult,
  someToken,
} from "../../store/conformance/scene.ts";
import { quickFolder } from "../../../support/running-service.ts";

const begin = at("2026-08-11T21:00:00Z");
const period = {
  from: at("2026-08-12T00:00:00Z"),
  to: at("2026-08-13T20:00:00Z"),
  hasEnded: true,
};
const slots = 300;
const minuteAt = (count: number): EpochMillis => after(begin, minutes(count));

const place = fc.array(
  fc.constantFrom("good", "good", "slow", "failed", "failed", "excused", "silent"),
  { minLength: slots, maxLength: slots },
);

const resultsOf = (monitor: MonitorId, says: readonly string[]): readonly NewResult[] =>
  says.flatMap((one, index) =>
    one === "silent"
      ? []
      : [
          someResult(monitor, minuteAt(index * 10), {
            period: minutes(10),
            ...(one === "good" ? {} : one === "slow" ? { status: "degraded" } : failing),
            ...(one === "excused" ? { excuse: { causeId: "link", sentence: "it is away" } } : {}),
          }),
        ],
  );

interface History {
  readonly places: readonly (readonly string[])[];
  /** Where incidents begin and end, in minutes. */
  readonly cuts: readonly number[];
}

/** Of one monitor they follow each other, also within a minute; each second one was well in between. */
const incidentsOf = (monitor: MonitorId, cuts: readonly number[]): readonly Incident[] =>
  cuts.slice(1).map((cut, index) => {
    const [from, to] = [minuteAt(cuts[index] ?? 0), minuteAt(cut)];
    const third = Math.floor((to - from) / 3);
    const well = { from: epochMillis(from + third), to: epochMillis(to - third) };
    return {
      ...newIncident({ kind: "monitor", id: monitor }, "error", from, from),
      number: monitor * 1_000 + index,
      ended: { at: to, because: "recovered" },
      well: index % 2 === 0 ? [] : [well],
    };
  });

test("the outages of a monitor come to no more than its downtime, whatever its locations see and its incidents are", async () => {
  await using store = await openQuietly(path.join(quickFolder(), "service.sqlite"));
  const history = fc.record({
    places: fc.array(place, { minLength: 1, maxLength: 3 }),
    cuts: fc.uniqueArray(fc.nat(slots * 10), { minLength: 2, maxLength: 6 }),
  });
  const made = async ({ places, cuts }: History) => {
    const monitor = await store.state.monitors.create(someMonitor({ at: begin }));
    for (const says of places) {
      const asked = someLocation({ monitors: [monitor] });
      const location = await store.state.locations.create(asked, someToken());
      const results = resultsOf(monitor, says);
      await store.results.append({ location, storedAt: begin, results });
    }
    return incidentsOf(
      monitor,
      cuts.toSorted((a, b) => a - b),
    );
  };
  await fc.assert(
    fc.asyncProperty(fc.array(history, { minLength: 1, maxLength: 3 }), async (all) => {
      const incidents = (await Promise.all(all.map(made))).flat();
      const monitors = [...new Set(incidents.map(({ subject }) => monitorId(subject.id)))];
      const asked = { ...period, monitors, since: period.from };
      const sums = await store.results.sums(asked);
      const days = new Map([...sums].map(([id, { downDays }]) => [id, downDays]));
      const candidates = incidentsToRead(incidents, days, period);
      const facts = { turns: new Map(), days, results: store.results };
      const found = await longestOutages(candidates, facts, period);
      expect(found.length).toBeLessThanOrEqual(limits.reportedOutagesMax);
      for (const [monitor, own] of Map.groupBy(found, (one) => one.monitor)) {
        const lasted = own.reduce((sum, one) => sum + one.lasted, 0);
        expect(lasted).toBeLessThanOrEqual(sums.get(monitor)?.down ?? 0);
        for (const { from, to, lasted: length } of own)
          expect(length).toBeLessThanOrEqual((to ?? period.to) - from);
      }
    }),
    { numRuns: 20 },
  );
});
