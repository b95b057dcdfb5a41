import { fromBinary } from "@bufbuild/protobuf";
import { KnownPathSchema } from "#contract/private_location/v1/private_location_pb";
import { between, type EpochMillis } from "#base/units";
import { roundTripWords } from "#check/evidence-words";
import type { KnownPath } from "#check/known-path";
import { changeWords, hopWords } from "#check/path-words";
import { figureTable } from "#service/edge/figure-table";
import type { LocationId } from "#service/store/ids";
import type { StoredPath } from "#service/store/path-store";
import type { ShownEvidence } from "#service/operator/evidence-facts";
import { dayAndTime, isoTime, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { readPath } from "#wire/read-path";
import { pathWithoutAddresses } from "#wire/write-path";

/** The path to a monitor's target from one location. */
interface LocatedPath {
  readonly location: LocationId;
  readonly path: KnownPath;
}

/** The paths that can be shown; readers who may only read see no address of the inside of a network. */
export const shownPaths = (
  stored: readonly StoredPath[],
  shown: ShownEvidence,
): readonly LocatedPath[] =>
  stored.flatMap(({ location, path: bytes }) => {
    const path = readPath(fromBinary(KnownPathSchema, bytes));
    if (path === null) return [];
    return [{ location, path: shown === "whole" ? path : pathWithoutAddresses(path) }];
  });

/** The path today and what changed of it, from each location; nothing if no agent traces it. */
export function pathView(
  paths: readonly LocatedPath[],
  nameOf: (location: LocationId) => string,
  at: EpochMillis,
): Html | null {
  if (paths.length === 0) return null;
  return html`<section aria-labelledby="paths">
    <h2 id="paths">Path to the target</h2>
    ${paths.map(
      ({ location, path }) =>
        html`<h3>From ${nameOf(location)}, traced ${span(between(path.tracedAt, at))} ago</h3>
          ${hopTable(path, nameOf(location), at)} ${changeList(path)}`,
    )}
  </section>`;
}

function hopTable(path: KnownPath, name: string, at: EpochMillis): Html {
  const last = path.length === null ? (path.hops.at(-1)?.ttl ?? 0) : path.length - 1;
  const rows = Array.from({ length: last }, (_, index) => {
    const hop = path.hops.find(({ ttl }) => ttl === index + 1);
    return html`<tr>
      <th scope="row">${index + 1}</th>
      <td>${hop === undefined ? "does not answer" : hopWords(hop)}</td>
      <td>${hop === undefined ? null : roundTripWords(hop.roundTrip).replace(" in ", "")}</td>
      <td>${hop === undefined ? null : `${span(between(hop.seenAt, at))} ago`}</td>
    </tr>`;
  });
  const end = html`<tr>
    <th scope="row">${path.length ?? last + 1}</th>
    <td>${path.length === null ? "the target, which does not answer traces" : "the target"}</td>
    <td></td>
    <td></td>
  </tr>`;
  const columns = ["Hop", "Router", "Round trip", "Last answer"];
  return figureTable(`Table of the path from ${name}`, columns, [...rows, end], ["Router"]);
}

function changeList({ changes }: KnownPath): Html {
  if (changes.length === 0) return html`<p>No change of this path was seen.</p>`;
  return html`<ul class="path-changes" aria-label="Changes of the path">
    ${changes.map(
      (change) =>
        html`<li>
          <time datetime="${isoTime(change.at)}">${dayAndTime(change.at)}</time>:
          ${changeWords(change)}
        </li>`,
    )}
  </ul>`;
}
