import { describe, expect, test } from "vitest";
import type { MissedSlots } from "#agent/prober/schedule/missed-slots";
import { nextSlot } from "#agent/prober/schedule/slots";
import { Scheduler, type Slot } from "#agent/prober/schedule/scheduler";
import { atTheirSlots, StartGroups, type StartTimes } from "#agent/prober/schedule/start-groups";
import * as limits from "#limits/prober-limits";
import type { Ending } from "#base/ending";
import type { Monitor } from "#check/monitor";
import { epochMillis, millis } from "#base/units";
import { FakeClock } from "../../../support/fake-clock.ts";
import { monitorWith } from "../../../support/twins.ts";

interface Started {
  readonly id: string;
  readonly at: number;
  readonly due: number;
  readonly startedAt: number;
  /** By the monotonic clock, in milliseconds. */
  readonly ran: number;
}

interface Scene {
  readonly clock: FakeClock;
  readonly scheduler: Scheduler;
  readonly slots: Started[];
  readonly missed: readonly MissedSlots[];
  readonly stop: () => Promise<void>;
}

function scene(
  check: (slot: Slot) => Promise<void> = async () => {},
  starts: StartTimes = atTheirSlots,
): Scene {
  const clock = new FakeClock();
  const slots: Started[] = [];
  const start = async (slot: Slot): Promise<void> => {
    const { at, due, monitor } = slot;
    const ran = clock.monotonic() / 1e6;
    slots.push({ id: monitor.id, at, due, startedAt: clock.wall(), ran });
    await check(slot);
  };
  const missed: MissedSlots[] = [];
  const onMissed = (slot: MissedSlots): void => void missed.push(slot);
  const scheduler = new Scheduler(clock, start, onMissed, undefined, starts);
  const end = new AbortController();
  const running = scheduler.run(end.signal);
  return {
    clock,
    scheduler,
    slots,
    missed,
    stop: async () => {
      end.abort();
      await running;
    },
  };
}

const plan = (
  start: readonly Monitor[],
  more: { change?: readonly Monitor[]; stop?: readonly string[] } = {},
) => ({ start, change: [], stop: [], kept: 0, ...more });

