import type { Clock } from "#base/clock";
import { type Nanos, nanos, nanosToMillis } from "#base/units";
import * as limits from "#limits/pages-limits";
import { reportStatuses } from "#service/status-page/report-words";
import type { ComponentRow, ReportRow } from "#service/store/page-store";
import type { Store } from "#service/store/store";

interface ReadRooms {
  readonly store: Pick<Store, "pages" | "onChange">;
  readonly clock: Pick<Clock, "monotonic">;
}

/** A report that is not resolved, and what its page shows. */
interface OpenReport {
  readonly report: ReportRow;
  readonly components: readonly ComponentRow[];
}

/** The newest reports that are not resolved: read once for all who look, until something of a status page changes. */
export class OpenReports {
  readonly #rooms: ReadRooms;
  #kept: { readonly at: Nanos; readonly read: Promise<readonly OpenReport[]> } | null = null;

  constructor(rooms: ReadRooms) {
    this.#rooms = rooms;
    rooms.store.onChange((change) => {
      if (change === "pages" || change === "objects") this.#kept = null;
    });
  }

  now(): Promise<readonly OpenReport[]> {
    const at = this.#rooms.clock.monotonic();
    const kept = this.#kept;
    if (kept !== null && nanosToMillis(nanos(at - kept.at)) < limits.pictureShownFor)
      return kept.read;
    const taken = { at, read: this.#read() };
    this.#kept = taken;
    taken.read.catch(() => {
      if (this.#kept === taken) this.#kept = null;
    });
    return taken.read;
  }

  async #read(): Promise<readonly OpenReport[]> {
    const { reports: asked, pages } = this.#rooms.store.pages;
    const { reports } = await asked.list({
      page: null,
      statuses: reportStatuses.filter((one) => one !== "resolved"),
      limit: limits.reportsListed,
      offset: 0,
    });
    const ids = [...new Set(reports.map(({ page }) => page))];
    const contents = await Promise.all(ids.map((id) => pages.content(id)));
    const components = Map.groupBy(
      contents.flatMap((content) => content?.components ?? []),
      ({ page }) => page,
    );
    return reports.map((report) => ({ report, components: components.get(report.page) ?? [] }));
  }
}
