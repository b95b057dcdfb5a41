import { isUncertain, phaseNames, type Phases } from "#check/outcome";
import { fineMillis } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { Nanos } from "#base/units";

/** Where the time of a check went, and how far it may be off. */
export interface CheckTimes {
  readonly phases: Phases;
  /** The agent's own work between packets, which is not in the latency; null if it is not known. */
  readonly own: Nanos | null;
  readonly total: Nanos;
  readonly errorBar: Nanos;
  /** How far the agent's own work, and the total with it, may be off beyond that. */
  readonly ownErrorBar: Nanos;
  /** The phase that failed; null of a check that passed. */
  readonly failure: { readonly phase: string } | null;
}

/** A row for each phase that happened: how long, its share, and a bar where it lay in the whole. */
export function phaseTable(check: CheckTimes): Html | null {
  const { own, total, errorBar, ownErrorBar } = check;
  if (total === 0) return null;
  return html`<table class="phases">
      <caption>
        Where the time went
      </caption>
      <thead>
        <tr>
          <th scope="col">Phase</th>
          <th scope="col">Time</th>
          <th scope="col">Share</th>
          <th scope="col" class="bar">When</th>
        </tr>
      </thead>
      <tbody>
        ${phaseRows(check)}
      </tbody>
      <tfoot>
        ${own === null ? null : ownRow(own, ownErrorBar, total)}
        <tr>
          <th scope="row">total</th>
          <td>${fineMillis(total)}</td>
          <td colspan="2"></td>
        </tr>
        <tr>
          <th scope="row">error bar</th>
          <td>± ${fineMillis(errorBar)}</td>
          <td colspan="2" class="error-bar">how far a phase, or the latency, may be off</td>
        </tr>
      </tfoot>
    </table>
    ${isUncertain(check) ? doubt : null}`;
}

const doubt = html`<p class="doubt">
  This machine was too busy to be sure of these times. That it passed or failed is certain. It is
  called degraded only if it is over the threshold by more than the error bar.
</p>`;

function phaseRows({ phases, total, failure }: CheckTimes): readonly Html[] {
  let before = 0;
  return phaseNames.flatMap((name) => {
    const elapsed = phases[name];
    if (elapsed === null) return [];
    const failed = failure?.phase === name;
    const row = html`<tr>
      <th scope="row">${name}${failed ? html` <span class="failed">failed here</span>` : null}</th>
      <td>${fineMillis(elapsed)}</td>
      <td>${share(elapsed, total)}</td>
      <td class="bar">${phaseBar(before, elapsed, total, failed)}</td>
    </tr>`;
    before += elapsed;
    return [row];
  });
}

const ownRow = (own: Nanos, errorBar: Nanos, total: Nanos): Html =>
  html`<tr>
    <th scope="row">own</th>
    <td>${fineMillis(own)}${errorBar === 0 ? null : ` ± ${fineMillis(errorBar)}`}</td>
    <td>${share(own, total)}</td>
    <td class="bar">the agent's work between packets, not in the latency</td>
  </tr>`;

const share = (elapsed: Nanos, total: Nanos): string => `${Math.round((elapsed / total) * 100)} %`;

const barWidth = 200;

/** Its figures stand next to it, so it is hidden from those who hear the page. */
function phaseBar(before: number, elapsed: Nanos, total: Nanos, failed: boolean): Html {
  const x = Math.min(barWidth - 2, (before / total) * barWidth);
  const width = Math.max(2, (elapsed / total) * barWidth);
  return html`<svg viewBox="0 0 ${barWidth} 10" preserveAspectRatio="none" aria-hidden="true">
    <rect
      class="${failed ? "failed" : "took"}"
      x="${x.toFixed(1)}"
      y="0"
      width="${width.toFixed(1)}"
      height="10"
    />
  </svg>`;
}