describe("the scheduler", () => {
  test("checks a new monitor within 5 s, then at each of its slots, never early", async () => {
    const { clock, scheduler, slots, stop } = scene();
    const began = clock.wall();
    scheduler.apply(plan([monitorWith()]));
    await clock.advance(120_000);
    expect(slots[0]!.at - began).toBeLessThanOrEqual(5_000);
    const regular = slots.slice(1).map(({ at }) => at);
    expect(regular[0]).toBe(nextSlot("m", millis(30_000), clock.wall()) - 30_000 * regular.length);
    expect(regular.length).toBeGreaterThanOrEqual(3);
    for (const { at, startedAt } of slots) expect(startedAt).toBeGreaterThanOrEqual(at);
    expect(scheduler.counts).toMatchObject({
      started: slots.length,
      missed: { late: 0, overlap: 0 },
    });
    await stop();
  });

  test("makes up soon for the slot that a monitor's last agent did not check, under that slot's name", async () => {
    const { clock, scheduler, slots, stop } = scene();
    const period = millis(3_600_000);
    const began = clock.wall();
    const missed = epochMillis(nextSlot("m", period, began) - period);
    const monitor = monitorWith({ periodicity: period });
    scheduler.apply(plan([monitor]), new Map([["m", epochMillis(missed - period)]]));
    await clock.advance(period);
    expect(slots.map(({ at }) => at)).toEqual([missed, missed + period]);
    expect(slots[0]!.startedAt - began).toBeLessThanOrEqual(5_000);
    expect(slots[1]!.startedAt).toBe(missed + period);
    await stop();
  });

  test("begins with no slot that another agent has checked", async () => {
    const { clock, scheduler, slots, stop } = scene();
    const next = nextSlot("m", millis(30_000), clock.wall());
    scheduler.apply(plan([monitorWith()]), new Map([["m", epochMillis(next - 30_000)]]));
    await clock.advance(60_000);
    expect(slots.map(({ at }) => at)).toEqual([next, next + 30_000]);
    await stop();
  });

  test("begins behind the newest slot that has a result if the clock was set back since", async () => {
    const { clock, scheduler, slots, stop } = scene();
    const next = nextSlot("m", millis(30_000), clock.wall());
    const newest = epochMillis(next + 1_200_000);
    scheduler.apply(plan([monitorWith()]), new Map([["m", newest]]));
    await clock.advance(60_000);
    expect(slots.map(({ at, due }) => [at, due])).toEqual([
      [newest + 1, next],
      [newest + 2, next + 30_000],
    ]);
    await stop();
  });

  test("keeps the rhythm of a monitor that is changed in anything but its period", async () => {
    const { clock, scheduler, slots, stop } = scene();
    scheduler.apply(plan([monitorWith()]));
    await clock.advance(31_000);
    const before = slots.length;
    scheduler.apply(plan([], { change: [monitorWith({ timeout: millis(7) })] }));
    await clock.advance(30_000);
    const times = slots.slice(before - 1).map(({ at }) => at);
    expect(times).toHaveLength(2);
    expect(times[1]! - times[0]!).toBe(30_000);
    scheduler.apply(plan([], { change: [monitorWith({ periodicity: millis(10_000) })] }));
    const count = slots.length;
    await clock.advance(10_000);
    expect(slots.length).toBe(count + 1);
    await stop();
  });

  test("stops what is taken away, and aborts the check that runs", async () => {
    const endings: Ending[] = [];
    const checking = Promise.withResolvers<void>();
    const { clock, scheduler, slots, stop } = scene(({ ending }) => {
      endings.push(ending);
      return checking.promise;
    });
    scheduler.apply(plan([monitorWith()]));
    await clock.advance(5_000);
    expect(endings[0]?.aborted).toBe(false);
    scheduler.apply(plan([], { stop: ["m"] }));
    expect(endings[0]?.aborted).toBe(true);
    checking.resolve();
    const count = slots.length;
    await clock.advance(120_000);
    expect(slots.length).toBe(count);
    await stop();
  });

  test("never lets a monitor overlap itself: the slot is missed and counted", async () => {
    const checking = Promise.withResolvers<void>();
    const { clock, scheduler, slots, stop } = scene(() => checking.promise);
    scheduler.apply(plan([monitorWith()]));
    await clock.advance(65_000);
    expect(slots).toHaveLength(1);
    const { overlap } = scheduler.counts.missed;
    expect(overlap).toBeGreaterThanOrEqual(2);
    checking.resolve();
    await clock.advance(30_000);
    expect(slots).toHaveLength(2);
    await stop();
  });

  test("skips and counts what a jump of the clock left behind, and runs no burst", async () => {
    const { clock, scheduler, slots, stop } = scene();
    scheduler.apply(plan([monitorWith()]));
    await clock.advance(5_000);
    const count = slots.length;
    clock.stepWall(3_600_000);
    await clock.advance(2_000);
    expect(slots.length - count).toBeLessThanOrEqual(1);
    expect(scheduler.counts.missed.clock).toBeGreaterThanOrEqual(119);
    expect(scheduler.counts.missed.late).toBe(0);
    await clock.advance(60_000);
    expect(slots.length - count).toBeGreaterThanOrEqual(2);
    await stop();
  });

  test.each([-600, -5_000, -40_000, -3_600_000, 3_600_000, 7_000, 600])(
    "falls silent for no longer than two periods when the clock is set by %d ms, and repeats no slot",
    async (step) => {
      const { clock, scheduler, slots, stop } = scene();
      scheduler.apply(plan([monitorWith(), monitorWith({ id: "n" })]));
      await clock.advance(65_000);
      clock.stepWall(step);
      await clock.advance(150_000);
      clock.stepWall(-step);
      await clock.advance(150_000);
      for (const id of ["m", "n"]) {
        const own = slots.filter((slot) => slot.id === id);
        const names = own.map(({ at }) => at);
        expect(names).toEqual([...new Set(names)].toSorted((a, b) => a - b));
        const gaps = own.slice(1).map(({ ran }, index) => ran - own[index]!.ran);
        // After a step forward the next slot is up to a period away, and the last may be a period old.
        expect(Math.max(...gaps)).toBeLessThanOrEqual(60_000);
        expect(own.length).toBeGreaterThanOrEqual(9);
        expect(own.length).toBeLessThanOrEqual(365 / 30 + 4);
      }
      await stop();
    },
  );

  test("follows the new clock when it was set back: the slots are where other agents have them", async () => {
    const { clock, scheduler, slots, stop } = scene();
    scheduler.apply(plan([monitorWith()]));
    await clock.advance(65_000);
    clock.stepWall(-3_600_000);
    await clock.advance(90_000);
    const later = slots.filter(({ ran }) => ran > 66_000);
    expect(later.length).toBeGreaterThanOrEqual(2);
    for (const { due } of later)
      expect(nextSlot("m", millis(30_000), epochMillis(due - 1))).toBe(due);
    await stop();
  });

  test("continues by the right clock after one that was ahead, if no service took the results", async () => {
    const { clock, scheduler, slots, stop } = scene();
    scheduler.apply(plan([monitorWith()]));
    await clock.advance(35_000);
    clock.stepWall(3_600_000);
    await clock.advance(60_000);
    const ahead = epochMillis(slots.at(-1)?.at ?? 0);
    scheduler.free("m", ahead);
    clock.stepWall(-3_600_000);
    const count = slots.length;
    await clock.advance(60_000);
    const later = slots.slice(count);
    expect(later.length).toBeGreaterThanOrEqual(1);
    for (const { at, due } of later) expect(at).toBe(due);
    // A result from before the newest name says nothing of that.
    clock.stepWall(-3_600_000);
    scheduler.free("m", epochMillis(1));
    const newest = slots.at(-1)?.at ?? 0;
    await clock.advance(60_000);
    expect(slots.at(-1)?.at).toBeGreaterThan(newest);
    expect(slots.at(-1)?.at).toBeLessThan(newest + 10);
    await stop();
  });

  test("distinguishes a suspended process from a clock that was set", async () => {
    const { clock, scheduler, slots, stop } = scene();
    scheduler.apply(plan([monitorWith()]));
    await clock.advance(31_000);
    const count = slots.length;
    clock.suspend(120_000);
    await clock.advance(1_500);
    expect(slots.length - count).toBeLessThanOrEqual(1);
    expect(scheduler.counts.missed).toMatchObject({ clock: 0 });
    expect(scheduler.counts.missed.late).toBeGreaterThanOrEqual(3);
    await stop();
  });

  test("starts ten thousand monitors at their own instants, each once", async () => {
    const { clock, scheduler, slots, stop } = scene();
    const monitors = Array.from({ length: 10_000 }, (_, n) =>
      monitorWith({ id: `m${n}`, periodicity: millis(3_600_000) }),
    );
    scheduler.apply(plan(monitors));
    await clock.advance(5_001);
    expect(slots.length).toBeGreaterThan(limits.firstChecksAtOnce);
    const rest = 10_000 - limits.firstChecksAtOnce;
    await clock.advance(rest * (1_000 / limits.firstChecksPerSecond) + 5_001);
    expect(new Set(slots.map(({ id }) => id)).size).toBe(10_000);
    expect(new Set(slots.map(({ at }) => at)).size).toBeGreaterThan(3_000);
    await stop();
  });

  test("checks as many new monitors as one agent may have at once within five seconds", async () => {
    const { clock, scheduler, slots, stop } = scene();
    const monitors = Array.from({ length: limits.firstChecksAtOnce }, (_, n) =>
      monitorWith({ id: `m${n}`, periodicity: millis(3_600_000) }),
    );
    scheduler.apply(plan(monitors));
    await clock.advance(limits.firstCheckWithin);
    expect(new Set(slots.map(({ id }) => id)).size).toBe(limits.firstChecksAtOnce);
    await stop();
  });

  test("begins a hundred thousand monitors without a burst: nearly all wait for their own slots", async () => {
    const { clock, scheduler, slots, missed, stop } = scene();
    const monitors = Array.from({ length: 100_000 }, (_, n) =>
      monitorWith({ id: `m${n}`, periodicity: millis(60_000) }),
    );
    scheduler.apply(plan(monitors));
    await clock.advance(5_000);
    const regular = 100_000 / 12;
    expect(slots.length).toBeGreaterThan(regular * 0.97);
    expect(slots.length).toBeLessThan(regular * 1.07);
    expect(missed).toEqual([]);
    await stop();
  });

  test("checks a few new monitors within five seconds though others leave no room", async () => {
    const { clock, scheduler, slots, stop } = scene();
    const monitors = Array.from({ length: 20_000 }, (_, n) =>
      monitorWith({ id: `m${n}`, periodicity: millis(10_000) }),
    );
    scheduler.apply(plan(monitors));
    await clock.advance(40_000);
    const fresh = Array.from({ length: 100 }, (_, n) =>
      monitorWith({ id: `new ${n}`, periodicity: millis(3_600_000) }),
    );
    scheduler.apply(plan(fresh));
    await clock.advance(limits.firstCheckWithin);
    expect(slots.filter(({ id }) => id.startsWith("new"))).toHaveLength(100);
    await stop();
  });

  test("begins new monitors soon again once those are gone that left no room", async () => {
    const { clock, scheduler, slots, stop } = scene();
    const busy = Array.from({ length: 20_000 }, (_, n) =>
      monitorWith({ id: `m${n}`, periodicity: millis(10_000) }),
    );
    scheduler.apply(plan(busy));
    await clock.advance(40_000);
    scheduler.apply(plan([], { stop: busy.map(({ id }) => id) }));
    const fresh = Array.from({ length: 4_000 }, (_, n) =>
      monitorWith({ id: `new ${n}`, periodicity: millis(3_600_000) }),
    );
    scheduler.apply(plan(fresh));
    await clock.advance(limits.firstCheckWithin);
    expect(slots.filter(({ id }) => id.startsWith("new"))).toHaveLength(4_000);
    await stop();
  });

  test("begins new monitors at a pace, also if all are others at each poll", async () => {
    const { clock, scheduler, slots, stop } = scene();
    let running: string[] = [];
    for (let poll = 0; poll < 3; poll += 1) {
      const monitors = Array.from({ length: 20_000 }, (_, n) =>
        monitorWith({ id: `${poll}-${n}`, periodicity: millis(3_600_000) }),
      );
      scheduler.apply(plan(monitors, { stop: running }));
      running = monitors.map(({ id }) => id);
      await clock.advance(10_000);
    }
    // A few more are due by their own regular slots: 20,000 an hour are 167 in thirty seconds.
    const most = limits.firstChecksAtOnce + 30 * limits.firstChecksPerSecond;
    expect(slots.length).toBeLessThan(most + 300);
    expect(slots.length).toBeGreaterThan(1_000);
    await stop();
  });
});

