import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NewResult, ResultKey } from "#service/store/result-store";
import type { Store } from "#service/store/store";
import { epochMillis, hours, millis, minutes, nanos, seconds } from "#base/units";
import {
  assigned,
  type Assigned,
  failing,
  noon,
  type OpenFresh,
  period,
  slotAfter,
  someResult,
} from "./scene.ts";

const never = epochMillis(0);
const whole = { from: never, to: slotAfter(100_000) };
const excuse = { causeId: "c1", sentence: "the gateway does not answer" };

export async function packAll(store: Store, before: number): Promise<void> {
  while (await store.results.pack(epochMillis(before)));
}

/** A store, and changes of its database past it. */
export interface OpenToChange {
  readonly store: Store;
  readonly change: (statement: string) => Promise<unknown>;
}

/** What is read of random histories: hundreds of questions each. */
export function packedReadsConform(open: OpenFresh): void {
  test("what is read is the same whether results are packed or not, in whatever order they come", async () => {
    await using packed = await open();
    await using plain = await open();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
        const both = [await assigned(packed, 2), await assigned(plain, 2)] as const;
        for (const one of steps) {
          if (one.does === "pack") {
            await packAll(packed, slotAfter(one.until));
            continue;
          }
          const [mine, theirs] = [
            await store(packed, both[0], one),
            await store(plain, both[1], one),
          ];
          expect(mine).toEqual(theirs);
        }
        expect(await everythingOf(packed, both[0])).toEqual(await everythingOf(plain, both[1]));
        await packAll(packed, slotAfter(1_000));
        expect(await everythingOf(packed, both[0])).toEqual(await everythingOf(plain, both[1]));
      }),
      { numRuns: 12 },
    );
  });
}

