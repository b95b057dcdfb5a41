import type { Clock } from "#base/clock";
import { type Nanos, nanos, nanosToMillis } from "#base/units";
import * as limits from "#limits/report-limits";
import { FairTurns } from "#service/edge/turns";
import type { UptimeReport } from "#service/operator/reports/uptime-report";
import type { Store } from "#service/store/store";

interface KeptRooms {
  readonly store: Pick<Store, "onChange">;
  readonly clock: Pick<Clock, "monotonic">;
}

interface KeptReport {
  readonly at: Nanos;
  readonly report: Promise<UptimeReport>;
}

/**
 * Reports that were made some seconds ago: a month of a thousand monitors is made of thirty thousand days, and whoever
 * looks again, or takes the file, waits once. After a change of any object, on whatever replica, each is made anew: it has
 * objectives, names and labels.
 */
export class KeptReports {
  readonly #clock: KeptRooms["clock"];
  /** By what was asked, the oldest first. */
  readonly #reports = new Map<string, KeptReport>();
  readonly #turns = new FairTurns<string>(limits.reportsBegunMax);

  constructor({ store, clock }: KeptRooms) {
    this.#clock = clock;
    store.onChange((change) => {
      // Which monitors a status page shows is said as a change of pages, too.
      if (change === "objects" || change === "pages") this.#reports.clear();
    });
  }

  /** The one that is kept under the key, or the one that is made now. */
  get(key: string, make: () => Promise<UptimeReport>): Promise<UptimeReport> {
    const reports = this.#reports;
    const now = this.#clock.monotonic();
    const known = reports.get(key);
    if (known !== undefined && nanosToMillis(nanos(now - known.at)) < limits.reportFreshFor)
      return known.report;
    reports.delete(key);
    const [oldest] = reports.keys();
    if (oldest !== undefined && reports.size >= limits.reportsKeptMax) reports.delete(oldest);
    const begun = { at: now, report: this.#turns.take(key, make) };
    reports.set(key, begun);
    begun.report.catch(() => {
      if (reports.get(key) === begun) reports.delete(key);
    });
    return begun.report;
  }
}
