import type { MonitorStatus } from "#check/monitor-status";
import type { PageDefinition } from "#service/status-page/page-definition";
import type {
  ComponentDefinition,
  GroupDefinition,
  UpdateDefinition,
} from "#service/status-page/part-definitions";
import type { ReportStatus } from "#service/status-page/report-words";
import type { EpochMillis, Millis } from "#base/units";

/** Everything that is known of a page at an instant; what it shows is calculated from this alone. */
export interface PageFacts {
  readonly now: EpochMillis;
  readonly definition: PageDefinition;
  /** In the order of the page. */
  readonly components: readonly ComponentFacts[];
  readonly groups: readonly GroupFacts[];
  readonly reports: readonly ReportFacts[];
  /** Windows of maintenance on this page that are over since a while at most, or run, or come. */
  readonly windows: readonly PlannedWindow[];
  /** What of them was planned before it came: that alone is left out of uptime. */
  readonly planned: readonly PlannedTime[];
}

export interface ComponentFacts extends ComponentDefinition {
  readonly id: number;
  /** Null: in no group. */
  readonly group: number | null;
  readonly createdAt: EpochMillis;
  /** Null of a static one. */
  readonly monitor: MonitorFacts | null;
}

export interface MonitorFacts {
  readonly id: number;
  /** Whether readers may look at it by itself. */
  readonly isPublic: boolean;
  /** Unknown if it is not active. */
  readonly status: MonitorStatus;
  /** Those that something is known of, in any order. What came in maintenance is left out. */
  readonly days: readonly MeasuredDay[];
  /** The newest hours in the same way, if the page is so young that days would be a bar or two; else empty. */
  readonly hours: readonly MeasuredDay[];
  readonly outages: readonly Outage[];
}

/** What was measured on a day (UTC), or in an hour. */
export interface MeasuredDay {
  readonly begin: EpochMillis;
  readonly success: number;
  readonly degraded: number;
  readonly error: number;
  readonly known: Millis;
  /** As long as half of its locations saw it down. */
  readonly down: Millis;
}

/** An incident in which the monitor was down. */
export interface Outage {
  readonly number: number;
  readonly from: EpochMillis;
  /** Null while it lasts. */
  readonly to: EpochMillis | null;
}

export interface GroupFacts extends GroupDefinition {
  readonly id: number;
}

export interface ReportFacts {
  readonly id: number;
  readonly title: string;
  /** The newest update's. */
  readonly status: ReportStatus;
  readonly components: readonly number[];
  /** The newest first; at least one. */
  readonly updates: readonly UpdateFacts[];
}

export interface UpdateFacts extends UpdateDefinition {
  readonly id: number;
}

export interface PlannedWindow {
  readonly id: number;
  readonly title: string;
  readonly message: string;
  readonly from: EpochMillis;
  readonly to: EpochMillis;
  /** Empty: it concerns the page as a whole. */
  readonly components: readonly number[];
  /** What was said since it was announced, the newest first. */
  readonly updates: readonly WindowUpdate[];
  readonly repeats: RepeatFacts;
  /** Null of what happens once. */
  readonly series: SeriesFacts | null;
  readonly createdAt: EpochMillis;
  /** When it was planned, or what was planned changed last: its updates do not count. */
  readonly changedAt: EpochMillis;
}

/** By which rule work repeats, by a clock in which zone, and when it begins first. */
export interface RepeatFacts {
  /** Empty: it happens once. */
  readonly recurrence: string;
  readonly begin: EpochMillis;
  readonly timeZone: string;
}

/** What repeats, as calendars have it. */
export interface SeriesFacts {
  /** As it is planned by the rule, also if its own end was moved. */
  readonly first: Pick<PlannedWindow, "from" | "to">;
  /** As RFC 5545 has it, with its end as an instant; empty: it knows no such rule. */
  readonly rule: string;
  readonly timeZone: string;
  /** Times of it that do not take place, as they were planned. */
  readonly skipped: readonly Pick<PlannedWindow, "from" | "to">[];
  /** When times of it were to begin that began before that. */
  readonly early: readonly EarlyTime[];
}

interface EarlyTime {
  readonly from: EpochMillis;
  readonly planned: EpochMillis;
}

/** A time of maintenance, and the components that were under it. */
export interface PlannedTime extends Pick<PlannedWindow, "from" | "to" | "components"> {}

export interface WindowUpdate {
  readonly at: EpochMillis;
  readonly message: string;
  /** Left out: people wrote it. */
  readonly filled?: FilledIn;
}

/** What the form of an update says by itself: the work is over, or something is new of one of its times. */
export type FilledIn =
  | { readonly is: "over" }
  | {
      readonly is: "begun" | "later" | "skipped" | "times";
      readonly window: Pick<PlannedWindow, "from" | "to">;
      readonly repeats: RepeatFacts;
    };
