import { figureTable } from "#service/edge/figure-table";
import { grouped, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { filesChip } from "#service/operator/managed-note";
import type { PicturedLocation } from "#service/operator/picture";
import { locationMark } from "#service/operator/status-mark";
import { between, type EpochMillis } from "#base/units";

/** A line for each location: whether its agents call, and how many monitors they run. */
export function locationSection(
  locations: readonly PicturedLocation[],
  at: EpochMillis,
): Html | null {
  if (locations.length === 0) return null;
  const rows = locations.map(
    ({ id, name, state, lastSeenAt, monitors, owner }) =>
      html`<tr>
        <th scope="row"><a href="/locations/${id}">${name}</a>${filesChip(owner)}</th>
        <td>${locationMark(state)}</td>
        <td>${lastSeenAt === null ? "never" : `${span(between(lastSeenAt, at))} ago`}</td>
        <td>${grouped(monitors)}</td>
      </tr>`,
  );
  return html`<section aria-labelledby="locations">
    <h2 id="locations">Locations</h2>
    ${figureTable("Table of locations", ["Location", "Agents", "Last seen", "Monitors"], rows, ["Agents"])}
  </section>`;
}
