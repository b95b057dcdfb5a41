import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ResultStatus } from "#check/verdict";
import { type HeardView, judge, type MonitorState, type Policy } from "#service/monitors/judge";
import { freshUntil, type View } from "#service/monitors/view";
import { after, epochMillis, type EpochMillis, millis, minutes, seconds } from "#base/units";
import { type Sighting, viewAfter } from "../../support/view-after.ts";

/** Cases at a monitor of 30 s with one attempt of 1 s: a view counts for 2 × 30 s + 1 s + 30 s. */
const policy: Policy = {
  active: true,
  periodicity: seconds(30),
  timeout: seconds(1),
  retry: 0,
};
const noon = epochMillis(Date.UTC(2026, 0, 1, 12));
const ago = (duration: number): EpochMillis => epochMillis(noon - duration);
const before: MonitorState = { status: "unknown", since: ago(3_600_000) };

const seen = (status: ResultStatus, age = 1_000): HeardView => ({
  slot: ago(age),
  status,
  since: ago(age),
  heard: true,
});
const silent = (status: ResultStatus): HeardView => ({ ...seen(status), heard: false });
const stale = (status: ResultStatus): HeardView => seen(status, 91_000);
const good = seen("success");
const slow = seen("degraded");
const bad = seen("error");

describe("what the locations see and what the service says", () => {
  const cases: readonly (readonly [string, readonly HeardView[], string])[] = [
    ["nothing was ever seen", [], "unknown"],
    ["one location, one error after its retries", [bad], "error"],
    ["A error, B and C good", [bad, good, good], "active"],
    ["A and B error, C good", [bad, bad, good], "error"],
    ["A error, B degraded, C good", [bad, slow, good], "degraded"],
    ["A error, B good: half is a quorum", [bad, good], "error"],
    ["A degraded, B good", [slow, good], "degraded"],
    ["A error, B and C silent", [bad, silent("success"), silent("success")], "error"],
    ["all silent", [silent("error"), silent("success")], "unknown"],
    ["A and B error, then both silent", [silent("error"), silent("error")], "unknown"],
    ["all stale", [stale("error"), stale("success")], "unknown"],
    ["A good, B's error stale", [good, stale("error")], "active"],
    ["A degraded, B's success stale", [slow, stale("success")], "degraded"],
  ];
  test.each(cases)("%s", (_name, views, status) => {
    expect(judge(before, views, policy, noon).state.status).toBe(status);
  });

  test("an inactive monitor is unknown, whatever was seen", () => {
    const inactive = { ...policy, active: false };
    expect(judge(before, [bad], inactive, noon)).toMatchObject({
      state: { status: "unknown" },
      againAt: null,
    });
  });

  test("of locations that were all silent, the first that reports again says how it is, whichever saw it last", () => {
    const [early, late] = [seen("success", 20_000), seen("success", 5_000)];
    const was = { status: "active", since: ago(3_600_000) } as const;
    const away = [early, late].map((view) => ({ ...view, heard: false }));
    const silence = judge(was, away, policy, noon).state;
    expect(silence).toEqual({ status: "unknown", since: late.slot });
    const back = judge(silence, [early, { ...late, heard: false }], policy, after(noon, millis(1)));
    expect(back.state.status).toBe("active");
  });

  test("a status that a short pause interrupted counts as if there had been no pause", () => {
    const passing = { status: "active", since: ago(3_600_000) } as const;
    const paused = judge(passing, [good], { ...policy, active: false }, noon).state;
    expect(paused).toMatchObject({ status: "unknown", since: noon });
    const resumed = judge(paused, [good], policy, after(noon, millis(1_000))).state;
    expect(resumed).toEqual(passing);
  });

  test("another status than before the pause counts from when the monitor is resumed", () => {
    const passing = { status: "active", since: ago(3_600_000) } as const;
    const paused = judge(passing, [good], { ...policy, active: false }, noon).state;
    const resumed = after(noon, millis(1_000));
    expect(judge(paused, [bad], policy, resumed).state).toEqual({
      status: "error",
      since: resumed,
    });
  });

  test("after a pause in which checks were missed, a status counts from the first check after it", () => {
    const passing = { status: "active", since: ago(3_600_000) } as const;
    const paused = judge(passing, [good], { ...policy, active: false }, noon).state;
    const later = after(noon, millis(91_000));
    const first = { ...good, slot: later, since: good.since };
    const waiting = judge(paused, [good], policy, later).state;
    expect(waiting).toMatchObject({ status: "unknown", since: noon });
    const { state } = judge(waiting, [first], policy, after(later, millis(1_000)));
    expect(state).toEqual({ status: "active", since: later });
  });
});

