import { type LabelSelector, selects } from "#service/alerting/label-selector";
import type { Picture, PicturedMonitor } from "#service/operator/picture";

/** Monitors about which nothing is sent now, by why: at all of their locations, or at some. */
export const plannedStates = ["silenced", "maintenance"] as const;
export type PlannedState = (typeof plannedStates)[number];
export type PlannedMonitors = Readonly<Record<PlannedState, ReadonlySet<number>>>;

type PicturePart = Pick<Picture, "monitors" | "planned" | "at">;

/** Their ids, found once for a picture: each look counts them. */
export const plannedMonitors = (picture: PicturePart): PlannedMonitors =>
  found.getOrInsertComputed(picture, plannedIn);

const found = new WeakMap<PicturePart, PlannedMonitors>();

function plannedIn({ monitors, planned, at }: PicturePart): PlannedMonitors {
  const silences = planned.silences.filter(({ from, until }) => from <= at && at < until);
  const maintenances = planned.maintenances.filter(({ from, to }) => from <= at && at < to);
  return {
    silenced: coveredIds(monitors, silences),
    maintenance: coveredIds(
      monitors,
      maintenances.map((one) => ({ ...one, labels: {} })),
    ),
  };
}

interface Cover {
  readonly monitors: readonly number[];
  readonly locations: readonly number[];
  readonly labels: LabelSelector;
}

function coveredIds(
  monitors: readonly PicturedMonitor[],
  covers: readonly Cover[],
): ReadonlySet<number> {
  if (covers.length === 0) return new Set();
  const ids = new Set(covers.flatMap((one) => one.monitors));
  const locations = new Set(covers.flatMap((one) => one.locations));
  const selectors = covers.flatMap(({ labels }) =>
    Object.keys(labels).length === 0 ? [] : [labels],
  );
  const isCovered = ({ id, seenBy, labels }: PicturedMonitor): boolean =>
    ids.has(id) ||
    seenBy.some(({ location }) => locations.has(location)) ||
    selectors.some((one) => selects(one, labels));
  return new Set(monitors.filter(isCovered).map(({ id }) => id));
}
