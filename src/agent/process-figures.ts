import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import type { Scope } from "#metrics/store";

export interface ProcessFigures extends Disposable {
  /** Sets nodejs.* and process.*; those of the event loop are since the call before. */
  observe(scope: Scope): void;
}

/** Watches the main thread's event loop and the process; times of the loop are sampled every 10 ms. */
export function startProcessFigures(): ProcessFigures {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  let before = performance.eventLoopUtilization();
  return {
    observe: (scope) => {
      // Without a sample there is nothing to tell: the percentiles of none are no numbers.
      if (delays.count > 0) {
        scope.set("nodejs.eventloop.delay.p50", delays.percentile(50) / 1e9);
        scope.set("nodejs.eventloop.delay.p99", delays.percentile(99) / 1e9);
        scope.set("nodejs.eventloop.delay.max", delays.max / 1e9);
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
