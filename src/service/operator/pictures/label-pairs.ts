import * as limits from "#limits/pages-limits";
import type { PicturedMonitor } from "#service/operator/picture";

/** `key:value` of all labels of some monitors, each once, as many as a list offers. */
export function labelsOf(monitors: readonly Pick<PicturedMonitor, "labels">[]): readonly string[] {
  const pairs = new Set(
    monitors.flatMap(({ labels }) =>
      Object.entries(labels).map(([key, value]) => `${key}:${value}`),
    ),
  );
  return [...pairs].toSorted().slice(0, limits.labelsOfferedMax);
}
