import { array, assert, double, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { type InstrumentName, instruments } from "#metrics/instruments";
import { MetricStore } from "#metrics/metric-store";
import { countOf, type Attributes } from "#metrics/series";
import { FakeClock } from "../support/fake-clock.ts";

/** `more figure`, of a histogram `more count/sum`, of every series of an instrument. */
const told = (store: MetricStore, name: InstrumentName): readonly string[] =>
  Array.from(store.byInstrument().get(name) ?? [], (series) => {
    const figure = series.counts === null ? series.value : `${countOf(series)}/${series.value}`;
    return `${Object.values(series.more).join(",")} ${figure}`.trim();
  });

const code = (status: number): Attributes => ({ "http.response.status_code": status });
const phase = (name: string): Attributes => ({ "picket.check.phase": name });

describe("the figures of a scope", () => {
  test("stay apart, whatever series come between them", () => {
    const store = new MetricStore(new FakeClock());
    const scope = store.scope("m", {});
    for (const turn of [1, 2, 3]) {
      scope.add("picket.check.attempts", turn);
      for (const name of ["dns", "wait"].slice(0, turn))
        scope.record("picket.check.phase.duration", turn, phase(name));
      scope.set("picket.check.last_run", turn * 1000);
      scope.record("picket.check.duration", 0.5, code(200 + turn));
    }
    expect(told(store, "picket.check.attempts")).toEqual(["6"]);
    expect(told(store, "picket.check.last_run")).toEqual(["3000"]);
    expect(told(store, "picket.check.phase.duration")).toEqual(["dns 3/6", "wait 2/5"]);
    expect(told(store, "picket.check.duration")).toEqual(["201 1/0.5", "202 1/0.5", "203 1/0.5"]);
    expect(store.size).toBe(7);
  });

  test("have each value of a histogram in its bucket, in whatever order they come", () => {
    const values = array(double({ min: 0, max: 20, noNaN: true }), { minLength: 1 });
    assert(
      property(values, (all) => {
        const scope = new MetricStore(new FakeClock()).scope("m", {});
        const bounds = instruments["picket.check.duration"].bounds ?? [];
        const counts = [...bounds, Infinity].map(() => 0);
        for (const value of all) {
          scope.record("picket.check.phase.duration", value, phase("dns"));
          scope.record("picket.check.duration", value, code(200));
          scope.record("picket.check.phase.duration", value, phase("wait"));
          const at = bounds.findIndex((bound) => value <= bound);
          const bucket = at === -1 ? bounds.length : at;
          counts[bucket] = (counts[bucket] ?? 0) + 1;
        }
        const [series] = scope.series("picket.check.duration");
        expect(series?.counts).toEqual(counts);
        expect(scope.series("picket.check.phase.duration").map(countOf)).toEqual([
          all.length,
          all.length,
        ]);
      }),
    );
  });

  test("of an instrument that is dropped are gone, and those behind them are as they were", () => {
    const store = new MetricStore(new FakeClock());
    const scope = store.scope("m", {});
    scope.record("picket.check.duration", 2, code(200));
    scope.set("httpcheck.status", 1, { "http.status_class": "2xx" });
    scope.record("picket.check.phase.duration", 3, phase("tls"));
    scope.drop("httpcheck.status");
    expect(told(store, "httpcheck.status")).toEqual([]);
    scope.record("picket.check.phase.duration", 4, phase("tls"));
    scope.set("httpcheck.status", 5, { "http.status_class": "5xx" });
    expect(told(store, "picket.check.duration")).toEqual(["200 1/2"]);
    expect(told(store, "picket.check.phase.duration")).toEqual(["tls 2/7"]);
    expect(told(store, "httpcheck.status")).toEqual(["5xx 5"]);
    expect(store.size).toBe(3);
  });

  test("are the newest whenever the series is looked at", () => {
    const store = new MetricStore(new FakeClock());
    const scope = store.scope("m", {});
    scope.add("picket.check.attempts", 1);
    const all = store.byInstrument().get("picket.check.attempts") ?? [];
    scope.add("picket.check.attempts", 1);
    expect(Array.from(all, ({ value }) => value)).toEqual([2]);
    store.forget("m");
    expect([...all]).toEqual([]);
  });
});
