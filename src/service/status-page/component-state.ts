import type { MonitorStatus } from "#check/monitor-status";
import { impactNow } from "#service/status-page/impact-spans";
import type { ComponentFacts, PageFacts, PlannedWindow } from "#service/status-page/page-facts";
import type { Impact } from "#service/status-page/report-words";
import type { EpochMillis } from "#base/units";

/** How a component stands, or a page as a whole; in the order of the contract's numbers. */
export const pageStates = [
  "operational",
  "degraded",
  "partial_outage",
  "major_outage",
  "maintenance",
  "unknown",
] as const;
export type PageState = (typeof pageStates)[number];

/** The most urgent first. */
const urgency: readonly PageState[] = [
  "major_outage",
  "partial_outage",
  "degraded",
  "maintenance",
  "unknown",
  "operational",
];

export const worstState = (states: readonly PageState[]): PageState =>
  urgency.find((one) => states.includes(one)) ?? "unknown";

type Scene = Pick<PageFacts, "reports" | "windows" | "now">;

/**
 * What people report of a component counts before what its monitor says, in both directions: they know more. Then
 * maintenance, then the monitor. A static component has a state by reports alone.
 */
export function stateOfComponent({ id, monitor }: ComponentFacts, scene: Scene): PageState {
  const impact = impactNow(scene.reports, id, scene.now);
  if (impact !== null) return stateOfImpact[impact];
  if (runningWindows(scene).some(({ components }) => components.includes(id))) return "maintenance";
  return monitor === null ? "operational" : stateOfMonitor[monitor.status];
}

export const runningWindows = ({
  windows,
  now,
}: Pick<PageFacts, "windows" | "now">): readonly PlannedWindow[] =>
  windows.filter(({ from, to }) => from <= now && now < to);

/** What a component is called that a report says this of. */
export const stateOfImpact: { readonly [I in Impact]: PageState } = {
  operational: "operational",
  degraded_performance: "degraded",
  partial_outage: "partial_outage",
  major_outage: "major_outage",
};

const stateOfMonitor: { readonly [S in MonitorStatus]: PageState } = {
  active: "operational",
  degraded: "degraded",
  error: "major_outage",
  unknown: "unknown",
};

interface StatedComponent {
  readonly facts: ComponentFacts;
  readonly state: PageState;
}

/**
 * How the page stands as a whole. It is a major outage when every monitor that something is known of is down, and
 * unknown only if nothing is known at all.
 */
export function overallState(components: readonly StatedComponent[], scene: Scene): PageState {
  const states = components.map(({ state }) => state);
  const known = components.filter(({ state }) => state !== "unknown" && state !== "maintenance");
  const monitored = known.filter(({ facts }) => facts.monitor !== null);
  const decisive = monitored.length > 0 ? monitored : known;
  if (decisive.length > 0 && decisive.every(({ state }) => state === "major_outage"))
    return "major_outage";
  if (states.some((state) => state === "major_outage" || state === "partial_outage"))
    return "partial_outage";
  if (states.includes("degraded") || hasBareReport(scene)) return "degraded";
  if (runningWindows(scene).length > 0) return "maintenance";
  const monitors = components.filter(({ facts }) => facts.monitor !== null);
  const isKnown = monitors.length === 0 ? known.length > 0 : monitored.length > 0;
  return isKnown ? "operational" : "unknown";
}

/** A report that is open and names no impact: something is wrong, and people do not say yet how much. */
const hasBareReport = ({ reports, now }: Scene): boolean =>
  reports.some(({ updates }) => {
    const begun = updates.filter(({ at }) => at <= now);
    const isOpen = begun.length > 0 && begun[0]?.status !== "resolved";
    return isOpen && begun.every(({ impacts }) => impacts.length === 0);
  });

/** Whether an instant has come. */
export const isPast = (instant: EpochMillis, now: EpochMillis): boolean => instant <= now;
