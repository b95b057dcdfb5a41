import { reportsShownFor } from "#limits/status-limits";
import { dayOf } from "#service/status-page/component-days";
import type { PlannedWindow, ReportFacts } from "#service/status-page/page-facts";
import type { PageModel } from "#service/status-page/page-model";
import { after, epochMillis, type EpochMillis, hours, millis } from "#base/units";

/** A report that is over, or a time of planned work. */
export type PastEvent =
  | { readonly of: "report"; readonly report: ReportFacts }
  | { readonly of: "maintenance"; readonly window: PlannedWindow };

/** A day with what ended on it; or days in a row, from first to last, on which there was nothing to say. */
export interface PastDays {
  readonly first: EpochMillis;
  readonly last: EpochMillis;
  /** The newest first. */
  readonly events: readonly PastEvent[];
}

const dayLength = hours(24);

/** The first of them is not whole. */
const pastDaysShown: number = reportsShownFor / dayLength + 1;

/** Reports and planned work that ended in the last two weeks, the newest first. */
export function pastEvents({
  now,
  pastReports,
  pastWindows,
}: Pick<PageModel, "now" | "pastReports" | "pastWindows">): readonly PastEvent[] {
  const all: readonly PastEvent[] = [
    ...pastReports.map((report) => ({ of: "report", report }) as const),
    ...pastWindows.map((window) => ({ of: "maintenance", window }) as const),
  ];
  return all
    .filter((one) => endOf(one, now) >= now - reportsShownFor)
    .toSorted((a, b) => endOf(b, now) - endOf(a, now));
}

/**
 * The last two weeks by days (UTC), the newest first. Other days of an event are left out, as they were not quiet: an open
 * report is shown above, and what is past under its last day.
 */
export function pastDays(
  { now, openReports }: Pick<PageModel, "now" | "openReports">,
  past: readonly PastEvent[],
): readonly PastDays[] {
  const today = dayOf(now);
  const isReported = (day: EpochMillis): boolean =>
    openReports.some((report) => day >= beginOfReport(report)) ||
    past.some((event) => day >= beginOf(event) && day <= endOf(event, now));
  const all: PastDays[] = [];
  for (let back = 0; back < pastDaysShown; back += 1) {
    const day = after(today, millis(-back * dayLength));
    const events = past.filter((event) => dayOf(endOf(event, now)) === day);
    const isQuiet = events.length === 0;
    if (isQuiet && isReported(day)) continue;
    const newer = all.at(-1);
    const isNext = newer?.first === after(day, dayLength);
    if (newer !== undefined && isQuiet && newer.events.length === 0 && isNext)
      all[all.length - 1] = { ...newer, first: day };
    else all.push({ first: day, last: day, events });
  }
  return all;
}

/** When the newest thing that is out was said of it. */
export const latestOf = ({ updates }: ReportFacts, now: EpochMillis): EpochMillis =>
  updates.find(({ at }) => at <= now)?.at ?? epochMillis(0);

const endOf = (event: PastEvent, now: EpochMillis): EpochMillis =>
  event.of === "report" ? latestOf(event.report, now) : event.window.to;

const beginOf = (event: PastEvent): EpochMillis =>
  event.of === "report" ? beginOfReport(event.report) : dayOf(event.window.from);

const beginOfReport = ({ updates }: ReportFacts): EpochMillis =>
  dayOf(updates.at(-1)?.at ?? epochMillis(0));
