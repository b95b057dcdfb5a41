import { statSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/spool-limits";
import { silentLogger } from "#base/log";
import { memorySpool } from "#agent/spool/memory-spool";
import type { Report } from "#wire/report";
import { rowBytes } from "#agent/spool/row-bytes";
import type { Spool, SpoolLimits } from "#agent/spool/spool";
import { SqliteSpool } from "#agent/spool/sqlite-spool";
import { bytes, hours, mebibytes, minutes } from "#base/units";
import { FakeClock } from "../../support/fake-clock.ts";
import { reportWith, start, waitingIn } from "../../support/reports.ts";
import { temporaryFolder } from "../../support/running-service.ts";

const roomy: SpoolLimits = { bytesMax: mebibytes(16), ageMax: hours(24) };

/** The two spools, which behave alike as long as nothing is opened again. */
const spools: Readonly<Record<string, (clock: FakeClock, limits: SpoolLimits) => Spool>> = {
  "in memory": memorySpool,
  "on disk": (clock, limits) => sqliteSpool(path.join(temporaryFolder(), "spool"), clock, limits),
};

const sqliteSpool = (file: string, clock: FakeClock, spoolLimits: SpoolLimits = roomy): Spool =>
  new SqliteSpool({ file, clock, limits: spoolLimits, log: silentLogger });

const weight = (report: Report): number => rowBytes(report.payload.byteLength);

describe.each(Object.entries(spools))("a spool %s", (_name, open) => {
  test("gives each monitor's reports in the order of their slots, saved or not, until they are settled", () => {
    using spool = open(new FakeClock(start), roomy);
    for (const at of [3_000, 1_000]) spool.add(reportWith({ at }));
    spool.save();
    for (const at of [2_000, 4_000]) spool.add(reportWith({ at }));
    spool.add(reportWith({ monitorId: "n" }));
    expect(spool.oldestOf("m", 3).map(({ id }) => id)).toEqual(["m@1000", "m@2000", "m@3000"]);
    expect(new Map(spool.waiting)).toEqual(new Map(Object.entries({ m: 4, n: 1 })));
    spool.settle(["m@2000", "m@3000", "never heard of"]);
    expect(waitingIn(spool)).toEqual({ m: ["m@1000", "m@4000"], n: ["n@0"] });
    spool.settle(["m@2000", "m@1000", "m@4000", "n@0"]);
    spool.save();
    expect([spool.size, [...spool.waiting], spool.oldestSlot]).toEqual([0, [], null]);
  });

  test("gives back what was put in, to the byte", () => {
    using spool = open(new FakeClock(start), roomy);
    const report = reportWith({ at: 17, body: 70_000 });
    spool.add(report);
    spool.save();
    const [kept] = spool.oldestOf("m", 1);
    expect(kept).toMatchObject({ id: "m@17", monitorId: "m", slot: start + 17 });
    expect(kept?.payload).toEqual(report.payload);
  });

  test("knows the slot of the oldest result", () => {
    using spool = open(new FakeClock(start), roomy);
    for (const at of [1, 2, 3]) spool.add(reportWith({ at }));
    expect(spool.oldestSlot).toBe(start + 1);
    spool.save();
    spool.settle(["m@1"]);
    spool.add(reportWith({ at: 4 }));
    expect(spool.oldestSlot).toBe(start + 2);
    spool.settle(["m@2", "m@3"]);
    expect(spool.oldestSlot).toBe(start + 4);
  });

  test("keeps a report once, however often it comes", () => {
    using spool = open(new FakeClock(start), roomy);
    spool.add(reportWith());
    spool.add(reportWith());
    spool.save();
    spool.add(reportWith());
    spool.save();
    if (spool.durable) expect(spool.size).toBe(1);
    spool.settle(["m@0"]);
    spool.save();
    expect([spool.size, waitingIn(spool)]).toEqual([0, {}]);
  });

  test("drops the oldest results when there is no room, and counts it", () => {
    const one = weight(reportWith({ at: 1 }));
    using spool = open(new FakeClock(start), { ...roomy, bytesMax: bytes(one * 3) });
    for (const at of [1, 2, 3]) spool.add(reportWith({ at }));
    spool.save();
    expect(spool.givenUp.room).toBe(0);
    for (const at of [4, 5]) spool.add(reportWith({ at, monitorId: "n" }));
    spool.save();
    expect(waitingIn(spool)).toEqual({ m: ["m@3"], n: ["n@4", "n@5"] });
    expect([spool.size, spool.givenUp]).toEqual([3, { age: 0, room: 2, unreadable: 0 }]);
  });

  test("gives up what is too old, and counts it", async () => {
    const clock = new FakeClock(start);
    using spool = open(clock, { ...roomy, ageMax: minutes(10) });
    spool.add(reportWith());
    await clock.advance(60_000);
    spool.add(reportWith({ at: 60_000 }));
    spool.save();
    await clock.advance(540_000);
    spool.save();
    expect(spool.size).toBe(2);
    await clock.advance(1);
    spool.save();
    expect(waitingIn(spool)).toEqual({ m: ["m@60000"] });
    expect(spool.givenUp).toEqual({ age: 1, room: 0, unreadable: 0 });
  });
});

test("in memory, no more waits than memory may hold", () => {
  using spool = memorySpool(new FakeClock(start), { ...roomy, bytesMax: mebibytes(1_024) });
  for (let at = 0; at < limits.memorySpoolResultsMax + 5; at += 1) spool.add(reportWith({ at }));
  spool.save();
  expect([spool.size, spool.givenUp.room]).toEqual([limits.memorySpoolResultsMax, 5]);
  for (let n = 0; n < 1_100; n += 1)
    spool.add(reportWith({ monitorId: "big", at: n, body: checkLimits.reportedBodyBytesMax }));
  spool.save();
  const kept = spool.oldestOf("big", Infinity).reduce((sum, report) => sum + weight(report), 0);
  expect(spool.waiting.has("m")).toBe(false);
  expect(kept).toBeLessThanOrEqual(limits.memorySpoolBytesMax);
  expect(spool.size + spool.givenUp.room).toBe(limits.memorySpoolResultsMax + 5 + 1_100);
});

describe("a spool on disk", () => {
  test("has after a restart what was saved and not settled, and counts from nought what it gives up", async () => {
    const file = path.join(temporaryFolder(), "spool");
    const clock = new FakeClock(start);
    {
      using spool = sqliteSpool(file, clock);
      for (const at of [1, 2, 3]) spool.add(reportWith({ at }));
      spool.add(reportWith({ monitorId: "n", at: 5 }));
      spool.save();
      spool.settle(["m@1"]);
    }
    await clock.advance(3);
    using again = sqliteSpool(file, clock, { ...roomy, bytesMax: bytes(2 * weight(reportWith())) });
    expect([again.durable, again.size]).toEqual([true, 3]);
    expect(waitingIn(again)).toEqual({ m: ["m@2", "m@3"], n: ["n@5"] });
    // The limit is smaller now.
    again.add(reportWith({ at: 6 }));
    again.save();
    expect(waitingIn(again)).toEqual({ m: ["m@6"], n: ["n@5"] });
    expect(again.givenUp).toEqual({ age: 0, room: 2, unreadable: 0 });
  });

  test("deletes at once what is settled by the thousand, so that no read passes over it for long", () => {
    using spool = sqliteSpool(path.join(temporaryFolder(), "spool"), new FakeClock(start));
    const ids = Array.from({ length: limits.spoolSettledMax + 10 }, (_, at) => `m@${at}`);
    ids.forEach((_id, at) => spool.add(reportWith({ at })));
    spool.save();
    spool.settle(ids.slice(0, -5));
    expect(waitingIn(spool)).toEqual({ m: ids.slice(-5) });
  });
});

test("the file of a spool stays near its limit, whatever waits in it, and shrinks when nothing does", () => {
  // More than the free pages that a file may keep, so that it has to shrink.
  const limit = mebibytes(12);
  const file = path.join(temporaryFolder(), "spool");
  for (const body of [0, 1_500, 3_900, checkLimits.reportedBodyBytesMax]) {
    using spool = sqliteSpool(file, new FakeClock(start), { ...roomy, bytesMax: limit });
    const count = Math.ceil((1.5 * limit) / weight(reportWith({ body })));
    let journal = 0;
    for (let at = 0; at < count; at += 1) {
      spool.add(reportWith({ at, id: `${body} ${at}`, body, monitorId: `m${at % 500}` }));
      if (at % 333 !== 0) continue;
      spool.save();
      journal = Math.max(journal, statSync(`${file}-wal`).size);
    }
    spool.save();
    expect([spool.durable, spool.givenUp.room > count / 5]).toEqual([true, true]);
    expect(statSync(file).size / limit).toBeLessThan(1.4);
    // What a transaction writes, at most all that fits, after what was not checkpointed before.
    expect(journal / limit).toBeLessThan(1.5);
    for (const ids of Object.values(waitingIn(spool))) spool.settle(ids);
    for (let seconds = 0; seconds < 10; seconds += 1) {
      spool.add(reportWith({ id: `${body} last ${seconds}` }));
      spool.save();
      spool.settle([`${body} last ${seconds}`]);
    }
    expect(spool.size).toBe(0);
  }
  expect(statSync(file).size).toBeLessThan(mebibytes(9));
  expect(statSync(`${file}-wal`, { throwIfNoEntry: false })).toBeUndefined();
});

interface Model {
  readonly waiting: Map<string, Report>;
  room: number;
  age: number;
}

/** What a step did to what should be there; `saved` is what a kill leaves. */
type Step =
  | { readonly do: "add"; readonly monitor: number; readonly body: number; readonly back: number }
  | { readonly do: "settle"; readonly picks: readonly number[] }
  | { readonly do: "save" | "reopen" }
  | { readonly do: "pass"; readonly millis: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("add" as const),
      monitor: fc.nat(3),
      body: fc.nat(3_000),
      back: fc.nat(40),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("settle" as const),
      picks: fc.array(fc.nat(30), { maxLength: 6 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("save" as const, "reopen" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("pass" as const), millis: fc.nat(4_000) }) },
);

test("whatever happens in whatever order, a spool on disk holds what a list would hold", async () => {
  const rules = { bytesMax: bytes(20_000), ageMax: minutes(0.1) };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const file = path.join(temporaryFolder(), "spool");
      const clock = new FakeClock(start);
      const model: Model = { waiting: new Map(), room: 0, age: 0 };
      let spool = sqliteSpool(file, clock, rules);
      try {
        for (const [index, one] of steps.entries()) {
          switch (one.do) {
            case "add": {
              const at = clock.wall() - start - one.back;
              const report = reportWith({
                ...one,
                monitorId: `m${one.monitor}`,
                at,
                id: `r${index}`,
              });
              model.waiting.set(report.id, report);
              spool.add(report);
              break;
            }
            case "settle": {
              const ids = one.picks.flatMap((pick) => [...model.waiting.keys()][pick] ?? []);
              for (const id of ids) model.waiting.delete(id);
              spool.settle(ids);
              break;
            }
            case "save":
              shed(model, clock, rules);
              spool.save();
              break;
            case "reopen":
              shed(model, clock, rules);
              spool[Symbol.dispose]();
              spool = sqliteSpool(file, clock, rules);
              Object.assign(model, { room: 0, age: 0 });
              break;
            case "pass":
              await clock.advance(one.millis);
          }
          expect(waitingIn(spool)).toEqual(idsOf(model));
          expect(spool.size).toBe(model.waiting.size);
          expect(spool.givenUp).toEqual({ age: model.age, room: model.room, unreadable: 0 });
          expect(spool.oldestSlot).toBe(model.waiting.values().next().value?.slot ?? null);
          expect(spool.durable).toBe(true);
        }
      } finally {
        spool[Symbol.dispose]();
      }
    }),
    { numRuns: 60 },
  );
});

function shed(model: Model, clock: FakeClock, { bytesMax, ageMax }: SpoolLimits): void {
  for (const report of model.waiting.values()) {
    if (clock.wall() - report.slot <= ageMax) break;
    model.waiting.delete(report.id);
    model.age += 1;
  }
  let total = model.waiting.values().reduce((sum, report) => sum + weight(report), 0);
  for (const report of model.waiting.values()) {
    if (total <= bytesMax) return;
    model.waiting.delete(report.id);
    model.room += 1;
    total -= weight(report);
  }
}

function idsOf({ waiting }: Model): Readonly<Record<string, readonly string[]>> {
  const sorted = [...waiting.values()].toSorted((a, b) => a.slot - b.slot);
  const byMonitor = Object.groupBy(sorted, ({ monitorId }) => monitorId);
  return Object.fromEntries(
    Object.entries(byMonitor).map(([id, reports = []]) => [id, reports.map((one) => one.id)]),
  );
}
