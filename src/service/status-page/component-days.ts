import * as pagesLimits from "#limits/pages-limits";
import { dayPlannedDrawn, hoursDrawn } from "#limits/status-limits";
import {
  common,
  impactSpans,
  type ImpactSpan,
  inWholeHours,
  overlap,
  plannedSpans,
  reportedSince,
  united,
  type Span,
  within,
  without,
  worstImpact,
} from "#service/status-page/impact-spans";
import type {
  ComponentFacts,
  MeasuredDay,
  PageFacts,
  PlannedWindow,
  ReportFacts,
} from "#service/status-page/page-facts";
import type { BarKind, PageConfiguration } from "#service/status-page/page-definition";
import type { Impact } from "#service/status-page/report-words";
import { after, epochMillis, type EpochMillis, hours, type Millis, millis } from "#base/units";

/** What a day was for a component; in the order of the contract's numbers. */
export const dayStates = ["operational", "degraded", "down", "maintenance", "empty"] as const;
export type DayState = (typeof dayStates)[number];

/** What readers see of a day (UTC). */
export interface SeenDay {
  readonly begin: EpochMillis;
  readonly state: DayState;
  /** Without what was in maintenance. */
  readonly down: Millis;
  /** The worst that people reported; null if they said nothing. */
  readonly impact: Impact | null;
  /** For how long people said that it was down. */
  readonly reported: Millis;
  /** For how long it was in maintenance. */
  readonly planned: Millis;
  /** What reports and planned work of this day are called. */
  readonly titles: readonly string[];
}

/** One day of a component. */
export interface ComponentDay extends SeenDay {
  readonly success: number;
  readonly degraded: number;
  readonly error: number;
  /** How long something is known of it, without maintenance. */
  readonly known: Millis;
}

const dayLength: Millis = hours(24);

export const dayOf = (instant: EpochMillis): EpochMillis =>
  epochMillis(Math.floor(instant / dayLength) * dayLength);

type SpokenFacts = Pick<PageFacts, "reports" | "windows" | "planned" | "now">;

/** So many days up to today, oldest first. */
export function componentDays(
  component: ComponentFacts,
  facts: SpokenFacts,
  { bar, days }: Pick<PageConfiguration, "bar" | "days">,
): readonly ComponentDay[] {
  const measured = component.monitor?.days ?? [];
  return barsOf(measured, sceneOf(component, facts, bar, dayLength), days, facts.now);
}

/** The newest hours in the same way, the one of now is the last. It may have no data yet, so there is one more. */
export const componentHours = (
  component: ComponentFacts,
  facts: SpokenFacts,
  { bar }: Pick<PageConfiguration, "bar">,
): readonly ComponentDay[] =>
  barsOf(
    component.monitor?.hours ?? [],
    sceneOf(component, facts, bar, hours(1)),
    hoursDrawn + 1,
    facts.now,
  );

function barsOf(
  all: readonly MeasuredDay[],
  scene: DayScene,
  count: number,
  now: EpochMillis,
): readonly ComponentDay[] {
  const measured = new Map(all.map((one) => [one.begin, one]));
  const newest = epochMillis(Math.floor(now / scene.length) * scene.length);
  return Array.from({ length: count }, (_, index) => {
    const begin = after(newest, millis((index + 1 - count) * scene.length));
    return dayAt(begin, measured.get(begin) ?? null, scene, now);
  });
}

const sceneOf = (
  component: ComponentFacts,
  { reports, windows, planned, now }: SpokenFacts,
  bar: BarKind,
  length: Millis,
): DayScene => ({
  bar,
  length,
  isStatic: component.monitor === null,
  said: impactSpans(reports, component.id, now),
  planned: plannedSpans(planned, component.id),
  titled: [...titledSpans(reports, component.id, now), ...titledWindows(windows, component.id)],
  outages: (component.monitor?.outages ?? []).map(({ from, to }) => ({ from, to: to ?? now })),
  since: reportedSince(component, reports, now),
});

const nothing: Omit<MeasuredDay, "begin"> = {
  success: 0,
  degraded: 0,
  error: 0,
  known: millis(0),
  down: millis(0),
};

