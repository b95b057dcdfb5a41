import type { KnownPath } from "#check/known-path";
import { kindTable } from "#check/kinds/kind-table";
import type { AgentStatus } from "#agent/agent-status";
import { checkDetail, why } from "#agent/endpoint/check-detail";
import { html, type Html } from "#web/page/html";
import type { MonitorRow } from "#agent/endpoint/overview";
import { remarkList } from "#agent/endpoint/remark-list";
import { englishAxis, latencyChart } from "#web/page/chart/latency-chart";
import { inWords } from "#web/page/sparkline";
import { pathChangeList, pathColumns, pathRows } from "#web/page/path-table";
import { standingWords, verdictMark } from "#web/page/verdict-mark";
import { dayAndTime, isoTime, latencyWords, span, timeOfDay } from "#web/page/format";
import { showHostPort } from "#network/host-port";
import { between, type EpochMillis, millis } from "#base/units";

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
        >${kindTable[kind].label}${name === null ? "" : ` ${target}`}, every ${span(period)}, next
        at
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
              Last check: ${latencyWords(last.latency)}, ${span(between(last.startedAt, now))} ago
            </h2>
            ${checkDetail(last)}
          </section>`
    }
    ${row.recent.length === 0 ? null : recentChecks(row, now)}
    ${row.path === null ? null : pathSection(row.path, now)}`;
}

function pathSection(path: KnownPath, now: EpochMillis): Html {
  const { network, flow, tracedAt } = path;
  const by = { tcp: "connections", udp: "questions", icmp: "echo requests" }[flow.protocol];
  return html`<section aria-labelledby="path">
    <h2 id="path">Path to ${network}, traced ${span(between(tracedAt, now))} ago</h2>
    <p class="words">
      Traced by ${by} to ${showHostPort(flow.address, flow.port)}, whose network shares the path.
    </p>
    <table class="figures path-hops">
      <thead>
        <tr>
          ${pathColumns.map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${pathRows(path, now)}
      </tbody>
    </table>
    ${pathChangeList(path)}
  </section>`;
}

function recentChecks({ recent, period, degradedAt }: MonitorRow, now: EpochMillis): Html {
  const rows = recent.toReversed().map(
    ({ slot, status, latency, uncertain }) =>
      html`<tr>
        <td><time datetime="${isoTime(slot)}">${dayAndTime(slot)}</time></td>
        <td>${standingWords[status]}</td>
        <td>${latencyWords(latency)}</td>
        <td>${uncertain ? "uncertain" : null}</td>
      </tr>`,
  );
  return html`<section aria-labelledby="recent">
    <h2 id="recent">Recent checks</h2>
    ${recentChart({ recent, period, degradedAt }, now)}
    <p class="words">${inWords(recent)}. Times are UTC.</p>
    <details>
      <summary>As figures, the newest first</summary>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Scheduled</th>
            <th scope="col">Verdict</th>
            <th scope="col">Latency</th>
            <th scope="col">Note</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </details>
  </section>`;
}

/** From the oldest check to now, so that a gap is as wide as it was long. */
function recentChart(
  { recent, period, degradedAt }: Pick<MonitorRow, "recent" | "period" | "degradedAt">,
  now: EpochMillis,
): Html {
  const answered = recent.filter(({ status }) => status !== "error");
  return latencyChart({
    span: { from: recent[0]?.slot ?? now, to: now },
    curves: [
      {
        name: "latency",
        values: answered.map(({ slot, latency }) => ({ at: slot, latency })),
        gap: millis(period * 1.5),
      },
    ],
    points: recent.map((point) => ({ ...point, errorBar: millis(0) })),
    echoes: null,
    marks: [],
    failures: [],
    threshold: degradedAt,
    words: inWords(recent),
    axis: englishAxis,
  });
}
