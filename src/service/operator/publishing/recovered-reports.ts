import { html, type Html } from "#web/page/html";
import type { PageRooms } from "#service/operator/page-rooms";
import type { KnownReader } from "#service/operator/page-request";
import type { Picture } from "#service/operator/picture";
import { OpenReports } from "#service/operator/publishing/open-reports";
import {
  type RecoveredComponents,
  recoveredComponents,
} from "#service/operator/publishing/recovered-components";
import { nextButton, nextWords, recoveredWords } from "#service/operator/publishing/recovered-note";
import { may } from "#service/operator/roles";
import type { ReportRow } from "#service/store/page-store";

/** Above the monitors: each open report of an outage that is over, for whoever can resolve it. The newest are looked at. */
export async function recoveredReports(
  rooms: Pick<PageRooms, "store" | "clock">,
  { monitors, at }: Picture,
  reader: KnownReader,
): Promise<Html | null> {
  if (!may(reader, "responder")) return null;
  const open = await openReports
    .getOrInsertComputed(rooms.store, () => new OpenReports(rooms))
    .now();
  return html`${open.flatMap(({ report, components }) => {
    const recovered = recoveredComponents(report, components, monitors, at);
    return recovered === null ? [] : [recoveredBox(report, recovered)];
  })}`;
}

/** Of each service that this process runs. */
const openReports = new WeakMap<PageRooms["store"], OpenReports>();

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
