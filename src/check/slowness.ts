import { type Millis, type Nanos, nanosToMillis } from "#base/units";
import type { ResultStatus } from "#check/verdict";

/**
 * How a latency stands to the threshold above which a check is degraded. "slow" and "quick" are certain: the error bar
 * could not change them. "unsure" is what lies between.
 *
 *            threshold
 *   quick ├──●──┤ │
 *   unsure     ├──┼●──┤
 *   slow          │ ├──●──┤
 */
type Speed = "quick" | "unsure" | "slow";

/** Without a threshold, every latency is quick. */
export function speedOf(latency: Millis, errorBar: Nanos, degradedAt: Millis | null): Speed {
  if (degradedAt === null || degradedAt <= 0) return "quick";
  const doubt = nanosToMillis(errorBar);
  if (latency - doubt > degradedAt) return "slow";
  return latency + doubt <= degradedAt ? "quick" : "unsure";
}

/**
 * What a monitor's state is after a result. A passing check that may have been slow says that the target is up, but not
 * that a degraded one has recovered.
 */
export const stateAfter = (
  before: ResultStatus | null,
  { status, perhapsSlow }: { readonly status: ResultStatus; readonly perhapsSlow: boolean },
): ResultStatus =>
  before === "degraded" && status === "success" && perhapsSlow ? "degraded" : status;