/** What every engine says of results that are packed. */
export function packingConforms(
  open: OpenFresh,
  openToChange: (said: string[]) => Promise<OpenToChange>,
): void {
  describe("a result of an hour that is packed", () => {
    test("that comes again is a duplicate, and one that comes late is accepted once and counted", async () => {
      await using own = await open();
      const { append, monitors, location } = await assigned(own);
      const [monitor = monitors[0]!] = monitors;
      await append(...[0, 1, 3].map((index) => someResult(monitor, slotAfter(index))));
      await packAll(own, slotAfter(500));
      const late = someResult(monitor, slotAfter(2), failing);
      const again = someResult(monitor, slotAfter(1), failing);
      expect(await append(again, late, late)).toEqual(["duplicate", "accepted", "duplicate"]);
      const counted = async () => {
        const { results } = await own.results.window({ ...asked(monitor), location });
        const [hour] = await own.results.buckets({
          monitors: [monitor],
          location,
          grain: "hour",
          ...whole,
        });
        return [results.map(({ status }) => status), hour?.success, hour?.error];
      };
      const all = [["success", "success", "error", "success"], 3, 1];
      expect(await counted()).toEqual(all);
      await packAll(own, slotAfter(500));
      expect(await counted()).toEqual(all);
      expect(await append(late)).toEqual(["duplicate"]);
      expect(await counted()).toEqual(all);
    });
    test("comes late in a batch of many hours and monitors, and each is known", async () => {
      await using own = await open();
      const { append, monitors } = await assigned(own, 3);
      const results = monitors.flatMap((monitor) =>
        Array.from({ length: 40 }, (_, index) => someResult(monitor, slotAfter(index * 17))),
      );
      expect(new Set(await append(...results))).toEqual(new Set(["accepted"]));
      await packAll(own, slotAfter(400));
      expect(new Set(await append(...results))).toEqual(new Set(["duplicate"]));
      expect(new Set(await append(...results.slice(0, 40)))).toEqual(new Set(["duplicate"]));
    });
  });

  describe("a replica of an older version", () => {
    test("keeps results from being packed until it stops", async () => {
      const { store: own, change } = await openToChange([]);
      await using _ = own;
      const { append, monitors } = await assigned(own);
      await append(someResult(monitors[0]!, slotAfter(0)));
      await own.state.leases.hold("newer", ["forget"], hours(1));
      await change(`INSERT INTO replicas (holder, seen_at) VALUES ('older', ${Date.now()})`);
      await packAll(own, slotAfter(500));
      expect(await change("SELECT hour FROM packed_results")).toEqual([]);
      await own.state.leases.release("older");
      await packAll(own, slotAfter(500));
      expect(await change("SELECT hour FROM packed_results")).toHaveLength(1);
    });
    test("that reads packed results keeps their details from being packed until it stops", async () => {
      const { store: own, change } = await openToChange([]);
      await using _ = own;
      const { append, monitors } = await assigned(own);
      await append(someResult(monitors[0]!, slotAfter(0), failing));
      await own.state.leases.hold("newer", ["forget"], hours(1));
      await change(
        `INSERT INTO replicas (holder, seen_at, packs) VALUES ('older', ${Date.now()}, 1)`,
      );
      await packAll(own, slotAfter(500));
      expect(await change("SELECT hour FROM packed_results")).toHaveLength(1);
      expect(await change("SELECT span FROM packed_details")).toEqual([]);
      await own.state.leases.release("older");
      await packAll(own, slotAfter(500));
      expect(await change("SELECT span FROM packed_details")).toHaveLength(1);
      expect(await change("SELECT slot FROM result_details")).toEqual([]);
    });
    test("leaves nothing packed of a monitor whose series it deleted", async () => {
      const { store: own, change } = await openToChange([]);
      await using _ = own;
      const { append, monitors } = await assigned(own, 2);
      await append(...monitors.map((monitor) => someResult(monitor, slotAfter(0), failing)));
      await packAll(own, slotAfter(500));
      await own.state.monitors.delete(monitors[0]!);
      await own.trash.purge(epochMillis(Number.MAX_SAFE_INTEGER));
      await change(`DELETE FROM series WHERE monitor = ${monitors[0]!}`);
      while (
        await own.results.forget({ details: never, results: never, hours: never, days: never })
      );
      for (const table of ["packed_results", "packed_details"])
        expect(await change(`SELECT CAST(monitor AS TEXT) AS monitor FROM ${table}`)).toEqual([
          { monitor: String(monitors[1]) },
        ]);
    });
  });

  describe("an hour of results", () => {
    test("of many monitors is a row for each, however many one portion packs", async () => {
      const { store: own, change } = await openToChange([]);
      await using _ = own;
      const { append, monitors } = await assigned(own, 90);
      await append(...monitors.map((monitor) => someResult(monitor, slotAfter(0))));
      await packAll(own, slotAfter(500));
      expect(await change("SELECT monitor FROM packed_results")).toHaveLength(90);
      expect(await change("SELECT monitor FROM results")).toEqual([]);
    });
    test("is one row once it is over, and its results are rows until then", async () => {
      const { store: own, change } = await openToChange([]);
      await using _ = own;
      const { append, monitors } = await assigned(own);
      await append(
        ...Array.from({ length: 200 }, (_, index) => someResult(monitors[0]!, slotAfter(index))),
      );
      await packAll(own, slotAfter(100));
      expect(
        await change("SELECT hour, CAST(count AS TEXT) AS count FROM packed_results"),
      ).toMatchObject([{ count: "80" }]);
      expect(await change("SELECT CAST(COUNT(*) AS TEXT) AS count FROM results")).toMatchObject([
        { count: "120" },
      ]);
    });
    test("is forgotten as a whole once it is over for longer than results are kept", async () => {
      await using own = await open();
      const { append, monitors } = await assigned(own);
      const monitor = monitors[0]!;
      await append(
        ...Array.from({ length: 320 }, (_, index) => someResult(monitor, slotAfter(index))),
      );
      await packAll(own, slotAfter(260));
      const left = async (results: number) => {
        const before = { details: never, hours: never, days: never, results: epochMillis(results) };
        while (await own.results.forget(before));
        return (await own.results.window({ ...asked(monitor), limit: 500 })).results.map(
          ({ slot }) => (slot - noon) / period,
        );
      };
      expect((await left(slotAfter(100)))[0]).toBe(80);
      expect((await left(slotAfter(290)))[0]).toBe(290);
      expect(await left(slotAfter(1_000))).toEqual([]);
      expect(await append(someResult(monitor, slotAfter(0)))).toEqual(["accepted"]);
    });
    test("goes with its monitor once that is deleted for good", async () => {
      const { store: own, change } = await openToChange([]);
      await using _ = own;
      const { append, monitors } = await assigned(own);
      await append(
        ...[0, 1, 2].map((index) => someResult(monitors[0]!, slotAfter(index), failing)),
      );
      await packAll(own, slotAfter(500));
      await own.state.monitors.delete(monitors[0]!);
      await own.trash.purge(epochMillis(Number.MAX_SAFE_INTEGER));
      while (
        await own.results.forget({ details: never, results: never, hours: never, days: never })
      );
      expect(await change("SELECT hour FROM packed_results")).toEqual([]);
      expect(await change("SELECT span FROM packed_details")).toEqual([]);
      expect(await change("SELECT monitor FROM series")).toEqual([]);
    });
    test("that is damaged costs its own results alone, is said once, and takes what comes late", async () => {
      const said: string[] = [];
      const { store: own, change } = await openToChange(said);
      await using _ = own;
      const { append, monitors, location } = await assigned(own);
      const monitor = monitors[0]!;
      await append(
        ...Array.from({ length: 200 }, (_, index) => someResult(monitor, slotAfter(index))),
      );
      await packAll(own, slotAfter(500));
      const hour = Math.floor(slotAfter(80) / hours(1));
      await change(`UPDATE packed_results SET body = substr(body, 1, 20) WHERE hour = ${hour}`);
      const slots = async () =>
        (await own.results.window({ ...asked(monitor), limit: 500 })).results.map(
          ({ slot }) => (slot - noon) / period,
        );
      const all = Array.from({ length: 200 }, (_, index) => index);
      expect(await slots()).toEqual(all.slice(0, 80));
      expect(await slots()).toEqual(all.slice(0, 80));
      expect(said).toEqual([
        `the results of monitor ${monitor} at location ${location} in the hour from 2026-08-12T13:00:00.000Z cannot be read: the row in packed_results is damaged, its checksum is wrong; all other results can be read`,
      ]);
      expect(await append(someResult(monitor, slotAfter(199.5)))).toEqual(["accepted"]);
      await packAll(own, slotAfter(500));
      expect(await slots()).toEqual([...all.slice(0, 80), 199.5]);
      expect(said).toHaveLength(1);
    });
    test("of more results than a row holds stays as it is, and the hours after it are packed", async () => {
      const { store: own, change } = await openToChange([]);
      await using _ = own;
      const { append, monitors } = await assigned(own);
      const monitor = monitors[0]!;
      for (let from = 0; from < 4_200; from += 600)
        await append(
          ...Array.from({ length: 600 }, (_, index) => someResult(monitor, noon + from + index)),
        );
      await append(someResult(monitor, slotAfter(100)));
      await packAll(own, slotAfter(500));
      expect(await change("SELECT CAST(count AS TEXT) AS count FROM packed_results")).toMatchObject(
        [{ count: "1" }],
      );
      expect(await change("SELECT CAST(COUNT(*) AS TEXT) AS count FROM results")).toMatchObject([
        { count: "4200" },
      ]);
    });
  });

  describe("details of eight hours", () => {
    const details = async ({ results }: Store, keys: readonly ResultKey[]) =>
      Promise.all(keys.map(async (key) => (await results.result(key))?.detail ?? null));
    test("are one row, in which what comes late has its place; a large one stays as it is", async () => {
      const { store: own, change } = await openToChange([]);
      await using _ = own;
      const { append, monitors, location } = await assigned(own);
      const monitor = monitors[0]!;
      const large = { ...failing, detail: { message: "large", payload: new Uint8Array(20_000) } };
      const keys = [1, 2, 3, 4].map((index) => ({ monitor, location, slot: slotAfter(index) }));
      await append(
        someResult(monitor, slotAfter(1), failing),
        someResult(monitor, slotAfter(3), large),
      );
      await packAll(own, slotAfter(500));
      await append(someResult(monitor, slotAfter(2), failing), someResult(monitor, slotAfter(4)));
      const before = await details(own, keys);
      expect(before).toEqual([
        failing.detail,
        failing.detail,
        large.detail,
        someResult(monitor, 0).detail,
      ]);
      await packAll(own, slotAfter(500));
      expect(await details(own, keys)).toEqual(before);
      expect(await change("SELECT span FROM packed_details")).toHaveLength(1);
      expect(await change("SELECT message FROM result_details")).toEqual([{ message: "large" }]);
    });
    test("that are too much for a row with what comes late stay as they are, and are not tried again until more comes", async () => {
      const { store: own, change } = await openToChange([]);
      await using _ = own;
      const { append, monitors, location } = await assigned(own);
      const monitor = monitors[0]!;
      const slots = [1, 2, 3, 4, 5, 6];
      const message = "x".repeat(900_000);
      const detail = { message, payload: Uint8Array.of(1) };
      const come = (...late: readonly number[]) =>
        append(...late.map((one) => someResult(monitor, slotAfter(one), { ...failing, detail })));
      const spans = () => change("SELECT span FROM packed_details");
      await come(1, 2, 3);
      await packAll(own, slotAfter(500));
      expect(await spans()).toHaveLength(1);
      await come(4, 5);
      await packAll(own, slotAfter(500));
      const keys = slots.slice(0, 5).map((one) => ({ monitor, location, slot: slotAfter(one) }));
      expect(await details(own, keys)).toEqual(keys.map(() => detail));
      // Were they read again, there would be room for them now.
      await change("DELETE FROM packed_details");
      await packAll(own, slotAfter(500));
      expect(await spans()).toEqual([]);
      await come(6);
      await packAll(own, slotAfter(500));
      expect(await spans()).toHaveLength(1);
      expect(await change("SELECT slot FROM result_details")).toEqual([]);
    });
    test("are forgotten as a whole once all are older than details are kept, and their results are not", async () => {
      await using own = await open();
      const { append, monitors, location } = await assigned(own);
      const monitor = monitors[0]!;
      const keys = [0, 439, 440].map((index) => ({ monitor, location, slot: slotAfter(index) }));
      await append(...keys.map(({ slot }) => someResult(monitor, slot, failing)));
      await packAll(own, slotAfter(2_000));
      const left = async (before: number) => {
        const kept = { results: never, hours: never, days: never, details: slotAfter(before) };
        while (await own.results.forget(kept));
        return (await details(own, keys)).map((one) => one !== null);
      };
      expect(await left(430)).toEqual([true, true, true]);
      expect(await left(440)).toEqual([false, false, true]);
      expect(await left(5_000)).toEqual([false, false, false]);
      expect((await own.results.window(asked(monitor))).results).toHaveLength(3);
    });
    test("that are damaged cost these details alone, and are said once", async () => {
      const said: string[] = [];
      const { store: own, change } = await openToChange(said);
      await using _ = own;
      const { append, monitors, location } = await assigned(own);
      const monitor = monitors[0]!;
      const keys = [0, 440].map((index) => ({ monitor, location, slot: slotAfter(index) }));
      await append(...keys.map(({ slot }) => someResult(monitor, slot, failing)));
      await packAll(own, slotAfter(2_000));
      await change(
        "UPDATE packed_details SET body = substr(body, 1, 9) WHERE span = (SELECT MIN(span) FROM packed_details)",
      );
      expect(await details(own, keys)).toEqual([null, failing.detail]);
      expect(await details(own, keys)).toEqual([null, failing.detail]);
      expect(said).toEqual([
        `details of monitor ${monitor} at location ${location} in the 8 hours from 2026-08-12T08:00:00.000Z cannot be read: the row in packed_details is damaged, its checksum is wrong; all results and all other details can be read`,
      ]);
    });
  });
}

