import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import type { PageRooms } from "#service/operator/page-rooms";
import type { KnownReader } from "#service/operator/page-request";
import type { Picture } from "#service/operator/picture";
import {
  type RecoveredComponents,
  recoveredComponents,
} from "#service/operator/publishing/recovered-components";
import { nextButton, nextWords, recoveredWords } from "#service/operator/publishing/recovered-note";
import { may } from "#service/operator/roles";
import { reportStatuses } from "#service/status-page/report-words";
import type { ReportRow } from "#service/store/page-store";

/** Above the monitors: each open report of an outage that is over, for whoever can resolve it. The newest are looked at. */
export async function recoveredReports(
  rooms: PageRooms,
  { monitors, at }: Picture,
  reader: KnownReader,
): Promise<Html | null> {
  if (!may(reader, "responder")) return null;
  const { reports } = await rooms.store.pages.reports.list({
    page: null,
    statuses: reportStatuses.filter((one) => one !== "resolved"),
    limit: limits.reportsListed,
    offset: 0,
  });
  const pages = [...new Set(reports.map(({ page }) => page))];
  const contents = await Promise.all(pages.map((page) => rooms.store.pages.pages.content(page)));
  const components = Map.groupBy(
    contents.flatMap((content) => content?.components ?? []),
    ({ page }) => page,
  );
  return html`${reports.flatMap((report) => {
    const recovered = recoveredComponents(report, components.get(report.page) ?? [], monitors, at);
    return recovered === null ? [] : [recoveredBox(report, recovered)];
  })}`;
}

const recoveredBox = (report: ReportRow, recovered: RecoveredComponents): Html =>
  html`<div class="trouble degraded with-act" role="status">
    <div>
      <p class="why">
        The report <a href="/reports/${report.id}">${report.title}</a> is still open
      </p>
      <p>${recoveredWords(recovered)}. ${nextWords(recovered)}</p>
    </div>
    ${nextButton(report, recovered, "")}
  </div>`;
