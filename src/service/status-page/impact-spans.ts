import type { ComponentFacts, PlannedTime, ReportFacts } from "#service/status-page/page-facts";
import { type Impact, impacts } from "#service/status-page/report-words";
import { epochMillis, type EpochMillis, hours, type Millis, millis } from "#base/units";

export interface Span {
  readonly from: EpochMillis;
  readonly to: EpochMillis;
}

/** For how long people said what of a component. */
export interface ImpactSpan extends Span {
  readonly impact: Impact;
}

/** What the updates of all reports say of a component, over time; what lasts ends at `now`. */
export const impactSpans = (
  reports: readonly ReportFacts[],
  component: number,
  now: EpochMillis,
): readonly ImpactSpan[] => reports.flatMap((report) => spansOf(report, component, now));

/** Since when a component has a past by reports: its making, or what was reported of it before, written afterwards. */
export const reportedSince = (
  { id, createdAt }: Pick<ComponentFacts, "id" | "createdAt">,
  reports: readonly ReportFacts[],
  now: EpochMillis,
): EpochMillis =>
  epochMillis(Math.min(createdAt, ...impactSpans(reports, id, now).map(({ from }) => from)));

function spansOf(report: ReportFacts, component: number, now: EpochMillis): readonly ImpactSpan[] {
  const updates = report.updates.toReversed().filter(({ at }) => at <= now);
  const spans: ImpactSpan[] = [];
  let impact: Impact | null = null;
  for (const [index, update] of updates.entries()) {
    impact = update.impacts.find((one) => one.component === component)?.impact ?? impact;
    const to = updates[index + 1]?.at ?? now;
    if (impact !== null && update.status !== "resolved" && to > update.at)
      spans.push({ from: update.at, to, impact });
  }
  return spans;
}

/** What open reports say of a component now, the worst of them; null if they say nothing. */
export function impactNow(
  reports: readonly ReportFacts[],
  component: number,
  now: EpochMillis,
): Impact | null {
  const said = reports.flatMap((report) => {
    const updates = report.updates.filter(({ at }) => at <= now);
    if (updates.length === 0 || updates[0]?.status === "resolved") return [];
    const naming = updates.flatMap((update) =>
      update.impacts.filter((one) => one.component === component),
    );
    const [newest] = naming;
    return newest === undefined ? [] : [newest.impact];
  });
  return worstImpact(said);
}

/** What the newest update that names a component said, up to this one; null if none did. */
export function impactUntil(
  { updates }: Pick<ReportFacts, "updates">,
  component: number,
  until: number,
): Impact | null {
  const begin = updates.findIndex(({ id }) => id === until);
  const said = updates
    .slice(Math.max(0, begin))
    .flatMap(({ impacts: stated }) => stated.filter((one) => one.component === component));
  return said[0]?.impact ?? null;
}

/** The worst that a report says of its components now; null once it is over, and if it says nothing. */
export function impactOfReport({ status, components, updates }: ReportFacts): Impact | null {
  if (status === "resolved") return null;
  const said = updates.flatMap((update) => update.impacts);
  return worstImpact(
    components.flatMap((id) => said.find((one) => one.component === id)?.impact ?? []),
  );
}

export const worstImpact = (said: readonly Impact[]): Impact | null =>
  impacts.toReversed().find((one) => said.includes(one)) ?? null;

/** When planned maintenance of a component is or was, as spans that do not overlap. */
export const plannedSpans = (planned: readonly PlannedTime[], component: number): readonly Span[] =>
  united(planned.filter(({ components }) => components.includes(component)));

/** Spans that touch are one. */
export function united(spans: readonly Span[]): readonly Span[] {
  const all: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last !== undefined && span.from <= last.to)
      all[all.length - 1] = { from: last.from, to: epochMillis(Math.max(last.to, span.to)) };
    else all.push({ from: span.from, to: span.to });
  }
  return all;
}

/** Each from the beginning of its first hour to the end of its last. */
export const inWholeHours = (spans: readonly Span[]): readonly Span[] =>
  united(
    spans.map(({ from, to }) => ({
      from: epochMillis(Math.floor(from / hours(1)) * hours(1)),
      to: epochMillis(Math.ceil(to / hours(1)) * hours(1)),
    })),
  );

/** When two spans that meet are both. */
export const common = (a: Span, b: Span): Span => ({
  from: epochMillis(Math.max(a.from, b.from)),
  to: epochMillis(Math.min(a.to, b.to)),
});

/** How long two spans are at once. */
export const overlap = (a: Span, b: Span): Millis =>
  millis(Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from)));

/** How much of one span lies in others, which do not overlap. */
export const within = (span: Span, others: readonly Span[]): Millis =>
  millis(others.reduce((sum, other) => sum + overlap(span, other), 0));

/** What is left of a span without others, which do not overlap and are in order. */
export function without(span: Span, others: readonly Span[]): readonly Span[] {
  let rest: readonly Span[] = [span];
  for (const other of others)
    rest = rest.flatMap((one) =>
      overlap(one, other) === 0
        ? [one]
        : [
            { from: one.from, to: other.from },
            { from: other.to, to: one.to },
          ].filter(({ from, to }) => from < to),
    );
  return rest;
}
