import { uptimeShare } from "#check/uptime-share";
import type { ComponentDay } from "#service/status-page/component-days";
import {
  impactSpans,
  plannedSpans,
  reportedSince,
  type Span,
  within,
  without,
} from "#service/status-page/impact-spans";
import type { ComponentFacts, PageFacts } from "#service/status-page/page-facts";
import type { UptimeMetric } from "#service/status-page/page-definition";
import type { Impact } from "#service/status-page/report-words";
import { epochMillis } from "#base/units";

/**
 * Uptime in hundredths of a percent, of what the page counts; null if nothing is known. Time without results, and time in
 * maintenance, counts as neither up nor down.
 */
export function uptimeOf(
  metric: UptimeMetric,
  component: ComponentFacts,
  days: readonly ComponentDay[],
  facts: Pick<PageFacts, "reports" | "planned" | "now">,
): number | null {
  // A static component has nothing but reports.
  if (metric === "manual" || component.monitor === null)
    return reportedShare(component, days, facts);
  return metric === "duration" ? timeShare(days) : checkShare(days);
}

function timeShare(days: readonly ComponentDay[]): number | null {
  const known = total(days.map((day) => day.known));
  // A day's outage may be longer than what is known of it: agents were silent meanwhile.
  const down = total(days.map((day) => Math.min(day.down, day.known)));
  return uptimeShare(known, down);
}

/** Checks that were good, also slowly. */
function checkShare(days: readonly ComponentDay[]): number | null {
  const failed = total(days.map((day) => day.error));
  return uptimeShare(total(days.map((day) => day.success + day.degraded)) + failed, failed);
}

/** How much of it counts as down. */
const weights: { readonly [I in Impact]: number } = {
  operational: 0,
  degraded_performance: 0,
  partial_outage: 0.5,
  major_outage: 1,
};

function reportedShare(
  component: ComponentFacts,
  [first]: readonly ComponentDay[],
  { reports, planned: all, now }: Pick<PageFacts, "reports" | "planned" | "now">,
): number | null {
  const { id } = component;
  const since = reportedSince(component, reports, now);
  const shown: Span = { from: epochMillis(Math.max(first?.begin ?? now, since)), to: now };
  const planned = plannedSpans(all, id);
  const spans = impactSpans(reports, id, now);
  // Where two reports speak of the same time, the worse counts.
  const whole = spans.filter(({ impact }) => weights[impact] === 1);
  const half = spans.filter(({ impact }) => weights[impact] === 0.5);
  const counted = (all: readonly Span[], others: readonly Span[]): number =>
    total(all.flatMap((span) => without(span, others)).map((span) => within(span, [shown])));
  const counts = shown.to - shown.from - within(shown, planned);
  const wholeSpans = distinct(whole);
  const down =
    counted(wholeSpans, planned) +
    0.5 * counted(distinct(half), distinct([...planned, ...wholeSpans]));
  return uptimeShare(counts, down);
}

function distinct(spans: readonly Span[]): readonly Span[] {
  const all: Span[] = [];
  for (const span of spans) all.push(...without(span, all));
  return all;
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
