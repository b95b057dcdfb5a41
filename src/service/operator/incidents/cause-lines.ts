import { isRecovering, waitingMark } from "#service/operator/incidents/recovery-words";
import { heldFor, troubledSince } from "#service/operator/monitors/failed-for";
import type { PicturedMonitor } from "#service/operator/picture";
import { statusMark } from "#service/operator/status-mark";
import type { EpochMillis } from "#base/units";
import { html, type Html } from "#web/page/html";

/**
 * A line for each monitor of a cause: its state, name, since when it fails or recovers, and whether a person looks at it. One button above
 * them acknowledges all, and the page of each incident has its own.
 */
export const causeLines = (
  monitors: readonly PicturedMonitor[],
  at: EpochMillis,
): readonly Html[] => monitors.flatMap((monitor) => causeLine(monitor, at));

export const oneLineList = (lines: readonly Html[]): Html =>
  html`<ul class="one-line">
    ${lines}
  </ul>`;

function causeLine(monitor: PicturedMonitor, at: EpochMillis): readonly Html[] {
  const { incident, name, status } = monitor;
  if (incident === null) return [];
  return [
    html`<li>
      ${waitingMark(monitor) ?? statusMark(status)}
      <a href="/incidents/${incident.number}">${name}</a>
      ${heldFor(isRecovering(monitor) ? monitor.since : troubledSince(monitor), at)}
      <span class="next">${incident.acknowledged ? "acknowledged" : "not acknowledged"}</span>
    </li>`,
  ];
}
