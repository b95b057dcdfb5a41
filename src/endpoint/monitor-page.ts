import type { AgentStatus } from "#agent/agent-status";
import { checkDetail, why } from "#endpoint/check-detail";
import { html, type Html } from "#page/html";
import type { MonitorRow } from "#endpoint/overview";
import { remarkList } from "#endpoint/remark-list";
import { inWords, sparkline } from "#page/sparkline";
import { standingWords, verdictMark } from "#page/verdict-mark";
import { isoTime, span, timeOfDay, wholeMillis } from "#page/format";
import { between, type EpochMillis } from "#units";

/** One monitor: its verdict and why, its last check in full, and those before it. */
export function monitorPage(
  row: MonitorRow,
  remarks: AgentStatus["remarks"],
  now: EpochMillis,
): Html {
  const { id, name, kind, target, standing, last, next, period } = row;
  const wait = between(now, next);
  return html`<p class="back"><a href="/">All monitors</a></p>
    <h1 class="target">${name ?? target}</h1>
    <p class="verdict">
      ${verdictMark(standing)}
      <span class="kind"
        >${kind.toUpperCase()}${name === null ? "" : ` ${target}`}, every ${span(period)}, next at
        <time datetime="${isoTime(next)}">${timeOfDay(next)}</time
        >${wait > 0 ? ` (in ${span(wait)})` : null}</span
      >
    </p>
    <p class="id">Monitor <code>${id}</code></p>
    ${why(last)} ${remarkList(remarks.filter(({ monitorId }) => monitorId === id))}
    ${
      last === null
        ? html`<p class="advice">It has not been checked yet since the agent started.</p>`
        : html`<section aria-labelledby="last">
              <h2 id="last">
                Last check: ${wholeMillis(last.latency)}, ${span(between(last.startedAt, now))} ago
              </h2>
              ${checkDetail(last)}
            </section>
            ${recentChecks(row)}`
    }`;
}

function recentChecks({ recent }: MonitorRow): Html {
  const rows = recent.toReversed().map(
    ({ status, latency }) =>
      html`<tr>
        <td>${standingWords[status]}</td>
        <td>${wholeMillis(latency)}</td>
      </tr>`,
  );
  return html`<section aria-labelledby="recent">
    <h2 id="recent">Recent checks</h2>
    <p class="history wide">${sparkline(recent)}</p>
    <p class="words">${inWords(recent)}, the newest at the right</p>
    <details>
      <summary>As figures, the newest first</summary>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Verdict</th>
            <th scope="col">Latency</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </details>
  </section>`;
}
