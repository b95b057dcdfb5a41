import { array, assert, constantFrom, integer, property, record } from "fast-check";
import { expect, test } from "vitest";
import type { Mark } from "#probes/socket/marker";
import { QueryTimes } from "#probes/resolve/query-times";
import { nanos } from "#base/units";

const types = ["A", "AAAA", "MX"] as const;
const mark = (from: number, to: number): Mark => ({ at: nanos(to), errorBar: nanos(to - from) });

test("a query leaves in the middle of its call, or of what was left of it when its answer came", () => {
  const times = new QueryTimes();
  times.leaving("A", mark(100, 300));
  times.sent("A", mark(100, 300));
  expect(times.start).toEqual({ at: 200, errorBar: 100 });
  times.answeredAt("A", { mark: mark(150, 150), measuredBy: "kernel" });
  expect(times.start).toEqual({ at: 125, errorBar: 25 });
  expect(times.lastSent).toEqual(times.start);
});

test("whatever the calls take and whenever the answers come after them, the whole is more than nothing", () => {
  const instant = integer({ min: 1, max: 10_000 });
  const question = record({ begun: instant, call: instant, answer: instant });
  assert(
    property(
      array(question, { minLength: 1, maxLength: 3 }),
      constantFrom(0, 1),
      (asked, again) => {
        const times = new QueryTimes();
        asked.forEach(({ begun, call, answer }, index) => {
          const type = types[index] ?? "A";
          times.leaving(type, mark(begun, begun + call));
          times.sent(type, mark(begun, begun + call));
          const mark1 = mark(begun + answer, begun + answer);
          times.answeredAt(type, { mark: mark1, measuredBy: "kernel" });
          // Another server, or TCP, asked later changes nothing of when the first packet left.
          if (again === 1) times.leaving(type, mark(begun + 20_000, begun + 30_000));
        });
        const start = times.start?.at ?? 0;
        const sent = times.lastSent?.at ?? 0;
        const end = times.answered?.mark.at ?? 0;
        expect(start).toBeLessThanOrEqual(sent);
        expect(end - start).toBeGreaterThan(0);
      },
    ),
  );
});
