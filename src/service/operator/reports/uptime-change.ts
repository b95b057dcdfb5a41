import { uptimeShare } from "#check/uptime-share";
import { periodBefore, type ReportPeriod } from "#service/operator/reports/report-period";
import type { DaysSum } from "#service/store/day-table";

/** What is compared: some time, and the time before it. */
export interface TimeAndBefore extends Pick<DaysSum, "known" | "down"> {
  readonly before: Pick<DaysSum, "known" | "down">;
}

/**
 * By how many hundredths of a percent it was up more than before, negative if less; null if nothing is known of either. It
 * is the difference of the figures as they are shown.
 */
export function uptimeChange({ known, down, before }: TimeAndBefore): number | null {
  const [share, earlier] = [uptimeShare(known, down), uptimeShare(before.known, before.down)];
  return share === null || earlier === null ? null : share - earlier;
}

/** `+0.05`, `−0.10`, `0.00`; a dash if there is nothing to compare. */
export function changeFigure(change: number | null): string {
  if (change === null) return "–";
  const sign = change > 0 ? "+" : change < 0 ? "−" : "";
  return `${sign}${pointsOf(change)}`;
}

/** `0.05 points better than October`; empty if there is nothing to compare. */
export function changeWords(change: number | null, period: ReportPeriod): string {
  if (change === null) return "";
  const { words } = periodBefore(period);
  if (change === 0) return `the same as ${words}`;
  return `${pointsOf(change)} points ${change > 0 ? "better" : "worse"} than ${words}`;
}

const pointsOf = (change: number): string => (Math.abs(change) / 100).toFixed(2);

/** Of time that was seen, 0 to 100; null if nothing was. */
export const uptimePercent = ({ known, down }: TimeAndBefore["before"]): number | null =>
  known === 0 ? null : 100 * (1 - down / known);