interface DayScene {
  /** Of what a bar stands for: a day, or an hour. */
  readonly length: Millis;
  readonly bar: BarKind;
  readonly isStatic: boolean;
  readonly said: readonly ImpactSpan[];
  readonly planned: readonly Span[];
  readonly titled: readonly TitledSpan[];
  readonly outages: readonly Span[];
  /** When the component came to the page, or was first reported on. */
  readonly since: EpochMillis;
}

function dayAt(
  begin: EpochMillis,
  measured: MeasuredDay | null,
  scene: DayScene,
  now: EpochMillis,
): ComponentDay {
  const { success, degraded, error, known, down: seen } = measured ?? nothing;
  const day: Span = { from: begin, to: epochMillis(Math.min(after(begin, scene.length), now)) };
  const outages = scene.outages.filter((one) => overlap(one, day) > 0);
  const planned = within(day, scene.planned);
  const down = downOf(day, seen, outages, scene.planned);
  const ofDay = scene.said.filter((one) => overlap(one, day) > 0);
  const impact = worstImpact(ofDay.map((one) => one.impact));
  const outage = united(ofDay.filter((one) => one.impact === "major_outage"));
  const titles = scene.titled.filter((one) => overlap(one, day) > 0).map(({ title }) => title);
  const facts = {
    begin,
    down,
    success,
    degraded,
    error,
    known,
    impact,
    reported: within(day, outage),
    planned,
    titles,
  };
  const reported = reportedState(impact, planned > 0);
  if (scene.bar === "manual" || scene.isStatic) {
    const isBefore = day.to <= scene.since;
    return { ...facts, state: reported ?? (isBefore ? "empty" : "operational") };
  }
  const isDown =
    down >= pagesLimits.dayDownMin || (down > 0 && down > known * pagesLimits.dayDownShareMin);
  const seenAs = measuredState(facts);
  // Planned work makes no data: a day without any result is empty, also with work on it. Short work hides no slow day.
  const isHidden = measured !== null && (seenAs !== "degraded" || planned >= dayPlannedDrawn);
  const said = reported === "maintenance" && !isHidden ? null : reported;
  return { ...facts, state: isDown ? "down" : (said ?? seenAs) };
}

/**
 * Of a day with maintenance, whole hours are left out of what was measured: if there was an outage in one of these, incidents
 * say more exactly what lay outside of maintenance. Of any other outage, maintenance changes nothing.
 */
function downOf(
  day: Span,
  measured: Millis,
  outages: readonly Span[],
  planned: readonly Span[],
): Millis {
  const leftOut = inWholeHours(planned.filter(({ from }) => from < day.to));
  const ofDay = outages.map((one) => common(one, day));
  if (ofDay.every((one) => within(one, leftOut) === 0)) return measured;
  return sum(ofDay.flatMap((one) => without(one, planned)).map((one) => millis(one.to - one.from)));
}

interface TitledSpan extends Span {
  readonly title: string;
}

const titledSpans = (
  reports: readonly ReportFacts[],
  component: number,
  now: EpochMillis,
): readonly TitledSpan[] =>
  reports.flatMap((report) =>
    impactSpans([report], component, now)
      .filter(({ impact }) => impact !== "operational")
      .map(({ from, to }) => ({ from, to, title: report.title })),
  );

const titledWindows = (
  windows: readonly PlannedWindow[],
  component: number,
): readonly TitledSpan[] => windows.filter(({ components }) => components.includes(component));

function reportedState(impact: Impact | null, isPlanned: boolean): DayState | null {
  switch (impact) {
    case "major_outage":
      return "down";
    case "partial_outage":
    case "degraded_performance":
      return "degraded";
    case "operational":
    case null:
      return isPlanned ? "maintenance" : null;
  }
}

/** A day without data is empty, never green. */
function measuredState({ success, degraded, error }: Omit<ComponentDay, "state">): DayState {
  const checks = success + degraded + error;
  if (checks === 0) return "empty";
  return degraded > checks * pagesLimits.daySlowShareMin ? "degraded" : "operational";
}

const sum = (durations: readonly Millis[]): Millis =>
  millis(durations.reduce((total, one) => total + one, 0));
