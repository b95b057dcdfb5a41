import { figureTile } from "#service/edge/figure-tile";
import { periodWhen, type ReportPeriod } from "#service/operator/reports/report-period";
import type { ReportOutage } from "#service/operator/reports/report-outages";
import { reportTotal } from "#service/operator/reports/report-total";
import { changeWords, uptimeChange } from "#service/operator/reports/uptime-change";
import type { ReportRow } from "#service/operator/reports/uptime-report";
import * as limits from "#limits/report-limits";
import { capital } from "#base/text";
import { uptimeWords } from "#web/page/chart/calendar";
import { counted, downtimeOf, grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { EpochMillis } from "#base/units";

interface SummedReport {
  readonly period: ReportPeriod;
  readonly rows: readonly ReportRow[];
  readonly outages: readonly ReportOutage[];
}

/** The period in a paragraph that can be sent as it is, and in a few figures: of all monitors together, by the time that each was seen. */
export function reportSummary({ rows, period, outages }: SummedReport): Html {
  const all = reportTotal(rows);
  const well = rows.filter((row) => row.uptime !== null && row.down === 0).length;
  const unseen = rows.filter(({ uptime }) => uptime === null).length;
  const slow = onlySlow(rows);
  const [longest] = outages;
  const name = rows.find(({ id }) => id === longest?.monitor)?.name ?? "";
  const whose = longest?.to === null ? `${name}, still down` : name;
  return html`<p class="summary">${summaryWords(rows, period)}</p>
    <dl class="tiles">
      ${figureTile("Uptime of all", uptimeWords(all.known, all.down) ?? "–", changeWords(uptimeChange(all), period))}
      ${figureTile("Never down", grouped(well), `of ${counted(rows.length, "monitor")}`)}
      ${figureTile("Down in all", all.down === 0 ? "–" : downtimeOf(all.down))}
      ${figureTile("Incidents", grouped(all.incidents), slow === 0 ? "" : `${grouped(slow)} only slow`)}
      ${longest === undefined ? null : figureTile("Longest outage", downtimeOf(longest.lasted), whose)}
      ${unseen === 0 ? null : figureTile("Without data", grouped(unseen))}
    </dl>`;
}

/** How many incidents were never down: all are counted, and these are named apart. */
const onlySlow = (rows: readonly ReportRow[]): number =>
  rows.reduce((sum, row) => sum + row.incidents - row.downIncidents, 0);

/** Since when there is data, if the first monitor of all was made in the period; else null. */
export const firstSince = (rows: readonly ReportRow[]): EpochMillis | null =>
  rows.reduce<EpochMillis | null>(
    (first, { since }) => (first === null || since === null || since > first ? first : since),
    rows.some(({ since }) => since === null) ? null : (rows[0]?.since ?? null),
  );

/** Days that are named up to today are all there is of them; a month, or days up to a later one, is cut by now. */
const isCut = ({ hasEnded, name, to }: ReportPeriod): boolean =>
  !hasEnded && !name.endsWith(`/${new Date(to).toISOString().slice(0, 10)}`);

/** `In November 2026, 12 monitors were up 99.87 % of the time. 5 were down, for 7 h 20 min in all; …` */
export function summaryWords(rows: readonly ReportRow[], period: ReportPeriod): string {
  const all = reportTotal(rows);
  const uptime = uptimeWords(all.known, all.down);
  const when = `${capital(periodWhen(period))}${isCut(period) ? " so far" : ""}`;
  if (uptime === null) return `${when}, no check gave a result.`;
  const seen = rows.filter((row) => row.uptime !== null);
  const down = seen.filter((row) => row.down > 0);
  const were = seen.length === 1 ? "was" : "were";
  const first = `${when}, ${counted(seen.length, "monitor")} ${were} up ${uptime} of the time.`;
  if (down.length === 0) return `${first} None was down.`;
  const worst = down
    .toSorted((a, b) => (a.uptime ?? 0) - (b.uptime ?? 0))
    .slice(0, limits.reportWorstNamed)
    .map((row) => `${row.name} (${uptimeWords(row.known, row.down) ?? ""})`);
  const slow = onlySlow(rows);
  const ofSlow = slow === 0 ? "" : `, ${grouped(slow)} only slow`;
  const how = all.incidents === 0 ? "" : `, with ${counted(all.incidents, "incident")}${ofSlow}`;
  const number = `${grouped(down.length)} ${down.length === 1 ? "was" : "were"} down, for ${downtimeOf(all.down)} in all${how}.`;
  return `${first} ${number} The lowest: ${worst.join(", ")}.`;
}
