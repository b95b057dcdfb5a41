import { impactNow } from "#service/status-page/impact-spans";
import type { PicturedMonitor } from "#service/operator/picture";
import type { ComponentRow, ReportRow } from "#service/store/page-store";
import { epochMillis, type EpochMillis } from "#base/units";

/** Components that an open report still calls impaired, although their monitors passed again after it said so. */
export interface RecoveredComponents {
  /** In the order of the page; at least one. */
  readonly components: readonly ComponentRow[];
  /** Since when all of their monitors pass. */
  readonly since: EpochMillis;
  /** Whether the report calls no other component impaired. */
  readonly isAll: boolean;
}

/**
 * What people report of a component counts before what its monitor says, so a person must take it back. Null if nothing is
 * to be taken back.
 */
export function recoveredComponents(
  report: ReportRow,
  components: readonly ComponentRow[],
  monitors: readonly PicturedMonitor[],
  now: EpochMillis,
): RecoveredComponents | null {
  const impaired = components.filter(({ id }) => isImpaired(report, id, now));
  const checked = new Set<number | null>(impaired.map(({ monitor }) => monitor));
  const since = new Map(
    monitors.filter(({ id }) => checked.has(id)).flatMap((one) => passingSince(one)),
  );
  const recovered = impaired.filter(
    ({ id, monitor }) =>
      monitor !== null && (since.get(monitor) ?? 0) > impairedSince(report, id, now),
  );
  if (recovered.length === 0) return null;
  return {
    components: recovered,
    since: epochMillis(Math.max(...recovered.map(({ monitor }) => since.get(monitor ?? 0) ?? 0))),
    isAll: recovered.length === impaired.length,
  };
}

function isImpaired(report: ReportRow, component: number, now: EpochMillis): boolean {
  const impact = impactNow([report], component, now);
  return impact !== null && impact !== "operational";
}

/** What has passed since before a person wrote otherwise says nothing of what they saw. */
function impairedSince({ updates }: ReportRow, component: number, now: EpochMillis): number {
  const said = updates
    .filter(({ at }) => at <= now)
    .flatMap(({ at, impacts }) =>
      impacts.filter((one) => one.component === component).map(({ impact }) => ({ at, impact })),
    );
  const ended = said.findIndex(({ impact }) => impact === "operational");
  return (ended === -1 ? said : said.slice(0, ended)).at(-1)?.at ?? now;
}

/** One whose incident still waits for more passing checks may fail again. */
const passingSince = ({
  id,
  status,
  since,
  incident,
}: PicturedMonitor): readonly (readonly [number, EpochMillis])[] =>
  status === "active" && since !== null && incident === null ? [[id, since]] : [];