describe("a view", () => {
  const result = (at: number, status: ResultStatus, more: Partial<Sighting> = {}): Sighting => ({
    slot: after(noon, millis(at)),
    status,
    failurePhase: status === "error" ? "connect" : "",
    uncertain: false,
    ...more,
  });
  const viewOf = (...results: readonly Sighting[]): View | null =>
    results.reduce<View | null>(viewAfter, null);

  test("is moved by strictly newer slots only: a backlog rewrites no present", () => {
    expect(viewOf(result(2, "success"), result(1, "error"))?.status).toBe("success");
    expect(viewOf(result(2, "success"), result(2, "error"))?.status).toBe("success");
    expect(viewOf(result(2, "success"), result(3, "error"))?.status).toBe("error");
  });

  test.each(["config", "policy", "agent"])("is not moved by a fault of %s", (failurePhase) => {
    const blameless = result(2, "error", { failurePhase });
    expect(viewOf(blameless)).toBeNull();
    expect(viewOf(result(1, "success"), blameless)).toEqual(viewOf(result(1, "success")));
  });

  test("knows since when its status has stood", () => {
    const row = [
      result(1, "error"),
      result(2, "error"),
      result(3, "success"),
      result(4, "success"),
    ];
    expect(viewOf(...row.slice(0, 2))?.since).toBe(noon + 1);
    expect(viewOf(...row)?.since).toBe(noon + 3);
  });

  test("of a slow monitor stays degraded at a success that may have been slow, and is fresh again", () => {
    const uncertain = result(2, "success", { uncertain: true });
    expect(viewOf(result(1, "degraded"), uncertain)).toEqual({
      slot: noon + 2,
      status: "degraded",
      since: noon + 1,
    });
    expect(viewOf(result(1, "error"), uncertain)?.status).toBe("success");
    expect(viewOf(uncertain)?.status).toBe("success");
    expect(viewOf(result(1, "degraded"), uncertain, result(3, "success"))?.status).toBe("success");
  });

  test("counts for two periods, one check's longest time up to five minutes, and half a minute", () => {
    const view = seen("success", 0);
    expect(freshUntil(view, policy)).toBe(noon + 60_000 + 1_000 + 30_000);
    const long = { ...policy, timeout: seconds(120), retry: 10 };
    expect(freshUntil(view, long)).toBe(noon + 60_000 + minutes(5) + 30_000);
    expect(judge(before, [seen("success", 90_999)], policy, noon).state.status).toBe("active");
    expect(judge(before, [seen("success", 91_000)], policy, noon).state.status).toBe("unknown");
  });
});

describe("a change of status", () => {
  test("is one event, and none if nothing changes", () => {
    const first = judge(before, [bad], policy, noon);
    expect(first.events).toEqual([
      { kind: "status_changed", from: "unknown", to: "error", since: ago(1_000) },
    ]);
    expect(judge(first.state, [bad], policy, after(noon, seconds(5))).events).toEqual([]);
  });

  const active: MonitorState = { status: "active", since: ago(600_000) };
  const unknown: MonitorState = { status: "unknown", since: ago(300_000) };
  /** A view of `status` in a row that began `began` ago, and has its newest slot `newest` ago. */
  const row = (status: ResultStatus, began: number, newest: number): HeardView => ({
    ...seen(status, newest),
    since: ago(began),
  });
  const dates: readonly (readonly [string, MonitorState, readonly HeardView[], number])[] = [
    ["by the slot that tipped it", active, [row("error", 2_000, 2_000), bad], 1_000],
    ["not before the change before it", active, [row("error", 900_000, 80_000)], 600_000],
    ["not ahead of the clock", active, [row("error", -1_000, -1_000)], 0],
    ["unknown: by the last slot seen", active, [row("success", 900_000, 120_000)], 120_000],
    [
      "unknown: by the last slot of any location",
      active,
      [stale("error"), stale("success")],
      91_000,
    ],
    ["unknown, as all are silent: by the last slot", active, [silent("success")], 1_000],
    [
      "unknown: not before the change before it",
      active,
      [row("success", 900_000, 700_000)],
      600_000,
    ],
    ["unknown, and nothing seen: by the clock", active, [], 0],
    [
      "known again: by the first slot after the silence",
      unknown,
      [row("success", 900_000, 2_000)],
      2_000,
    ],
    [
      "known again by a backlog: by its first error",
      unknown,
      [row("error", 200_000, 2_000)],
      200_000,
    ],
    ["known for the first time: by the first slot", before, [row("error", 60_000, 1_000)], 60_000],
  ];
  test.each(dates)("is dated: %s", (_name, state, views, age) => {
    const judged = judge(state, views, policy, noon);
    expect(judged.events).toHaveLength(1);
    expect(judged.state.since).toBe(ago(age));
  });

  test("of a monitor that was made inactive is dated by the clock", () => {
    const inactive = { ...policy, active: false };
    expect(judge(active, [bad], inactive, noon).state).toMatchObject({
      status: "unknown",
      since: noon,
    });
  });

  test("is looked for again when the first view ends", () => {
    const { againAt } = judge(
      before,
      [seen("success", 1_000), seen("success", 5_000)],
      policy,
      noon,
    );
    expect(againAt).toBe(ago(5_000) + 91_000);
    expect(judge(before, [stale("success")], policy, noon).againAt).toBeNull();
  });
});

