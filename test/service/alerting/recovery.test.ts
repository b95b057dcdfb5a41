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

test("only a location that passes since an incident began is part of its recovery", () => {
  const failing = { location: 1, recent: ["error", "error"], since: began } as const;
  const fine = { location: 2, recent: ["success", "success"] } as const;
  expect(recoveryOf([failing, { ...fine, since: epochMillis(0) }], usual, began)).toBeNull();
  expect(recoveryOf([failing, { ...fine, since: epochMillis(2_000) }], usual, began)).toEqual({
    short: [{ location: 1, passed: 0 }],
    enough: 1,
    wanted: 2,
  });
  expect(recoveryOf([], usual, began)).toBeNull();
});
