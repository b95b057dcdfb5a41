import type { LastCheck } from "#endpoint/history";
import { html, type Html } from "#page/html";
import { fineMillis, isoTime, timeOfDay } from "#page/format";
import { type Failure, failureCodes } from "#check/failure";
import { isUncertain, phaseNames } from "#check/outcome";
import type { Nanos } from "#units";

/** Everything that is known of a monitor's last check: why it failed, where the time went, what was seen. */
export function checkDetail(check: LastCheck): Html {
  const { failure, slot, startedAt, attempts } = check;
  const tries =
    attempts > 1
      ? html`<dt>Attempts</dt>
          <dd>${attempts}, the last one is shown</dd>`
      : null;
  const facts = check.facts.map(
    ({ label, value }) =>
      html`<dt>${label}</dt>
        <dd>${value}</dd>`,
  );
  return html` ${failure === null ? null : reason(failure)} ${phaseTable(check)}
    <dl class="facts">
      <dt>Started</dt>
      <dd>
        <time datetime="${isoTime(startedAt)}">${timeOfDay(startedAt)}</time>, for the slot of
        <time datetime="${isoTime(slot)}">${timeOfDay(slot)}</time>
      </dd>
      ${tries}${facts}
    </dl>`;
}

/** Why it failed, where it did, and what else is to be known of it: a sentence each. */
export const why = (last: LastCheck | null): readonly Html[] =>
  last === null
    ? []
    : [...(last.failure === null ? [] : [last.failure.message]), ...last.remarks].map(
        (sentence) => html`<p class="why">${sentence}</p>`,
      );

/** The code and the phase for who looks them up, and what the code means in general. */
const reason = ({ code, phase }: Failure): Html =>
  html`<p class="code">
    <code>${code}</code> in phase <code>${phase}</code>: ${failureCodes[code]}.
  </p>`;

/** A row for each phase that happened: how long, its share, and a bar where it lay in the whole. */
function phaseTable(check: LastCheck): Html | null {
  const { phases, own, total, errorBar, failure } = check;
  if (total === 0) return null;
  let before = 0;
  const rows = phaseNames.flatMap((name) => {
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
  const doubt = isUncertain(check)
    ? html`<p class="doubt">
        This machine was too busy to be sure of these times. That it passed or failed holds. It is
        called degraded only where it is over the threshold by more than the error bar.
      </p>`
    : null;
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
        ${rows}
      </tbody>
      <tfoot>
        ${own === null ? null : ownRow(own, total)}
        <tr>
          <th scope="row">total</th>
          <td>${fineMillis(total)}</td>
          <td colspan="2" class="error-bar">± ${fineMillis(errorBar)}</td>
        </tr>
      </tfoot>
    </table>
    ${doubt}`;
}

const ownRow = (own: Nanos, total: Nanos): Html =>
  html`<tr>
    <th scope="row">own</th>
    <td>${fineMillis(own)}</td>
    <td>${share(own, total)}</td>
    <td class="bar">the agent's work between packets, not in the latency</td>
  </tr>`;

const share = (elapsed: Nanos, total: Nanos): string => `${Math.round((elapsed / total) * 100)} %`;

const barWidth = 200;

/** Its figures stand beside it, so it is hidden from those who hear the page. */
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