describe("whatever comes, in whatever order, the judge", () => {
  const statuses = fc.constantFrom<ResultStatus>("success", "degraded", "error");
  const phases = fc.constantFrom("", "connect", "config", "policy", "agent");
  const sightings = fc.array(
    fc.record({
      location: fc.integer({ min: 0, max: 3 }),
      slot: fc.integer({ min: -300_000, max: 0 }).map((offset) => epochMillis(noon + offset)),
      status: statuses,
      failurePhase: phases,
      uncertain: fc.boolean(),
    }),
    { maxLength: 40 },
  );
  const silences = fc.array(fc.boolean(), { minLength: 4, maxLength: 4 });
  const lags = fc.integer({ min: 0, max: 300_000 });

  type Seen = Sighting & { readonly location: number };
  function viewsOf(all: readonly Seen[], heard: readonly boolean[]): readonly HeardView[] {
    const views = new Map<number, View>();
    for (const one of all) {
      const moved = viewAfter(views.get(one.location) ?? null, one);
      if (moved !== null) views.set(one.location, moved);
    }
    return [...views].map(([location, view]) => ({ ...view, heard: heard[location] ?? false }));
  }

  test("never says anything without a fresh view that says something of the target", () => {
    fc.assert(
      fc.property(sightings, silences, lags, (all, heard, lag) => {
        const now = after(noon, millis(lag));
        const { state } = judge(before, viewsOf(all, heard), policy, now);
        const recent = all.filter(
          ({ location, slot, failurePhase }) =>
            heard[location] === true &&
            !["config", "policy", "agent"].includes(failurePhase) &&
            now - slot < 91_000,
        );
        expect(state.status === "unknown").toBe(recent.length === 0);
        if (state.status === "active")
          expect(recent.some(({ status }) => status === "success")).toBe(true);
      }),
    );
  });

  test("says the same of the newest slots, however late older ones arrive", () => {
    fc.assert(
      fc.property(sightings, sightings, silences, (all, late, heard) => {
        const views = viewsOf(all, heard);
        const newest = new Map(
          all
            .filter(({ failurePhase }) => !["config", "policy", "agent"].includes(failurePhase))
            .map(({ location }) => [
              location,
              Math.max(
                ...all
                  .filter(
                    (one) =>
                      one.location === location &&
                      !["config", "policy", "agent"].includes(one.failurePhase),
                  )
                  .map(({ slot }) => slot),
              ),
            ]),
        );
        const older = late.filter(({ location, slot }) => slot <= (newest.get(location) ?? -1));
        expect(viewsOf([...all, ...older], heard)).toEqual(views);
      }),
    );
  });

  test("is asked again before a view that it counted has ended", () => {
    fc.assert(
      fc.property(sightings, silences, (all, heard) => {
        const views = viewsOf(all, heard);
        const { state, againAt } = judge(before, views, policy, noon);
        expect(againAt === null).toBe(state.status === "unknown");
        if (againAt === null) return;
        const until = judge(state, views, policy, epochMillis(againAt - 1));
        expect(until.events).toEqual([]);
      }),
    );
  });
});
