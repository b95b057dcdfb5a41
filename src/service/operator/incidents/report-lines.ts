import { isoTime, nearTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import {
  type IncidentReport,
  openReportOn,
  type ReportedIncident,
} from "#service/operator/incidents/incident-reports";
import type { IncidentStory } from "#service/operator/incidents/incident-story";
import type { KnownReader } from "#service/operator/page-request";
import { recipientWords } from "#service/operator/publishing/recipient-lines";
import { reportMark } from "#service/operator/publishing/report-views";
import { may } from "#service/operator/roles";
import type { StatusPageRow } from "#service/store/page-store";
import type { EpochMillis } from "#base/units";

/** What is said about it on status pages; null if nothing is. */
export function reportsSection(
  story: IncidentStory,
  reader: KnownReader,
  at: EpochMillis,
): Html | null {
  const { reports, pages, incident, trash } = story;
  if (reports.length === 0) return null;
  const isOpen = incident.ended === null && trash === null;
  const reported = pages.filter((page) => openReportOn(story, page) !== null);
  return html`<section aria-labelledby="reports">
    <h2 id="reports">Reports on status pages</h2>
    <ul class="messages reported">
      ${reports.map((one) => reportLine(one, at))}
    </ul>
    ${
      !isOpen || reported.length === 0 || !may(reader, "responder")
        ? null
        : html`<div class="acts">
            ${reported.map((page) => html`<a class="button small" href="${newReportPath(story, page)}">Write another report${onPage(story, page)}</a> `)}
          </div>`
    }
  </section>`;
}

const reportLine = ({ report, page, sent }: IncidentReport, at: EpochMillis): Html => {
  const said = report.updates[0]?.at ?? report.createdAt;
  return html`<li>
    ${reportMark(report)}
    <h3><a href="/reports/${report.id}">${report.title}</a></h3>
    <p class="kind">
      On <a href="/status-pages/${page.id}">${page.definition.title}</a>, last update
      <time datetime="${isoTime(said)}">${nearTime(said, at)}</time
      >${sent === null ? null : html`. Subscribers: ${recipientWords(sent, at)}`}
    </p>
  </li>`;
};

/** Each page's act: to its open report, or else to a new one that is filled in as far as it can be. */
export const reportLinks = (story: IncidentStory, look: string): readonly Html[] =>
  story.pages.map((page) => {
    const open = openReportOn(story, page);
    const [to, words] =
      open === null
        ? [newReportPath(story, page), `Report on ${page.definition.title}`]
        : [`/reports/${open.id}#next`, `Update the report${onPage(story, page)}`];
    return html`<a class="button ${look}" href="${to}">${words}</a> `;
  });

/** The same in one word, of an incident on one page; null of any other. */
export function shortReportLink(story: IncidentStory, look: string): Html | null {
  const [page, ...others] = story.pages;
  if (page === undefined || others.length > 0) return null;
  const open = openReportOn(story, page);
  return open === null
    ? html`<a class="button ${look}" href="${newReportPath(story, page)}"
        >Report<span class="unseen"> on ${page.definition.title}</span></a
      >`
    : html`<a class="button ${look}" href="/reports/${open.id}#next" aria-label="Update the report"
        >Report</a
      >`;
}

const newReportPath = ({ incident }: IncidentStory, { id }: StatusPageRow): string =>
  `/status-pages/${id}/reports/new?incident=${incident.number}`;

/** Of one page it is clear which. */
const onPage = (
  { pages }: Pick<ReportedIncident, "pages">,
  { definition }: StatusPageRow,
): string => (pages.length > 1 ? ` on ${definition.title}` : "");