const slotIndex = fc.nat(420);
const said = fc.record({
  which: fc.nat(1),
  slot: slotIndex,
  status: fc.constantFrom("success", "success", "success", "degraded", "error"),
  failure: fc.constantFrom(
    null,
    { code: "connection_refused", phase: "connect" },
    { code: "agent_error", phase: "agent" },
  ),
  micros: fc.nat(90_000),
  asked: fc.boolean(),
  isExcused: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  isPing: fc.boolean(),
  // Some are too large to be packed.
  bytes: fc.constantFrom(0, 1, 600, 600, 20_000),
});
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("append" as const),
      late: fc.nat(minutes(90)),
      results: fc.array(said, { minLength: 1, maxLength: 60 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("run" as const),
      from: slotIndex,
      count: fc.nat(150),
      isDown: fc.boolean(),
    }),
  },
  // Details are packed later than results: those of the hours from 8 to 16 o'clock together.
  { weight: 2, arbitrary: fc.record({ does: fc.constant("pack" as const), until: fc.nat(900) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** What the batch of a step is answered with. */
async function store(
  own: Store,
  { location, monitors }: Assigned,
  one: Exclude<Step, { does: "pack" }>,
): Promise<readonly unknown[]> {
  const monitor = (which: number) => monitors[which] ?? monitors[0]!;
  const results: NewResult[] =
    one.does === "run"
      ? Array.from({ length: one.count }, (_, index) =>
          someResult(monitor(0), slotAfter(one.from + index), one.isDown ? failing : {}),
        )
      : one.results.map(({ which, slot, status, failure, micros, asked: isAsked, ...more }) =>
          someResult(monitor(which), slotAfter(slot), {
            status,
            failure: status === "success" ? null : failure,
            latency: millis(Math.round(micros / 1e3)),
            phases: { ...someResult(monitor(0), noon).phases, connect: nanos(micros * 1e3) },
            echoes: more.isPing
              ? { sent: 3, received: 2, least: nanos(micros * 1e3), most: nanos(micros * 2e3) }
              : null,
            trigger: isAsked ? "api" : "cron",
            excuse: more.isExcused ? excuse : null,
            detail: { message: `${status} ${slot}`, payload: payloadOf(slot, more.bytes) },
          }),
        );
  const storedAt = epochMillis(slotAfter(420) + (one.does === "run" ? 0 : one.late));
  return own.results.append({ location, storedAt, results });
}

const payloadOf = (slot: number, bytes: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, index) => (slot * index) % 251);

const asked = (monitor: Assigned["monitors"][number]) =>
  ({
    ...whole,
    monitor,
    location: null,
    order: "oldest first",
    cursor: null,
    skip: 0,
    limit: 100,
  }) as const;

/** Everything that pages, calls and exports read of results. */
async function everythingOf(own: Store, { location, monitors }: Assigned): Promise<unknown> {
  const { results, alerts } = own;
  const all: unknown[] = [];
  for (const monitor of monitors) {
    const pages = asked(monitor);
    const { results: listed } = await results.window({ ...pages, limit: 1_000 });
    const keys = listed.map(({ slot }) => ({ monitor, location, slot }));
    all.push(listed, await results.reasons(keys.slice(0, 40)));
    for (const order of ["oldest first", "newest first"] as const)
      all.push(
        await results.window({ ...pages, order, limit: 7 }),
        await results.window({ ...pages, order, limit: 3, skip: 50, location }),
        await results.window({
          ...pages,
          order,
          from: slotAfter(90),
          to: slotAfter(211),
          limit: 90,
        }),
        await results.window({ ...pages, order, cursor: { slot: slotAfter(200), location } }),
      );
    for (const key of [...keys.slice(0, 10), ...keys.slice(-30)])
      all.push(await results.result(key));
    all.push(
      await results.stretches({ ...whole, monitor, location: null, length: minutes(15) }),
      await results.lastDetailed(monitor, "failed"),
      await results.lastDetailed(monitor, "passed"),
      await alerts.evidence.turns(monitor),
      await alerts.evidence.checked({
        monitor,
        from: slotAfter(30),
        to: slotAfter(300),
        period: seconds(30),
      }),
    );
  }
  // Of one bucket, and of all totals, PostgreSQL gives monitors in any order.
  for (const grain of ["hour", "day"] as const)
    all.push(
      (await results.buckets({ ...whole, monitors, location: null, grain })).toSorted(
        (a, b) => a.begin - b.begin || a.monitor - b.monitor,
      ),
    );
  all.push(
    (await results.totals(null, monitors)).toSorted((a, b) => a.monitor - b.monitor),
    await alerts.evidence.replay(location, slotAfter(30), slotAfter(300)),
  );
  return all;
}
