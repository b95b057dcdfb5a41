import { noPhases } from "#check/outcome";
import type { ResultStatus } from "#check/verdict";
import type { View } from "#service/monitors/view";
import { locationId, monitorId } from "#service/store/ids";
import type { NewResult } from "#service/store/result-store";
import { type Series, withResults } from "#service/store/verbs/series-rows";
import { epochMillis, type EpochMillis, millis } from "#base/units";

/** What of a result can move a view. */
export interface Sighting {
  readonly slot: EpochMillis;
  readonly status: ResultStatus;
  readonly failurePhase: string;
  readonly uncertain: boolean;
}

/** The view after a result has come, as the store keeps it. */
export function viewAfter(view: View | null, seen: Sighting): View | null {
  const after = withResults(key, view === null ? null : seriesOf(view), [
    // No clock is ahead: it comes after what was seen before.
    { ...resultOf(seen), storedAt: epochMillis(Math.max(seen.slot, view?.slot ?? 0)) },
  ]);
  if (after.seenSlot === null) return null;
  const { seenSlot, status, since } = after;
  return { slot: epochMillis(seenSlot), status, since: epochMillis(since) };
}

const key = { monitor: monitorId(1), location: locationId(1) };

const seriesOf = ({ slot, status, since }: View): Series => ({
  ...key,
  newestSlot: slot,
  seenSlot: slot,
  status,
  since,
  recent: "",
  startedAt: slot,
  latency: millis(0),
  success: 0,
  degraded: 0,
  error: 0,
  kept: 0,
  blindSlot: null,
  certificate: null,
  standsUntil: 0,
  standsDown: false,
});

const resultOf = ({ slot, status, failurePhase, uncertain }: Sighting): NewResult => ({
  monitor: key.monitor,
  slot,
  status,
  latency: millis(1),
  startedAt: slot,
  statusCode: 0,
  failure: failurePhase === "" ? null : { code: "x", phase: failurePhase },
  phases: noPhases,
  own: null,
  echoes: null,
  attempts: 1,
  trigger: "cron",
  perhapsSlow: uncertain,
  excuse: null,
  certificate: null,
  period: millis(30_000),
  detail: { message: "", payload: new Uint8Array() },
});
