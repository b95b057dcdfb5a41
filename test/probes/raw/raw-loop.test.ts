import { randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "#base/clock";
import { rawSleepMax } from "#limits/probes-limits";
import { threadTimes } from "#probes/socket/marker";
import { DescriptorList } from "#probes/raw/descriptor-list";
import { type KernelCalls, openKernelCalls } from "#probes/raw/kernel-calls";
import { RawLoop } from "#probes/raw/raw-loop";

/** A loop that writes down for how long it may sleep each time; in a test none of these sleeps lasts. */
function sleepless(): Scene {
  const calls = openKernelCalls();
  const sleeps: Sleep[] = [];
  const slept = Promise.withResolvers<void>();
  let runtime = 0;
  let isLook = true;
  const counted: KernelCalls = {
    ...calls,
    runtimeTimeout: () => {
      isLook = false;
      return (runtime = calls.runtimeTimeout());
    },
    wait: (set, timeout) => {
      // On a busy machine, a thread has worked for long enough to look in between.
      if (isLook) return calls.wait(set, timeout);
      isLook = true;
      sleeps.push({ timeout, runtime });
      if (runtime !== 0 || sleeps.length === 10_000) slept.resolve();
      return calls.wait(set, 0);
    },
  };
  const loop = new RawLoop(counted, systemClock, threadTimes(), new DescriptorList());
  onTestFinished(() => loop.end());
  // Without anything to wait for, the runtime does not sleep.
  const timer = setTimeout(() => {}, 100_000);
  onTestFinished(() => clearTimeout(timer));
  // While it is watched, the loop turns.
  const silent = loop.open("127.0.0.1", "datagram");
  const watchId = loop.watch(silent, () => {});
  onTestFinished(() => loop.close(silent));
  return { loop, sleeps, slept: slept.promise, watchId, calls };
}

interface Scene {
  readonly loop: RawLoop;
  readonly sleeps: readonly Sleep[];
  /** When the runtime would have slept for the first time, or would not have for very long. */
  readonly slept: Promise<void>;
  /** What keeps the loop turning. */
  readonly watchId: number;
  readonly calls: KernelCalls;
}

interface Sleep {
  readonly timeout: number;
  /** For how long the runtime would have slept. */
  readonly runtime: number;
}

test("a thread with an open raw socket sleeps for as long as the runtime would, and is not woken by the clock", async () => {
  const { sleeps, slept } = sleepless();
  await slept;
  expect(sleeps.at(-1)?.runtime).not.toBe(0);
  for (const { timeout, runtime } of sleeps)
    expect(timeout).toBe(runtime < 0 ? rawSleepMax : Math.min(runtime, rawSleepMax));
});

test("a thread does not sleep before the kernel knows what the runtime began to wait for", async () => {
  const { loop, sleeps, slept } = sleepless();
  const server = createServer();
  onTestFinished(() => void server.close());
  const begun = Promise.withResolvers<number>();
  // Runs in the runtime's turn just before the loop's, so the runtime had no turn to hand it to the kernel.
  loop.soon(() =>
    setImmediate(() => {
      server.listen(`\0picket-${randomUUID()}`);
      begun.resolve(sleeps.length);
    }),
  );
  const next = await begun.promise;
  while (sleeps.length <= next) await turn();
  expect(sleeps[next]).toEqual({ timeout: 0, runtime: 0 });
  await slept;
});

test("what ends in the microtasks of a turn leaves the runtime to sleep at once", async () => {
  const { loop, calls, watchId } = sleepless();
  loop.unwatch(watchId);
  let timeout = 0;
  // Others in this process may have an immediate pending now and then; the loop's own would always be.
  for (let n = 0; n < 1_000 && timeout === 0; n += 1) {
    const descriptor = loop.open("127.0.0.1", "datagram");
    const id = loop.watch(descriptor, () => {});
    timeout = await new Promise<number>((resolve) =>
      loop.soon(() =>
        queueMicrotask(() => {
          loop.unwatch(id);
          resolve(calls.runtimeTimeout());
        }),
      ),
    );
    loop.close(descriptor);
  }
  expect(timeout).not.toBe(0);
});
