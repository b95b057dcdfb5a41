import { fromBinary } from "@bufbuild/protobuf";
import { KnownPathSchema } from "#contract/private_location/v1/private_location_pb";
import { between, type EpochMillis } from "#base/units";
import type { KnownPath } from "#check/known-path";
import { figureTable } from "#service/edge/figure-table";
import type { LocationId } from "#service/store/ids";
import type { StoredPath } from "#service/store/path-store";
import type { ShownEvidence } from "#service/operator/evidence-facts";
import { span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { pathChangeList, pathColumns, pathRows } from "#web/page/path-table";
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
          ${hopTable(path, nameOf(location), at)} ${pathChangeList(path)}`,
    )}
  </section>`;
}

const hopTable = (path: KnownPath, name: string, at: EpochMillis): Html =>
  figureTable(`Table of the path from ${name}`, pathColumns, pathRows(path, at), ["Router"]);
