import * as limits from "#limits/pages-limits";
import { timeMark } from "#web/page/time-mark";
import { html, type Html } from "#web/page/html";
import { nameOfActor } from "#service/operator/changes/actor-name";
import { firstEntry } from "#service/operator/changes/first-entry";
import type { PageRooms } from "#service/operator/page-rooms";
import { alreadyReported } from "#service/operator/publishing/already-reported";
import { reportWords } from "#service/operator/publishing/report-fields";
import { reportStatuses } from "#service/status-page/report-words";
import type { PageContent, ReportRow } from "#service/store/page-store";

/* Of two people who report one outage, the second one learns it before both reports are published. */

/** Which reports were open when the form was, or were shown since: the second press publishes next to these alone. */
export const knownField = "known-reports";

/** For a form that is opened now; one that was sent keeps what it has. */
export async function knownReports(
  { store }: Pick<PageRooms, "store">,
  { page }: PageContent,
  typed: URLSearchParams,
): Promise<string> {
  const sent = typed.get(knownField);
  if (sent !== null) return sent;
  const { reports } = await store.pages.reports.list({
    page: page.id,
    statuses: reportStatuses.filter((one) => one !== "resolved"),
    limit: limits.reportsListed,
    offset: 0,
  });
  return reports.map(({ id }) => id).join(" ");
}

/** A form that is not published yet: what it knows now, and what is said above it. */
export interface StoppedReport {
  readonly typed: URLSearchParams;
  readonly note: Html;
}

/** Null if no one else has reported what the form has ticked since it was opened. */
export async function reportedMeanwhile(
  rooms: Pick<PageRooms, "store" | "clock">,
  content: PageContent,
  typed: URLSearchParams,
): Promise<StoppedReport | null> {
  const sent = typed.get(knownField);
  if (sent === null) return null;
  const known = new Set(sent.split(" "));
  const found = (await alreadyReported(rooms, content, typed)).filter(
    ({ report }) => !known.has(String(report.id)),
  );
  if (found.length === 0) return null;
  const after = new URLSearchParams(typed);
  after.set(knownField, [...known, ...found.map(({ report }) => report.id)].join(" ").trim());
  const lines = await Promise.all(found.map(({ report }) => lineOf(rooms, report)));
  return {
    typed: after,
    note: html`<div class="notice warn" role="alert">
      <p>Not published yet: the same was reported after you opened this form.</p>
      ${lines}
    </div>`,
  };
}

async function lineOf({ store }: Pick<PageRooms, "store">, report: ReportRow): Promise<Html> {
  const { id, title, status, createdAt } = report;
  const entry = await firstEntry(store, { kind: "report", id: String(id) }, createdAt);
  const who = entry === null ? "Someone" : nameOfActor(entry);
  return html`<p>
    ${who} reported <strong>${title}</strong> (${reportWords[status]}) at ${timeMark(createdAt)}.
    <a href="/reports/${id}#next">Add an update to it</a>
  </p>`;
}
