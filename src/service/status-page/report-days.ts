import { reportsShownFor } from "#limits/status-limits";
import { dayOf } from "#service/status-page/component-days";
import type { ReportFacts } from "#service/status-page/page-facts";
import type { PageModel } from "#service/status-page/page-model";
import { after, epochMillis, type EpochMillis, hours, millis } from "#base/units";

/** A day with the reports that ended on it; or days in a row, from first to last, on which there was nothing to report. */
export interface ReportDays {
  readonly first: EpochMillis;
  readonly last: EpochMillis;
  readonly reports: readonly ReportFacts[];
}

const dayLength = hours(24);

/** The first of them is not whole. */
export const reportDaysShown: number = reportsShownFor / dayLength + 1;

/**
 * The last two weeks by days (UTC), the newest first. Other days of a report are left out, as they were not quiet: an open
 * one is shown above, and a past one under its last day.
 */
export function reportDays(
  { now, openReports }: Pick<PageModel, "now" | "openReports">,
  past: readonly ReportFacts[],
): readonly ReportDays[] {
  const today = dayOf(now);
  const isReported = (day: EpochMillis): boolean =>
    openReports.some((report) => day >= beginOf(report)) ||
    past.some((report) => day >= beginOf(report) && day <= latestOf(report, now));
  const all: ReportDays[] = [];
  for (let back = 0; back < reportDaysShown; back += 1) {
    const day = after(today, millis(-back * dayLength));
    const reports = past.filter((report) => dayOf(latestOf(report, now)) === day);
    const isQuiet = reports.length === 0;
    if (isQuiet && isReported(day)) continue;
    const newer = all.at(-1);
    const isNext = newer?.first === after(day, dayLength);
    if (newer !== undefined && isQuiet && newer.reports.length === 0 && isNext)
      all[all.length - 1] = { ...newer, first: day };
    else all.push({ first: day, last: day, reports });
  }
  return all;
}

/** When the newest thing that is out was said of it. */
export const latestOf = ({ updates }: ReportFacts, now: EpochMillis): EpochMillis =>
  updates.find(({ at }) => at <= now)?.at ?? epochMillis(0);

const beginOf = ({ updates }: ReportFacts): EpochMillis =>
  dayOf(updates.at(-1)?.at ?? epochMillis(0));