describe("checks that begin together", () => {
  const period = millis(30_000);
  const many = Array.from({ length: 500 }, (_, n) => monitorWith({ id: `m${n}` }));
  const together = (): Scene => scene(undefined, new StartGroups());
  /** When the scheduler has begun all of them once, just before one of their slots whose check is put off. */
  async function beforeOnePutOff({
    clock,
    scheduler,
  }: Scene): Promise<{ id: string; slot: number }> {
    scheduler.apply(plan(many));
    await clock.advance(40_000);
    const starts = new StartGroups();
    starts.arrange(many);
    const putOff = many
      .map((monitor) => ({ monitor, slot: nextSlot(monitor.id, period, clock.wall()) }))
      .find(({ monitor, slot }) => starts.startOf(monitor, slot) - slot > 100);
    if (putOff === undefined) throw new Error("no slot is put off");
    await clock.advance(putOff.slot - clock.wall() + 1);
    return { id: putOff.monitor.id, slot: putOff.slot };
  }

  test("are a few in a moment, soon after their slots, and named by these", async () => {
    const { clock, scheduler, slots, stop } = together();
    scheduler.apply(plan(many));
    await clock.advance(10_000);
    slots.length = 0;
    await clock.advance(60_000);
    expect(slots).toHaveLength(1_000);
    const moments = new Set(slots.map(({ startedAt }) => startedAt));
    expect(slots.length / moments.size).toBeGreaterThan(limits.startsTogether / 2);
    for (const { id, at, due, startedAt } of slots) {
      expect(nextSlot(id, period, epochMillis(at - 1))).toBe(at);
      expect(startedAt - at).toBeLessThan(500);
      expect(startedAt).toBe(due);
    }
    await stop();
  });

  test("are not the first ones of their monitors: these begin when they are due", async () => {
    const { clock, scheduler, slots, stop } = together();
    const hourly = many.map((one) => ({ ...one, periodicity: millis(3_600_000) }));
    scheduler.apply(plan(hourly));
    await clock.advance(5_001);
    const firsts = slots.filter(({ at, startedAt }) => at === startedAt);
    expect(firsts.length).toBeGreaterThan(490);
    await stop();
  });

  test("are missed if the agent stops before they begin", async () => {
    const all = together();
    const { id, slot } = await beforeOnePutOff(all);
    await all.stop();
    expect(all.missed).toContainEqual({ monitorId: id, slot, count: 1, reason: "drained" });
  });

  test("begin, or are counted as missed, if the period of their monitor is changed before that", async () => {
    const all = together();
    const { id, slot } = await beforeOnePutOff(all);
    const changed = monitorWith({ id, periodicity: millis(60_000) });
    all.scheduler.apply(plan([], { change: [changed] }));
    await all.clock.advance(500);
    const newest = all.slots.find((one) => one.id === id && one.at >= slot);
    const reported = newest?.at ?? all.missed.find(({ monitorId }) => monitorId === id)?.slot;
    expect(reported).toBe(slot);
    await all.stop();
  });
});
