import type { Clock } from "#base/clock";
import { HeldReports } from "#agent/spool/held-reports";
import type { Spool, SpoolLimits } from "#agent/spool/spool";
import { SpoolTally } from "#agent/spool/spool-tally";

/** A spool that lives and dies with the process. */
export function memorySpool(clock: Clock, limits: SpoolLimits): Spool {
  const held = new HeldReports();
  const tally = new SpoolTally();
  return {
    add: (report) => {
      if (held.add(report)) tally.came(report.monitorId);
    },
    waiting: tally.waiting,
    oldestOf: (monitorId, max) => held.oldestOf(monitorId, max),
    settle: (ids) => {
      for (const id of ids) {
        const report = held.remove(id);
        if (report !== null) tally.left(report.monitorId);
      }
    },
    save: () => held.shed(limits, clock.wall(), tally),
    get size() {
      return tally.size;
    },
    get oldestSlot() {
      return held.first?.slot ?? null;
    },
    get givenUp() {
      return tally.givenUp;
    },
    durable: false,
    [Symbol.dispose]: () => {},
  };
}
