import { expect, test } from "vitest";
import { whileWorking } from "#cli/edge/progress";
import { captureIo } from "../../support/captured-io.ts";
import { FakeClock } from "../../support/fake-clock.ts";

/** Work that lasts until it is ended, and what a person sees meanwhile. */
function working(interactive: boolean) {
  const clock = new FakeClock();
  const io = captureIo({});
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const done = whileWorking("Comparing", { stderr: io.stderr, interactive }, () => promise, clock);
  return { clock, done, resolve, reject, shown: () => io.written.stderr() };
}

test("long work shows for how long it lasts, and the line goes with it", async () => {
  const { clock, done, resolve, shown } = working(true);
  expect(shown()).toBe("");
  await clock.advance(1_000);
  await clock.advance(1_000);
  expect(shown()).toBe("\r\x1b[KComparing: 1 s\r\x1b[KComparing: 2 s");
  resolve("done");
  expect(await done).toBe("done");
  expect(shown().endsWith("2 s\r\x1b[K")).toBe(true);
});

test("work that fails takes its line along", async () => {
  const { clock, done, reject, shown } = working(true);
  await clock.advance(1_000);
  reject(new Error("refused"));
  await expect(done).rejects.toThrow("refused");
  expect(shown()).toBe("\r\x1b[KComparing: 1 s\r\x1b[K");
});

test("without a terminal nothing is shown", async () => {
  const { clock, done, resolve, shown } = working(false);
  await clock.advance(5_000);
  resolve("done");
  await done;
  expect(shown()).toBe("");
});
