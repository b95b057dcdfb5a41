import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import * as limits from "#limits/agent-limits";
import type { Scope } from "#metrics/scope";

interface ProcessFigures extends Disposable {
  /** Sets nodejs.* and process.*; those of the event loop are since the call before. */
  observe(scope: Scope): void;
}

/** Watches the main thread's event loop and the process. */
export function startProcessFigures(): ProcessFigures {
  const every = limits.eventLoopLookEvery;
  const delays = monitorEventLoopDelay({ resolution: every });
  // The runtime says how far its samples lie apart: what is over the pause between them is the delay, in nanoseconds.
  const delay = (apart: number): number => Math.max(0, apart / 1e9 - every / 1e3);
  delays.enable();
  let before = performance.eventLoopUtilization();
  return {
    observe: (scope) => {
      // Without a sample there is nothing to tell: the percentiles of none are no numbers.
      if (delays.count > 0) {
        scope.set("nodejs.eventloop.delay.p50", delay(delays.percentile(50)));
        scope.set("nodejs.eventloop.delay.p99", delay(delays.percentile(99)));
        scope.set("nodejs.eventloop.delay.max", delay(delays.max));
        delays.reset();
      }
      const now = performance.eventLoopUtilization();
      scope.set(
        "nodejs.eventloop.utilization",
        performance.eventLoopUtilization(now, before).utilization,
      );
      before = now;
      const { user, system } = process.cpuUsage();
      scope.set("process.cpu.time", user / 1e6, { "cpu.mode": "user" });
      scope.set("process.cpu.time", system / 1e6, { "cpu.mode": "system" });
      scope.set("process.memory.usage", process.memoryUsage.rss());
      scope.set("process.uptime", process.uptime());
    },
    [Symbol.dispose]: () => delays.disable(),
  };
}
