import { isQuorum, type MonitorState } from "#service/monitors/judge";
import type { View } from "#service/monitors/view";
import type { ResultStatus } from "#check/verdict";
import type { EpochMillis } from "#base/units";

/**
 * Since when a monitor's status has held. The judge dated its last change, by the slot that tipped it. Results of a
 * silence that came later can say more: of what is not well, the checks in a row of enough locations count as well. What
 * passes is never said to have passed while nothing was known. Null if nothing was ever judged.
 */
export function heldSince(
  { status, since }: MonitorState,
  fresh: readonly View[],
): EpochMillis | null {
  const judged = since === 0 ? null : since;
  const seen = seenSince(status, fresh);
  return judged === null || (seen !== null && seen < judged) ? (seen ?? judged) : judged;
}

function seenSince(status: MonitorState["status"], fresh: readonly View[]): EpochMillis | null {
  const quorumOf = (is: (one: ResultStatus) => boolean): EpochMillis | null =>
    firstQuorum(fresh, is, (count) => isQuorum(count, fresh.length));
  switch (status) {
    case "active":
    case "unknown":
      return null;
    case "error":
      return quorumOf((one) => one === "error");
    case "degraded": {
      const troubled = quorumOf((one) => one !== "success");
      // As long as so many locations saw no failure, those that did were no quorum.
      const spared = firstQuorum(
        fresh,
        (one) => one !== "error",
        (count) => !isQuorum(fresh.length - count, fresh.length),
      );
      if (troubled === null || spared === null) return null;
      return troubled > spared ? troubled : spared;
    }
  }
}

/** From when on enough locations have said so without a break. */
function firstQuorum(
  fresh: readonly View[],
  is: (status: ResultStatus) => boolean,
  isEnough: (count: number) => boolean,
): EpochMillis | null {
  const begun = fresh
    .filter(({ status }) => is(status))
    .map(({ since }) => since)
    .toSorted((a, b) => a - b);
  return begun.find((_, index) => isEnough(index + 1)) ?? null;
}
