import { expect, test } from "vitest";
import { Pauses } from "#probes/socket/pauses";
import { nanos } from "#base/units";
import { FakeClock } from "../../support/fake-clock.ts";

test("a beat that ends because no check is under way any more is not late", async () => {
  const clock = new FakeClock();
  await clock.advance(1_000);
  const pauses = new Pauses(
    clock,
    () => clock.monotonic(),
    () => nanos(0),
  );
  const from = clock.monotonic();
  const first = pauses.attend();
  await clock.advance(40);
  first[Symbol.dispose]();
  await clock.advance(0);
  using _second = pauses.attend();
  expect(pauses.absentSince(from)).toBe(0);
});
