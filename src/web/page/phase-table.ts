import { isUncertain } from "#check/outcome";
import {
  type MeasuredTime,
  type PhaseFigure,
  type PhaseFigures,
  phaseFigures,
} from "#web/page/phase-figures";
import { html, type Html } from "#web/page/html";
import type { Nanos } from "#base/units";

/** Where the time of a check went, and how far it may be off. */
export interface CheckTimes extends MeasuredTime {
  readonly errorBar: Nanos;
  /** How far the agent's own work, and the total with it, may be off beyond that. */
  readonly ownErrorBar: Nanos;
  /** What connecting is, if that is not to connect: a ping's round trip. */
  readonly connecting?: string;
  /** The phase that failed; null of a check that passed. */
  readonly failure: { readonly phase: string } | null;
}

/** A row for each phase that happened: a bar where it lay in the whole, how long, and its share. The rows sum to the total. */
export function phaseTable(check: CheckTimes): Html | null {
  if (check.total === 0) return null;
  const { parts, whole, total, bound } = phaseFigures(check);
  const failed = check.failure?.phase ?? null;
  return html`<table class="phases">
      <caption>
        Where the time went
      </caption>
      <thead>
        <tr>
          <th scope="col">Phase</th>
          <th scope="col" class="bar">When</th>
          <th scope="col">Time</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        ${parts.map((part) => phaseRow(part, whole, part.name === failed, check.connecting))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">total</th>
          <td class="bar"></td>
          <td>${total}</td>
          <td>100${"\u00a0"}%</td>
        </tr>
      </tfoot>
    </table>
    <p class="phase-notes">
      ${parts.flatMap(({ name }) => partNotes[name] ?? [])} ${errorWords(check, bound)}
    </p>
    ${isUncertain(check) ? doubt : null}`;
}

/** How far the figures may be off; nothing if the agent does not say. */
function errorWords({ errorBar, ownErrorBar }: CheckTimes, bound: PhaseFigures["bound"]): string {
  const each = errorBar === 0 ? [] : [`Each time may be off by ${bound(errorBar)}.`];
  const own =
    ownErrorBar === 0 ? [] : [`agent and the total may be off by ${bound(ownErrorBar)} more.`];
  return [...each, ...own].join(" ");
}

const partNotes: Partial<Readonly<Record<PhaseFigure["name"], Html>>> = {
  own: html`agent is its own work between packets, which is not in the latency. `,
  other: html`other is the time that is in no phase. `,
};

/** A cross and a word, so that it needs no colour. */
const failedMark = html` <span class="failed"
  ><svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
    <path d="M2.500 2.500l7 7M9.500 2.500l-7 7" /></svg
  >failed</span
>`;

const doubt = html`<p class="doubt">
  This machine was too busy to be sure of these times. That it passed or failed is certain. It is
  called degraded only if it is over the threshold by more than that.
</p>`;

function phaseRow(
  part: PhaseFigure,
  whole: Nanos,
  failed: boolean,
  connecting: string = "connect",
): Html {
  const words: Partial<Record<PhaseFigure["name"], string>> = { connect: connecting, own: "agent" };
  return html`<tr class="${failed ? "failing" : "passed"}">
    <th scope="row">${words[part.name] ?? part.name}${failed ? failedMark : null}</th>
    <td class="bar">${phaseBar(part, whole, failed)}</td>
    <td>${part.time}</td>
    <td>${part.share}</td>
  </tr>`;
}

const barWidth = 200;

/** Its figures stand next to it, so it is hidden from those who hear the page. */
function phaseBar({ name, before, elapsed }: PhaseFigure, whole: Nanos, failed: boolean): Html {
  const x = Math.min(barWidth - 2, (before / whole) * barWidth);
  const width = Math.max(2, (elapsed / whole) * barWidth);
  return html`<svg viewBox="0 0 ${barWidth} 10" preserveAspectRatio="none" aria-hidden="true">
    <rect
      class="${failed ? "failed" : `phase ${name}`}"
      x="${x.toFixed(1)}"
      y="0"
      width="${width.toFixed(1)}"
      height="10"
    />
  </svg>`;
}
