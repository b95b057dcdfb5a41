import * as limits from "#limits/pages-limits";
import { html, type Html } from "#web/page/html";
import { placeList } from "#service/operator/lists/place-list";
import type { PageRooms } from "#service/operator/page-rooms";
import { reportWords } from "#service/operator/publishing/report-fields";
import type { ComponentRow, PageContent, ReportRow } from "#service/store/page-store";

/** An open report that names components which a new one would be about. */
interface NamingReport {
  readonly report: ReportRow;
  readonly components: readonly ComponentRow[];
}

/** The newest open reports about what a form has ticked. */
export async function alreadyReported(
  { store, clock }: Pick<PageRooms, "store" | "clock">,
  { components }: PageContent,
  typed: URLSearchParams,
): Promise<readonly NamingReport[]> {
  const ticked = new Set(typed.getAll("components"));
  const chosen = components.filter(({ id }) => ticked.has(String(id)));
  if (chosen.length === 0) return [];
  const now = clock.wall();
  const ids = chosen.map(({ id }) => id);
  const asked = { components: ids, from: now, until: now, limit: limits.namesShown };
  const found = await store.pages.reports.naming(asked);
  return found
    .filter(({ status }) => status !== "resolved")
    .map((report) => ({
      report,
      components: chosen.filter(({ id }) => report.components.includes(id)),
    }));
}

/** Whoever is about to say the same twice learns it above the form. */
export const alreadyNote = (named: readonly NamingReport[]): Html | null =>
  named.length === 0
    ? null
    : html`<div class="notice warn">
        ${named.map(
          ({ report, components }) =>
            html`<p>
              The open report <a href="/reports/${report.id}#next">${report.title}</a>
              (${reportWords[report.status]}) already names ${namesOf(components)}.
            </p>`,
        )}
        <p>To say more about it, update that report. A further report is shown next to it.</p>
      </div>`;

/** The same in a line, for what is ticked while the form is open. */
export const alreadyLine = (named: readonly NamingReport[]): Html | null =>
  named.length === 0
    ? null
    : html`<p class="help">
        Already in an open report:
        ${named.map(({ report }, place) => html`${place === 0 ? "" : ", "}<a href="/reports/${report.id}#next">${report.title}</a>`)}.
      </p>`;

function namesOf(components: readonly ComponentRow[]): string {
  const shown = components.slice(0, limits.namesShown).map(({ name }) => name);
  const rest = components.length - shown.length;
  return rest === 0 ? placeList(shown) : `${shown.join(", ")} and ${rest} more`;
}
