import { isQuorum, type MonitorState } from "#service/monitors/judge";
import type { View } from "#service/monitors/view";
import type { ResultStatus } from "#check/verdict";
import type { EpochMillis } from "#base/units";

/**
 * Since when a monitor's status has held. The judge dated its last change, by the slot that tipped it. Results of a
 * silence that came later can date a failure earlier: the checks in a row of enough locations, as far back as its
 * incident is open. A row alone proves nothing: a pause, a silence or a removed location does not end it, but a pause and
 * a monitor that passes end the incident. Null if nothing was ever judged.
 */
export function heldSince(
  { status, since }: MonitorState,
  fresh: readonly View[],
  incidentSince: EpochMillis | null,
): EpochMillis | null {
  if (since === 0) return null;
  const seen = incidentSince === null ? null : seenSince(status, fresh);
  if (seen === null || incidentSince === null) return since;
  const row = seen > incidentSince ? seen : incidentSince;
  return row < since ? row : since;
}

/**
 * Since when a location has seen what it sees. Its row runs through a pause and a silence of all, which the judge does not
 * count: if every row that counts is older than the monitor's status, there was one, and none of them has held for longer.
 */
export function placeSince(
  view: View,
  fresh: readonly View[],
  held: EpochMillis | null,
): EpochMillis {
  if (held === null || !fresh.includes(view)) return view.since;
  return fresh.every(({ since }) => since < held) ? held : view.since;
}

function seenSince(status: MonitorState["status"], fresh: readonly View[]): EpochMillis | null {
  const { length } = fresh;
  const enough = (is: (one: ResultStatus) => boolean): EpochMillis | null =>
    begun(fresh, is, (count) => isQuorum(count, length));
  // As long as so many locations saw something better, the others were no quorum.
  const most = (is: (one: ResultStatus) => boolean): EpochMillis | null =>
    begun(fresh, is, (count) => !isQuorum(length - count, length));
  switch (status) {
    case "unknown":
    case "active":
      return null;
    case "error":
      return enough((one) => one === "error");
    case "degraded": {
      const troubled = enough((one) => one !== "success");
      const spared = most((one) => one !== "error");
      if (troubled === null || spared === null) return null;
      return troubled > spared ? troubled : spared;
    }
  }
}

/** From when on enough locations have said so without a break. */
function begun(
  fresh: readonly View[],
  is: (status: ResultStatus) => boolean,
  isEnough: (count: number) => boolean,
): EpochMillis | null {
  const all = fresh
    .filter(({ status }) => is(status))
    .map(({ since }) => since)
    .toSorted((a, b) => a - b);
  return all.find((_, index) => isEnough(index + 1)) ?? null;
}
