import type { ReportOutage } from "#service/operator/reports/report-outages";
import type { UptimeReport } from "#service/operator/reports/uptime-report";
import { dayAndMinute, downtimeOf, isoTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { EpochMillis } from "#base/units";

/** What the period is remembered for. */
export function outageSection({
  outages,
  rows,
}: Pick<UptimeReport, "outages" | "rows">): Html | null {
  if (outages.length === 0) return null;
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return html`<section aria-labelledby="outages">
    <h2 id="outages">Longest outages</h2>
    <ol class="remarks card">
      ${outages.map(
        (outage) =>
          html`<li>
            <a href="/monitors/${outage.monitor}">${names.get(outage.monitor) ?? ""}</a>
            ${outageWords(outage)} (<a href="/incidents/${outage.number}"
              >incident ${outage.number}</a
            >).
          </li>`,
      )}
    </ol>
    <p class="words">
      Each length is by the checks that failed, as in the table. Time in which checks passed or were
      slow is not part of it.
    </p>
  </section>`;
}

/** `was down for 4 min, between 3 Nov, 10:00 UTC and 3 Nov, 10:04 UTC`, or `has been down for 4 min, since …`. */
function outageWords({ from, to, lasted }: ReportOutage): Html {
  const time = (at: EpochMillis): Html =>
    html`<time datetime="${isoTime(at)}">${dayAndMinute(at)}</time>`;
  return to === null
    ? html`has been down for ${downtimeOf(lasted)}, since ${time(from)}`
    : html`was down for ${downtimeOf(lasted)}, between ${time(from)} and ${time(to)}`;
}
