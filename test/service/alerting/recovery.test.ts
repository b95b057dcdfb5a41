import { expect, test } from "vitest";

import { type AlertPolicy, policyFrom } from "#check/alert-policy";
import { presenceOf } from "#service/alerting/presence";
import { recoveryOf } from "#service/alerting/recovery";
import type { ResultStatus } from "#check/verdict";
import { epochMillis } from "#base/units";

const began = epochMillis(1_000);
const usual = policyFrom(null);

/** What locations see whose newest checks these are; all turned since the incident began. */
const views = (...recents: readonly (readonly ResultStatus[])[]) =>
  recents.map((recent, location) => ({ location, recent, since: epochMillis(2_000) }));

const isWell = (all: ReturnType<typeof views>, policy: typeof usual): boolean | undefined =>
  presenceOf(
    all.map(({ recent }) => ({ recent, troubleSince: null, wellSince: null })),
    policy,
  )?.isWell;

const pasts: readonly (readonly ResultStatus[])[] = [
  ["error", "error", "error"],
  ["success", "error", "error"],
  ["success", "success", "error"],
  ["success", "success", "success"],
  ["degraded", "success", "success"],
];
const quorums: readonly AlertPolicy["quorum"][] = [
  { of: "share", percent: 50 },
  { of: "share", percent: 100 },
  { of: "count", locations: 1 },
  { of: "count", locations: 2 },
];

test("an incident closes with exactly the checks that its recovery names, and with none fewer", () => {
  let recoveries = 0;
  for (const quorum of quorums)
    for (const successes of [1, 2, 3])
      for (const a of pasts)
        for (const b of pasts)
          for (const c of pasts) {
            const policy = { ...usual, quorum, successes };
            const all = views(a, b, c);
            const recovery = recoveryOf(all, policy, began);
            if (recovery === null) continue;
            recoveries += 1;
            expect(recovery.wanted).toBe(successes);
            if (recovery.enough === 0) {
              expect(isWell(all, policy)).toBe(true);
              continue;
            }
            const after = (count: number, oneFewer: boolean) =>
              all.map((view) => {
                const index = recovery.short.findIndex(
                  ({ location }) => location === view.location,
                );
                if (index === -1 || index >= count) return view;
                const passed = recovery.short[index]?.passed ?? 0;
                const missing = successes - passed - (oneFewer && index === count - 1 ? 1 : 0);
                const more = Array.from({ length: missing }, (): ResultStatus => "success");
                return { ...view, recent: [...more, ...view.recent] };
              });
            expect(isWell(after(recovery.enough, false), policy)).toBe(true);
            expect(isWell(after(recovery.enough, true), policy)).toBe(false);
          }
  expect(recoveries).toBeGreaterThan(300);
});

test("only a location that its end waits for, and that passes since it began, is a recovery", () => {
  const seen = (...recent: readonly ResultStatus[]) => ({ recent, since: epochMillis(2_000) });
  const among = (...seens: readonly Omit<ReturnType<typeof views>[number], "location">[]) =>
    recoveryOf(
      seens.map((one, location) => ({ ...one, location })),
      usual,
      began,
    );
  const fails = seen("error", "error");
  const fine = seen("success", "success");
  const passes = seen("success", "error");
  // Two of three stay down: that the third is well again closes nothing.
  expect(among(fails, fails, fine)).toBeNull();
  expect(among(fails, fine)).toBeNull();
  // Three of four have to pass, and two have begun.
  expect(among(fails, passes, passes, fails)).toBeNull();
  expect(among(fails, passes, fine)).toEqual({
    short: [
      { location: 0, passed: 0 },
      { location: 1, passed: 1 },
    ],
    enough: 1,
    wanted: 2,
  });
  expect(among(fails, { ...passes, since: epochMillis(0) }, fine)).toBeNull();
  // All pass: it closes if they go on, also if one passed before it began.
  expect(among({ ...seen("success"), since: epochMillis(0) }, fine)).toEqual({
    short: [{ location: 0, passed: 1 }],
    enough: 1,
    wanted: 2,
  });
  expect(among(fine, fine)).toEqual({ short: [], enough: 0, wanted: 2 });
  expect(among()).toBeNull();
});
