import { acknowledgeButton } from "#service/operator/incidents/acknowledge-button";
import { upAgainMark } from "#service/operator/incidents/recovery-words";
import { heldFor } from "#service/operator/monitors/failed-for";
import type { KnownReader } from "#service/operator/page-request";
import type { PicturedMonitor } from "#service/operator/picture";
import { may } from "#service/operator/roles";
import { statusMark } from "#service/operator/status-mark";
import type { EpochMillis } from "#base/units";
import { html, type Html } from "#web/page/html";

export interface LineLook {
  readonly reader: KnownReader;
  /** The page that an act leads back to. */
  readonly back: string;
}

/** A line for each monitor of a cause: its state, name, since when, and what a person does. */
export const causeLines = (
  monitors: readonly PicturedMonitor[],
  at: EpochMillis,
  look: LineLook,
): readonly Html[] =>
  monitors.toSorted(newestFirst).flatMap((monitor) => causeLine(monitor, at, look));

const newestFirst = (a: PicturedMonitor, b: PicturedMonitor): number =>
  (b.incident?.number ?? 0) - (a.incident?.number ?? 0);

export const oneLineList = (lines: readonly Html[]): Html =>
  html`<ul class="one-line">
    ${lines}
  </ul>`;

function causeLine(
  monitor: PicturedMonitor,
  at: EpochMillis,
  { reader, back }: LineLook,
): readonly Html[] {
  const { incident, name, status } = monitor;
  if (incident === null) return [];
  return [
    html`<li>
      ${upAgainMark(monitor) ?? statusMark(status)}
      <a href="/incidents/${incident.number}">${name}</a>
      ${heldFor(incident.since, at)}
      ${
        incident.acknowledged || !may(reader, "responder")
          ? html`<span class="next"
              >${incident.acknowledged ? "acknowledged" : "not acknowledged"}</span
            >`
          : acknowledgeButton({ number: incident.number, name, reader, back })
      }
    </li>`,
  ];
}
