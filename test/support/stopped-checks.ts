import { writeSync } from "node:fs";
import { startInlineProber } from "#agent/prober/inline-prober";
import type { ProberOptions } from "#agent/prober/prober";
import { systemClock } from "#base/clock";
import { mebibytes, millis } from "#base/units";
import type { Target } from "#check/monitor";
import { noOverrides } from "#check/overrides";
import type { NameServer } from "#probes/resolve/resolving";

/* A process that begins checks, and then works until it was stopped by a signal and continued. */

/** What it is started with. */
export interface StoppedOrder {
  readonly targets: readonly Target[];
  readonly timeout: number;
  readonly nameServer: NameServer;
  readonly rawSockets: ProberOptions["rawSockets"];
}

/** Longer than any scheduler of a system leaves a thread without a processor, if it is only busy. */
const stopMin = 200e6;

async function check({ targets, timeout, nameServer, rawSockets }: StoppedOrder): Promise<void> {
  await using prober = await startInlineProber({
    threads: 1,
    trust: { authorities: null, identity: null },
    kernelClock: true,
    evidence: "off",
    evidenceDirect: false,
    paths: false,
    references: [],
    rawSockets,
    nameServers: [nameServer],
    targetRules: { allow: [], deny: [] },
    proxying: { proxy: null, exceptions: [] },
    ipFamily: "any",
    resolver: "stub",
    http2: false,
    bodyBytesMax: mebibytes(1),
    userAgent: "picket/stopped",
    overrides: noOverrides,
  });
  const signal = new AbortController().signal;
  const running = targets.map((target) => prober.probe(target, millis(timeout), signal));
  // What a check begins with leaves in its first turns.
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  using turns = longestTurn();
  // The stop may come as soon as the word is out.
  let last = systemClock.monotonic();
  writeSync(1, "working\n");
  let away = 0;
  while (away < stopMin) {
    const now = systemClock.monotonic();
    away = now - last;
    last = now;
  }
  const failures = await Promise.all(running);
  writeSync(1, `away ${Math.round(turns.longest / 1e6)}\n`);
  for (const { failure } of failures) writeSync(1, `${JSON.stringify(failure)}\n`);
}

/** For how long at most the thread's loop came to nothing, in nanoseconds. */
function longestTurn(): Disposable & { readonly longest: number } {
  let last = systemClock.monotonic();
  let longest = 0;
  const timer = setInterval(() => {
    const now = systemClock.monotonic();
    longest = Math.max(longest, now - last);
    last = now;
  }, 5);
  return {
    get longest() {
      return longest;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

const [order] = process.argv.slice(2);
if (order !== undefined) await check(JSON.parse(order));
