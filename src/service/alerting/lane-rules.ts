import type { ChannelRules } from "#service/alerting/channel-rules";
import {
  type DropReason,
  type HoldReason,
  isUntold,
  type Queue,
  type WaitingDelivery,
} from "#service/alerting/queue";
import { quietAt } from "#service/alerting/quiet-hours";
import { type SilenceTarget, type Silence, silencedUntil } from "#service/alerting/silence";
import type { Snapshot } from "#service/alerting/snapshot";
import type { Manner } from "#service/notify/provider";
import { between, type EpochMillis } from "#base/units";

/** What of a channel holds its messages. */
export interface LaneRules {
  readonly manner: Manner;
  readonly rules: ChannelRules;
  readonly silences: readonly Silence[];
}

/** Reasons that people chose: what is over while one of them holds it is not said at all. */
const chosen: ReadonlySet<HoldReason> = new Set([
  "delay",
  "quiet_hours",
  "silence",
  "parent",
  "pause",
]);

export const isHeldByRule = ({ held }: WaitingDelivery): boolean =>
  held !== null && chosen.has(held);

/**
 * Why an alert that was over at an instant was not meant to go out at all: a rule held it for as long as it lasted. What
 * was once tried, no rule held.
 */
export function heldUntilOver(
  queue: Queue,
  alert: WaitingDelivery,
  over: EpochMillis,
  { rules, silences }: LaneRules,
): DropReason | null {
  if (alert.firstTriedAt !== null) return null;
  // A parent that is up, and a silence or a pause that has ended, are known by the look that noted them.
  if (alert.held === "parent" || queue.parent !== null) return "parent_down";
  if (alert.held === "pause") return "paused";
  const silenced = silencedUntil(
    silences,
    coveredBy(alert.snapshot, queue.incident.subject.id),
    alert.at,
  );
  if (alert.held === "silence" || (silenced !== null && silenced >= over)) return "silenced";
  if (isUntold(queue) && between(alert.at, over) < rules.delay) return "within_delay";
  const quiet = quietAt(rules.quietHours, rules.timeZone, alert.at);
  return quiet !== null && (quiet.until ?? over) >= over ? "within_quiet_hours" : null;
}

/** What a silence or a maintenance has to name to cover this. */
export function coveredBy(snapshot: Snapshot, id: number): SilenceTarget {
  switch (snapshot.of) {
    case "monitor": {
      const seeing = snapshot.locations.filter(({ status }) => status !== "active");
      const locations = seeing.map((one) => Number(one.id));
      return { monitor: id, locations, labels: snapshot.monitor.labels };
    }
    case "location":
    case "agent": {
      const { id: location, labels } = snapshot.location;
      return { monitor: null, locations: [Number(location)], labels };
    }
    case "maintenance":
      return { monitor: null, locations: snapshot.locations, labels: {} };
    case "channel":
      return { monitor: null, locations: [], labels: {} };
  }
}
