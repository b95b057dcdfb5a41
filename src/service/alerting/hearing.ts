import type { ChannelRules } from "#service/alerting/channel-rules";
import { selects } from "#service/alerting/label-selector";
import { isAlwaysQuiet } from "#service/alerting/quiet-hours";

/** A channel as far as deciding whether it is notified of a monitor's failures needs it. */
export interface Hearer {
  readonly rules: Pick<
    ChannelRules,
    "allMonitors" | "events" | "labels" | "locations" | "quietHours"
  >;
  /** Whether its list names the monitor. */
  readonly names: (monitor: number | string) => boolean;
}

/** A monitor as far as that needs it. `locations` is null if they do not count. */
export interface Heard {
  readonly labels: Readonly<Record<string, string>>;
  readonly locations: readonly number[] | null;
}

/** Whether a channel is notified of a monitor's failures, at whatever hour; never if all hours are quiet. */
export function hears(
  { rules, names }: Hearer,
  monitor: number | string,
  { labels, locations }: Heard,
): boolean {
  if (!hearsFailures(rules)) return false;
  if (!rules.allMonitors && !names(monitor)) return false;
  if (!selects(rules.labels, labels)) return false;
  if (rules.locations.length === 0 || locations === null) return true;
  return locations.some((one) => rules.locations.includes(one));
}

/** Whether its events have failures, of whichever monitor, and it ever sends. */
export const hearsFailures = ({
  events,
  quietHours,
}: Pick<ChannelRules, "events" | "quietHours">): boolean =>
  events.some((event) => event === "error" || event === "degraded") && !isAlwaysQuiet(quietHours);

/** Whether nothing of a monitor's failures can be missed by it. */
export const hearsAll = ({
  allMonitors,
  events,
  labels,
  locations,
  quietHours,
}: Hearer["rules"]): boolean =>
  allMonitors &&
  events.includes("error") &&
  Object.keys(labels).length + locations.length === 0 &&
  !isAlwaysQuiet(quietHours);
