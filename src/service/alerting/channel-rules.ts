import { byName, type NamesOf } from "#check/field-names";
import type { QuietHours } from "#service/alerting/quiet-hours";
import { type LabelSelector, selects } from "#service/alerting/label-selector";
import type { EventKind, Subject } from "#service/alerting/incident";
import { type Millis, millis } from "#base/units";

/** What a channel wants to hear, and when. */
export interface ChannelRules {
  /** Whether it is for all monitors, also those that are made later, whatever its list names. */
  readonly allMonitors: boolean;
  /** The kinds of events; a channel whose rules name none has all but maintenance. */
  readonly events: readonly ChannelEvent[];
  /** Send only what is still so after this long; 0 is at once. */
  readonly delay: Millis;
  /** Repeat after each of these while it lasts and no person has acknowledged it; null is never. */
  readonly reminder: Millis | null;
  readonly quietHours: readonly QuietHours[];
  /** Ids of locations: what is seen by none of them is left out. Empty: all. */
  readonly locations: readonly number[];
  /** What does not have these labels is left out. Empty: all. */
  readonly labels: LabelSelector;
  /** The IANA zone that its messages write times in, and its quiet hours are in. */
  readonly timeZone: string;
}

const channelRuleNames = {
  allMonitors: "all_monitors",
  events: "events",
  delay: "delay",
  reminder: "reminder",
  quietHours: "quiet_hours",
  locations: "locations",
  labels: "labels",
  timeZone: "time_zone",
} as const;
export type ChannelRuleName = NamesOf<ChannelRules, typeof channelRuleNames>;

export const namedRules = (
  rules: Readonly<Record<keyof ChannelRules, unknown>>,
): Readonly<Record<ChannelRuleName, unknown>> => byName(rules, channelRuleNames);

export const channelEvents = ["error", "degraded", "recovery", "location", "maintenance"] as const;
type ChannelEvent = (typeof channelEvents)[number];

export const rulesDefault: ChannelRules = {
  allMonitors: false,
  events: ["error", "degraded", "recovery", "location"],
  delay: millis(0),
  reminder: null,
  quietHours: [],
  locations: [],
  labels: {},
  timeZone: "UTC",
};

/** What a rule needs to know of an event. */
export interface RuledEvent {
  readonly subject: Subject;
  readonly kind: EventKind;
  readonly severity: "degraded" | "error";
  /** Locations that see it; of a location's own event, that location. */
  readonly locations: readonly number[];
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Whether a channel wants an event. A channel that does not want recoveries gets those of nothing; what begins in a
 * channel ends in it.
 */
export function wants(rules: ChannelRules, happening: RuledEvent): boolean {
  const { subject, kind, locations, labels } = happening;
  if (!rules.events.includes(wordOf(subject, kind, happening.severity))) return false;
  if (!selects(rules.labels, labels)) return false;
  return rules.locations.length === 0 || locations.some((one) => rules.locations.includes(one));
}

function wordOf(
  { kind: of }: Subject,
  kind: EventKind,
  severity: RuledEvent["severity"],
): ChannelEvent {
  if (of === "maintenance") return "maintenance";
  if (of === "location" || of === "agent" || of === "vantage") return "location";
  return kind === "closed" || kind === "settled" ? "recovery" : severity;
}
